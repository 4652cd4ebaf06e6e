// Step 4.13: channels as in Go (hchan of runtime/chan.go): tasks hand values to each other, at once or by a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "labs/04_scheduler/beyond/channels/channel_parts.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::lab04 {

class Select;
namespace stackless {
struct Exchange;
}

/// What a channel does, whatever its values are. For tasks, of any scheduler and on any machine. A task that cannot
/// send or receive at once parks in one of two queues. At any moment one of them is empty, but for a select that stands
/// in both.
///
/// Cancelling ends the wait of a task: it is told `cancelled`, and nothing has been sent or received. Being woken by
/// others (a wake() that was meant for something else) does not: it waits on, at the same place.
class ChannelCore {
  public:
    ChannelCore(const ChannelCore&) = delete;
    ChannelCore& operator=(const ChannelCore&) = delete;

    /// No value can be sent from now on; what the buffer holds can be received. Every task that waits is woken: a
    /// receiver is told `closed`, a sender throws. Throws ClosedChannel if it is closed already, as Go panics.
    void close();

    const std::string& name() const noexcept { return name_; }
    /// Values that the buffer may hold.
    std::size_t capacity() const noexcept { return capacity_; }
    /// The order in which a select locks: a channel that was made later has a larger one.
    std::uint64_t number() const noexcept { return number_; }

  protected:
    ChannelCore(std::string name, std::size_t capacity);
    /// No task may wait for it any more.
    ~ChannelCore() = default;

    /// `done` or `cancelled`. Throws ClosedChannel; Misuse outside of tasks; std::logic_error if it had to wait and
    /// lies on a shared stack.
    Outcome send_from(void* value);
    /// `done`, `closed` or `cancelled`. Throws as send_from does, but for ClosedChannel.
    Outcome receive_into(void* place);

    // The values, whose type only Channel<T> knows. They must not throw.
    virtual void move_across(void* value, void* place) = 0;
    virtual void move_to_buffer(void* value) = 0;
    virtual void move_from_buffer(void* place) = 0;

  private:
    friend Select;
    friend stackless::Exchange;  // step 4.18

    // ---- what the student writes ------------------------------------------------------------

    /// The first of the queue that could be claimed; it has left the queue. Null if there is none. One that belongs to
    /// a select may have been claimed at another channel: it leaves the queue, and counts for nothing.
    Operation* claim_first(OperationQueue& queue) KIT_REQUIRES(lock_);
    /// Sends at once: to a task that waits to receive, else into the buffer. `done`, `closed` or `must_wait`.
    Outcome try_send(Operation& self) KIT_REQUIRES(lock_);
    /// Receives at once: the oldest value. `done`, `closed` (and nothing is left in the buffer) or `must_wait`.
    Outcome try_receive(Operation& self) KIT_REQUIRES(lock_);
    /// Closes it, and completes all that wait.
    void close_for_all() KIT_REQUIRES(lock_);
    /// `self`, which must wait, stands in its queue until it has been claimed or is cancelled. Returns how it ended.
    Outcome wait(Operation& self) KIT_REQUIRES(lock_);

    // ---- what is given ----------------------------------------------------------------------

    /// False if another one has claimed the wait of this operation before. After true only the caller completes it.
    bool claim(Operation& waiting) KIT_REQUIRES(lock_);
    /// Tells the task of a claimed operation how it ended, and wakes it.
    void complete(Operation& claimed, Outcome how) KIT_REQUIRES(lock_);
    /// Moves the value of a sender to the place of a receiver.
    void hand_over(Operation& sender, Operation& receiver) KIT_REQUIRES(lock_);
    /// The value of a sender to the end of the buffer; and the oldest value out of it, to the place of a receiver.
    void store(Operation& sender) KIT_REQUIRES(lock_);
    void fetch(Operation& receiver) KIT_REQUIRES(lock_);
    /// To the end of its queue; and out of it, from whichever place: nothing happens if it has left already. Both are
    /// recorded. The queue points to `waiting`: it must have left when the caller returns.
    void insert_waiter(Operation& waiting) KIT_REQUIRES(lock_);
    void remove_waiter(Operation& waiting) KIT_REQUIRES(lock_);
    /// The running task, which is in the queue, parks. Says how it was woken: by complete, by a cancel, or for nothing.
    Wake park_in_queue(Operation& waiting) KIT_REQUIRES(lock_);

    /// try_send or try_receive. Keeps the outcome in the operation too.
    Outcome try_now(Operation& self) KIT_REQUIRES(lock_);
    Outcome run(Operation& self);
    [[noreturn]] void refuse_closed(const char* what) const;
    const std::string& reason_of(Direction direction) const noexcept;
    OperationQueue& queue_of(const Operation& operation) KIT_REQUIRES(lock_);

    const std::string name_;
    const std::size_t capacity_;
    const std::uint64_t number_;
    kit::Lock lock_;                                    // of all that stands below
    OperationQueue senders_ KIT_GUARDED_BY(lock_);      // the task that came first stands first
    OperationQueue receivers_ KIT_GUARDED_BY(lock_);    // the same
    std::size_t filled_ KIT_GUARDED_BY(lock_) = 0;      // values in the buffer
    bool closed_ KIT_GUARDED_BY(lock_) = false;         // close() was called
    std::uint64_t selects_ KIT_GUARDED_BY(lock_) = 0;   // how many have begun here: for Select's random numbers
    BufferRecord buffer_record_ KIT_GUARDED_BY(lock_);  // the buffer in a trace
    const std::string reason_to_send_, reason_to_receive_;
};

/// What was received: the value, if `outcome` is `done`; else nothing.
template <class T>
struct Received : std::optional<T> {
    Outcome outcome = Outcome::closed;
};

/// A channel of values of one type. With `capacity` 0 a sender waits until a receiver has its value; else as long as
/// the buffer is full. Values are moved, and must not throw then.
template <class T>
class Channel final : public ChannelCore {
    static_assert(std::is_nothrow_move_constructible_v<T>);

  public:
    /// `name`: in traces and in words.
    explicit Channel(std::string name, std::size_t capacity = 0) : ChannelCore(std::move(name), capacity) {}

    /// See ChannelCore::send_from. The value is moved from only if it was sent.
    [[nodiscard]] Outcome send(T&& value) { return send_from(&value); }
    [[nodiscard]] Outcome send(const T& value) {
        T copy(value);
        return send_from(&copy);
    }
    /// See ChannelCore::receive_into: `while (auto job = jobs.receive()) work_on(*job);`
    [[nodiscard]] Received<T> receive() {
        Received<T> received;
        received.outcome = receive_into(static_cast<std::optional<T>*>(&received));
        return received;
    }

  private:
    void move_across(void* value, void* place) override { place_of(place).emplace(std::move(value_of(value))); }
    void move_to_buffer(void* value) override { buffer_.push_back(std::move(value_of(value))); }
    void move_from_buffer(void* place) override {
        place_of(place).emplace(std::move(buffer_.front()));
        buffer_.pop_front();
    }
    static T& value_of(void* value) noexcept { return *static_cast<T*>(value); }
    static std::optional<T>& place_of(void* place) noexcept { return *static_cast<std::optional<T>*>(place); }

    std::deque<T> buffer_;
};

}  // namespace fiberscope::lab04
