// Step 4.13: channels as in Go (hchan of runtime/chan.go): tasks pass values to each other, directly or by a buffer.
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

/// The part of a channel that is independent of the value type. For tasks of any scheduler, on any machine. A task that
/// cannot send or receive immediately parks in one of two queues. At any time one of them is empty, except for a select
/// that is in both.
///
/// cancel() ends the wait of a task: it returns `cancelled`, and nothing has been sent or received. A spurious wake()
/// does not: the task keeps its place in the queue and waits on.
class ChannelCore {
  public:
    ChannelCore(const ChannelCore&) = delete;
    ChannelCore& operator=(const ChannelCore&) = delete;

    /// Closes the channel: no more values can be sent, but those in the buffer can be received. Wakes all waiting
    /// tasks: receivers return `closed`, senders throw. Throws ClosedChannel if already closed, where Go panics.
    void close();

    const std::string& name() const noexcept { return name_; }
    /// Maximum number of values in the buffer.
    std::size_t capacity() const noexcept { return capacity_; }
    /// Locking order for select; increases with each channel created.
    std::uint64_t number() const noexcept { return number_; }

  protected:
    ChannelCore(std::string name, std::size_t capacity);
    /// No task may be waiting.
    ~ChannelCore() = default;

    /// Returns `done` or `cancelled`. Throws ClosedChannel; Misuse outside of tasks; std::logic_error if the task would
    /// have to wait and is on a shared stack.
    Outcome send_from(void* value);
    /// Returns `done`, `closed` or `cancelled`. Throws as send_from does, except ClosedChannel.
    Outcome receive_into(void* place);

    // Operations on values, whose type only Channel<T> knows. Must not throw.
    virtual void move_across(void* value, void* place) = 0;
    virtual void move_to_buffer(void* value) = 0;
    virtual void move_from_buffer(void* place) = 0;

  private:
    friend Select;
    friend stackless::Exchange;  // step 4.18

    // ---- what the student writes ------------------------------------------------------------

    /// Removes and returns the first operation in the queue that can be claimed; null if there is none. An operation of
    /// a select that has been claimed at another channel is removed and skipped.
    Operation* claim_first(OperationQueue& queue) KIT_REQUIRES(lock_);
    /// Sends immediately: to a waiting receiver, else into the buffer. Returns `done`, `closed` or `must_wait`.
    Outcome try_send(Operation& self) KIT_REQUIRES(lock_);
    /// Receives the oldest value immediately. Returns `done`, `closed` (if the buffer is empty too) or `must_wait`.
    Outcome try_receive(Operation& self) KIT_REQUIRES(lock_);
    /// Closes the channel and completes all waiting operations.
    void close_for_all() KIT_REQUIRES(lock_);
    /// Queues `self` until it has been claimed or is cancelled. Returns the outcome.
    Outcome wait(Operation& self) KIT_REQUIRES(lock_);

    // ---- what is given ----------------------------------------------------------------------

    /// Claims the wait of this operation; false if another task has already claimed it. After true only the caller may
    /// complete it.
    bool claim(Operation& waiting) KIT_REQUIRES(lock_);
    /// Sets the outcome of a claimed operation and wakes its task.
    void complete(Operation& claimed, Outcome how) KIT_REQUIRES(lock_);
    /// Moves the value of a sender to a receiver.
    void hand_over(Operation& sender, Operation& receiver) KIT_REQUIRES(lock_);
    /// Moves a sender's value to the end of the buffer; moves the oldest value of the buffer to a receiver.
    void store(Operation& sender) KIT_REQUIRES(lock_);
    void fetch(Operation& receiver) KIT_REQUIRES(lock_);
    /// Appends `waiting` to its queue, or removes it from any position (no-op if it is not queued). Recorded. The queue
    /// points to `waiting`, which must be removed before the caller returns.
    void insert_waiter(Operation& waiting) KIT_REQUIRES(lock_);
    void remove_waiter(Operation& waiting) KIT_REQUIRES(lock_);
    /// Parks the running task, which is in the queue. Returns how it was woken: by complete(), by cancel(), or
    /// spuriously.
    Wake park_in_queue(Operation& waiting) KIT_REQUIRES(lock_);

    /// Calls try_send or try_receive. Also stores the outcome in the operation.
    Outcome try_now(Operation& self) KIT_REQUIRES(lock_);
    Outcome run(Operation& self);
    [[noreturn]] void refuse_closed(const char* what) const;
    const std::string& reason_of(Direction direction) const noexcept;
    OperationQueue& queue_of(const Operation& operation) KIT_REQUIRES(lock_);

    const std::string name_;
    const std::size_t capacity_;
    const std::uint64_t number_;
    kit::Lock lock_;                                    // guards the members below
    OperationQueue senders_ KIT_GUARDED_BY(lock_);      // in order of arrival
    OperationQueue receivers_ KIT_GUARDED_BY(lock_);    // in order of arrival
    std::size_t filled_ KIT_GUARDED_BY(lock_) = 0;      // values in the buffer
    bool closed_ KIT_GUARDED_BY(lock_) = false;         // close() was called
    std::uint64_t selects_ KIT_GUARDED_BY(lock_) = 0;   // number of selects begun here, for Select's random numbers
    BufferRecord buffer_record_ KIT_GUARDED_BY(lock_);  // records the buffer
    const std::string reason_to_send_, reason_to_receive_;
};

/// Result of a receive: the value if `outcome` is `done`, else empty.
template <class T>
struct Received : std::optional<T> {
    Outcome outcome = Outcome::closed;
};

/// A channel of values of one type. With `capacity` 0 a sender waits until a receiver has its value, otherwise while
/// the buffer is full. Values are moved; the move must not throw.
template <class T>
class Channel final : public ChannelCore {
    static_assert(std::is_nothrow_move_constructible_v<T>);

  public:
    /// `name`: for traces and messages.
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
