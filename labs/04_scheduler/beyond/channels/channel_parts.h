// Given for steps 4.13 and 4.14: operations of tasks at a channel, their queues, and their outcomes.
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>

#include "labs/04_scheduler/parts/task.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/sets/recorded_set.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

class ChannelCore;

enum class Direction : std::uint8_t { send, receive };

/// Outcome of sending or receiving. `must_wait`: not possible yet.
enum class Outcome : std::uint8_t { done, closed, cancelled, must_wait };

/// Thrown when sending to a closed channel, or closing it again. `what()` names the channel.
struct ClosedChannel : Spoken<std::logic_error> {
    using Spoken::Spoken;
};

struct Operation;

/// One wait of one task, for one operation or for the first of a select's operations. On the task's stack.
struct Waiting {
    Task& task;
    /// Guards `claimed` while the task waits. The task parks with this lock held: its loop releases it when the task
    /// can be woken. Acquired after the locks of channels.
    kit::Lock lock{};
    Operation* claimed = nullptr;  ///< the operation that another task has chosen to complete
};

/// An operation of a task at one channel, and its queue entry there. On the task's stack.
struct Operation {
    static constexpr int kAlone = -1;

    ChannelCore& channel;
    Waiting& waiting;
    Direction direction;
    void* element;        ///< the value to send, or the destination of the received one
    int number = kAlone;  ///< index of the case of a select
    Outcome outcome = Outcome::must_wait;
    // Used by OperationQueue.
    Operation* before = nullptr;
    Operation* behind = nullptr;
    bool queued = false;
};

/// A FIFO queue of waiting operations. Does not own them, and allocates no memory (as Go's waitq). Insertions and
/// removals are recorded.
class OperationQueue {
  public:
    OperationQueue(std::string name, const kit::Lock* lock);

    bool empty() const noexcept { return first_ == nullptr; }
    void push(Operation& last);
    /// Removes and returns the first; null if empty.
    Operation* pop();
    /// No-op if it is not in the queue.
    void remove(Operation& operation);

  private:
    kit::Item item_of(const Operation& operation) noexcept;

    Operation* first_ = nullptr;
    Operation* last_ = nullptr;
    kit::RecordedSet set_;
    trace::CausalStamp touch_;  // orders the events: another task may remove operations
};

/// Records a buffer in a trace: a value is named by the task that sent it and by its number.
class BufferRecord {
  public:
    BufferRecord(std::string name, const kit::Lock* lock);
    /// `sender`: number of the task.
    void stored(std::uint32_t sender);
    /// Records the removal of the oldest value.
    void fetched();

  private:
    struct Value {
        std::uint32_t sender;
        std::uint64_t number;
    };
    std::deque<Value> values_;  // the recorded values
    std::uint64_t count_ = 0;
    kit::RecordedSet set_;
    trace::CausalStamp touch_;  // orders the events: the senders may have continued or ended
};

}  // namespace fiberscope::lab04
