// Given: a machine that finds no work spins for a while before it waits, and does not take tasks that are too short to
// be shared. Not used with the virtual clock, where a wake-up costs nothing.
#include <algorithm>
#include <atomic>
#include <utility>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

namespace {

/// Number of checks before a machine waits, and their distance: less than the cost of waking it.
constexpr int kLooks = 20;
constexpr std::uint64_t kBetweenLooks = 2'000;  // ns
/// Handing a task to another processor costs several cache misses for the lock, the task and its stack. A shorter task
/// is finished sooner by the machine that has it.
constexpr std::uint64_t kWorthSharing = 500;                                 // ns
constexpr std::uint64_t kShortestPause = 50'000, kLongestPause = 2'000'000;  // ns

bool real_time() noexcept { return kit::clock_kind() != kit::ClockKind::virtual_; }

void spin_until(std::uint64_t until) noexcept {
    while (kit::now() < until)
        for (int i = 0; i < 16; ++i) kit::pause_processor();
}

}  // namespace

void StealThrottle::begin_sample() noexcept {
    if (real_time()) since_ = kit::now();
}

// Worthwhile if a quarter of the turns are long: a task that creates a thousand short ones is itself long.
void StealThrottle::end_sample() noexcept {
    until_sample_ = distance_;
    if (!real_time()) return;
    const std::uint64_t now = kit::now();
    if (kit::minus(now, since_) >= kWorthSharing) ++long_ones_;
    if (++samples_ < kSamples) return;
    samples_ = 0;
    until_sample_ = distance_ = kDistance;
    const bool worth = std::exchange(long_ones_, 0) * 4 >= kSamples;
    pause_ = worth ? 0 : std::clamp(2 * pause_, kShortestPause, kLongestPause);
    not_before_ = worth ? 0 : now + pause_;
}

bool StealThrottle::pause_is_over() const noexcept { return kit::now() >= not_before_; }

bool SharedStrategy::has_work(WorkerPool&, const Machine&) { return true; }

bool WorkerPool::may_look_around() const {
    return real_time() && strategy_ != nullptr && !settings().wake_always && machines_->count() > 1 && lookers_ == 0;
}

bool WorkerPool::look_around(SchedulerLock& held, Machine& machine) KIT_UNCHECKED {
    cancel_idle(machine);
    ++lookers_;
    bool found = false;
    for (int looks = 0; looks < kLooks && !found && first_deadline() == kNever; ++looks) {
        held.unlock();
        spin_until(kit::now() + kBetweenLooks);
        held.lock();
        found = strategy_->has_work(*this, machine);
    }
    if (!found && !machine.throttle.worth()) found = rest(held, machine) || strategy_->has_work(*this, machine);
    --lookers_;
    if (found) return true;
    announce_idle(machine);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    found = strategy_->has_work(*this, machine);
    if (found) cancel_idle(machine);
    return found;
}

bool WorkerPool::rest(SchedulerLock& held, Machine& machine) KIT_UNCHECKED {
    const std::uint64_t until = std::min(machine.throttle.not_before(), first_deadline());
    kit::Machines& machines = *machines_;
    held.unlock();
    const bool called = machines.park(until);
    held.lock();
    machine.throttle.try_again();
    return called;
}

void WorkerPool::step_aside(SchedulerLock& held, Machine& machine) {
    if (machine.throttle.worth() || settings().wake_always) return;
    if (strategy_ == nullptr || strategy_->has_work(*this, machine)) return;
    ++lookers_;
    rest(held, machine);
    --lookers_;
}

}  // namespace fiberscope::lab04
