// Step 4.14: select as in Go (selectgo of runtime/select.go): a task waits for several channels, and does one thing.
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

/// One select of one task. It stands on the task's stack, and is used once. While all channels of its cases are locked,
/// none of them changes.
class Select {
  public:
    /// Cases without `waiting` set yet; both must live as long as it does. A channel may stand in several cases.
    Select(std::span<Operation> cases, Waiting& waiting);
    Select(const Select&) = delete;
    Select& operator=(const Select&) = delete;

    /// The case that was done, which has its outcome: `done` or `closed`. Null: none. If `may_wait` the task was
    /// cancelled then; else none was ready. Throws ClosedChannel if the one that it has chosen sends to a closed
    /// channel; std::logic_error if it had to wait and lies on a shared stack.
    const Operation* run(bool may_wait);

  private:
    // ---- what the student writes ------------------------------------------------------------

    /// Locks every channel of channels_ once, in the order of their numbers; so two selects never wait for each other's
    /// locks. Leaves channels_ without the ones that stood in it twice.
    void lock_all();
    /// Tries the cases one by one, each order of them being as likely as any other, until one need not wait. Returns
    /// it; null if all must wait.
    Operation* try_cases();
    /// Stands in the queues of all cases at once, until one has been claimed or the task is cancelled. It is in no
    /// queue then. Returns the one that was claimed, or null.
    Operation* wait_for_one();
    /// Locks, tries, waits if it must and `may_wait`, unlocks. Returns the case that was done, or null.
    Operation* choose(bool may_wait);

    // ---- what is given ----------------------------------------------------------------------

    /// Releases every channel of channels_.
    void unlock_all();
    /// A random number from 0 to `n` - 1, all being as likely; under the virtual clock the same in each run. Only while
    /// all are locked.
    std::size_t random_below(std::size_t n);
    /// ChannelCore's, at the channel of this case. Only while it is locked.
    static Outcome try_now(Operation& one);
    void insert_waiter(Operation& one);
    static void remove_waiter(Operation& one);
    /// The running task, which stands in the queues, parks, and all channels are unlocked until it comes back. Says how
    /// it was woken: because a case was completed, by a cancel, or for nothing.
    Wake park_in_queues();

    std::string reason() const;

    Waiting& waiting_;
    std::vector<Operation*> cases_;       // as they stand in the program
    std::vector<ChannelCore*> channels_;  // of the cases
    std::uint64_t random_ = 0;            // 0: not asked yet
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
/// `place` has the value afterwards; nothing if this case was not chosen, or its channel is closed.
template <class T>
ReceiveCase<T> from(Channel<T>& channel, std::optional<T>& place) {
    return {channel, place};
}

/// Which case was done, counted from 0. None: `index` is kNone, the task was cancelled, or the default was taken.
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

/// Waits until one of the cases can be done, and does it: `select(from(jobs, job), to(results, 3))`. Of several that
/// are ready each is as likely. Without cases it waits until it is cancelled, as Go's `select {}` waits forever. Throws
/// as Select::run does, and Misuse outside of tasks.
template <class... Cases>
[[nodiscard]] Selected select(Cases... cases) {
    return detail::run_select(true, cases...);
}
/// The same, and does not wait (Go's `default`): `outcome` is must_wait then.
template <class... Cases>
[[nodiscard]] Selected select_or_default(Cases... cases) {
    return detail::run_select(false, cases...);
}

}  // namespace fiberscope::lab04
