// Step 4.14: select as in Go (selectgo of runtime/select.go): a task waits for several channels, and performs one
// operation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "labs/04_scheduler/beyond/channels/channel.h"

namespace fiberscope::lab04 {

/// One select of one task. Allocated on the task's stack, and used once. None of its channels changes while all are
/// locked.
class Select {
  public:
    /// `waiting` of the cases is not set yet; cases and channels must outlive the select. A channel may be in several
    /// cases.
    Select(std::span<Operation> cases, Waiting& waiting);
    Select(const Select&) = delete;
    Select& operator=(const Select&) = delete;

    /// Returns the case that was performed, with its outcome: `done` or `closed`. Null if none was: because the task
    /// was cancelled if `may_wait`, otherwise because none was ready. Throws ClosedChannel if the chosen case sends to
    /// a closed channel; std::logic_error if the task would have to wait and is on a shared stack.
    const Operation* run(bool may_wait);

  private:
    // ---- what the student writes ------------------------------------------------------------

    /// Locks every channel of channels_ once, in the order of their numbers, so that two selects cannot deadlock.
    /// Removes duplicates from channels_.
    void lock_all();
    /// Tries the cases in a random order, uniformly distributed, until one need not wait. Returns it; null if all must
    /// wait.
    Operation* try_cases();
    /// Waits in the queues of all cases until one has been claimed or the task is cancelled, then leaves all queues.
    /// Returns the claimed case, or null.
    Operation* wait_for_one();
    /// Locks, tries, waits if necessary and `may_wait`, unlocks. Returns the case that was performed, or null.
    Operation* choose(bool may_wait);

    // ---- what is given ----------------------------------------------------------------------

    /// Releases every channel of channels_.
    void unlock_all();
    /// Returns a uniformly distributed random number from 0 to `n` - 1; reproducible with the virtual clock. Requires
    /// that all channels are locked.
    std::size_t random_below(std::size_t n);
    /// Call ChannelCore's functions at the channel of this case, which must be locked.
    static Outcome try_now(Operation& one);
    void insert_waiter(Operation& one);
    static void remove_waiter(Operation& one);
    /// Parks the running task, which is in the queues; unlocks all channels meanwhile. Returns how it was woken: by the
    /// completion of a case, by cancel(), or spuriously.
    Wake park_in_queues();

    std::string reason() const;

    Waiting& waiting_;
    std::vector<Operation*> cases_;       // in program order
    std::vector<ChannelCore*> channels_;  // of the cases
    std::uint64_t random_ = 0;            // 0: not initialized yet
};

/// A case of select().
template <class T>
struct SendCase {
    Channel<T>& channel;
    T value;
};
template <class T>
struct ReceiveCase {
    Channel<T>& channel;
    std::optional<T>& place;
};
template <class T>
SendCase<T> to(Channel<T>& channel, std::type_identity_t<T> value) {
    return {channel, std::move(value)};
}
/// `place` contains the value afterwards; empty if this case was not chosen, or its channel is closed.
template <class T>
ReceiveCase<T> from(Channel<T>& channel, std::optional<T>& place) {
    return {channel, place};
}

/// Index of the case that was performed; kNone if the task was cancelled, or the default was taken.
struct Selected {
    static constexpr int kNone = -1;
    int index = kNone;
    Outcome outcome = Outcome::cancelled;
};

namespace detail {

template <class T>
Operation operation_of(SendCase<T>& one, Waiting& waiting) {
    return {one.channel, waiting, Direction::send, &one.value};
}
template <class T>
Operation operation_of(ReceiveCase<T>& one, Waiting& waiting) {
    one.place.reset();
    return {one.channel, waiting, Direction::receive, &one.place};
}
template <class... Cases>
Selected run_select(bool may_wait, Cases&... cases) {
    Waiting waiting{running_task()};
    std::array<Operation, sizeof...(Cases)> operations{operation_of(cases, waiting)...};
    const Operation* done = Select(operations, waiting).run(may_wait);
    if (done != nullptr) return {done->number, done->outcome};
    return {Selected::kNone, may_wait ? Outcome::cancelled : Outcome::must_wait};
}

}  // namespace detail

/// Waits until one of the cases can proceed, and performs it: `select(from(jobs, job), to(results, 3))`. Chooses among
/// several ready cases with equal probability. Without cases it waits until it is cancelled, as Go's `select {}` waits
/// forever. Throws as Select::run does, and Misuse outside of tasks.
template <class... Cases>
[[nodiscard]] Selected select(Cases... cases) {
    return detail::run_select(true, cases...);
}
/// The same without waiting (Go's `default`): if no case is ready, `outcome` is must_wait.
template <class... Cases>
[[nodiscard]] Selected select_or_default(Cases... cases) {
    return detail::run_select(false, cases...);
}

}  // namespace fiberscope::lab04
