// Given, for steps 4.13 and 4.14: what a task does at a channel, the queue in which it waits, and how that ends.
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

/// How sending or receiving ends. `must_wait`: it has not.
enum class Outcome : std::uint8_t { done, closed, cancelled, must_wait };

/// A value was sent to a channel that is closed, or it was closed again. `what()` names the channel.
struct ClosedChannel : Spoken<std::logic_error> {
    using Spoken::Spoken;
};

struct Operation;

/// One wait of one task, for one operation or for the first of a select's several. Lies on its stack.
struct Waiting {
    Task& task;
    /// Guards `claimed` while the task waits. The task parks with it: its loop releases it when the task can be woken.
    /// Taken after the locks of channels.
    kit::Lock lock{};
    Operation* claimed = nullptr;  ///< the one that another task has chosen to complete
};

/// What a task does at one channel, and its place in a queue there. Lies on its stack.
struct Operation {
    static constexpr int kAlone = -1;

    ChannelCore& channel;
    Waiting& waiting;
    Direction direction;
    void* element;        ///< the value to be sent; or the place for the one that is received
    int number = kAlone;  ///< which case of a select, from 0
    Outcome outcome = Outcome::must_wait;
    // Of OperationQueue.
    Operation* before = nullptr;
    Operation* behind = nullptr;
    bool queued = false;
};

/// A list of operations that wait, the first one first. Owns none, and asks for no memory (as Go's waitq). A trace is
/// told what enters it and leaves it.
class OperationQueue {
  public:
    OperationQueue(std::string name, const kit::Lock* lock);

    bool empty() const noexcept { return first_ == nullptr; }
    void push(Operation& last);
    /// The first leaves; null if there is none.
    Operation* pop();
    /// Does nothing if it has left already.
    void remove(Operation& operation);

  private:
    kit::Item item_of(const Operation& operation) noexcept;

    Operation* first_ = nullptr;
    Operation* last_ = nullptr;
    kit::RecordedSet set_;
    trace::CausalStamp touch_;  // of the operations: another task may take them out
};

/// A buffer as a trace knows it: a value is named by the task that sent it and by its number.
class BufferRecord {
  public:
    BufferRecord(std::string name, const kit::Lock* lock);
    /// Of the task with this number.
    void stored(std::uint32_t sender);
    /// The oldest.
    void fetched();

  private:
    struct Value {
        std::uint32_t sender;
        std::uint64_t number;
    };
    std::deque<Value> values_;  // those that were recorded
    std::uint64_t count_ = 0;
    kit::RecordedSet set_;
    trace::CausalStamp touch_;  // of the values: their senders may have gone on, or ended
};

}  // namespace fiberscope::lab04
