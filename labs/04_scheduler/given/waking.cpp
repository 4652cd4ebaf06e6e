// Given: inserting a task after its turn, waking it, and unparking a machine that may run it.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

void WorkerPool::insert_yielded(Task& task) KIT_UNCHECKED {
    kit::Lock* const handed = std::exchange(machine_here()->handed, nullptr);
    SchedulerLock held(*this, SchedulerLock::Later{});
    take_after_yield(held, handed);
    insert_shared(task);
    if (handed != nullptr && handed != &lock_) handed->unlock();
    wake_remote_joiners(held);
}

void WorkerPool::insert_shared(Task& task) {
    const State as = task.status();
    task.wakeable = as == State::sleeping || as == State::waiting;
    sched_.insert_by_state(task);  // a dead task may be destroyed
    if (as == State::ready) tell_ready(task);
    if (nobody_to_wake()) return;
    if (as == State::sleeping || as == State::waiting || sched_.source().misses() == EventSource::Misses::all_tasks)
        update_poller();
}

Handle WorkerPool::go(Body body, Attributes attributes) {
    Handle handle(sched_.make(sched_.strategy().wrap_body(std::move(body)), std::move(attributes), sched_.backend()));
    sched_.begin(handle.task(), {});
    return handle;
}

// ---- waking --------------------------------------------------------------------------------------------------------

bool WorkerPool::wake_and_tell(Task& task, Wake how, Cause cause) {
    if (sched_.is_shared() && !task.wakeable) return false;
    task.wakeable = false;
    if (!sched_.wake(task, how, cause)) return false;
    tell_ready(task);
    return true;
}

void WorkerPool::wake_to_queue(ReadyQueue& queue, Task& task, Wake how, Cause cause) {
    task.wakeable = false;
    sched_.remove(task, how);
    kit::set_state(task.core(), State::ready, cause);
    queue.push(task);
}

// Always with the virtual clock, so that an explorer sees each wake-up.
bool WorkerPool::nobody_to_wake() const {
    return parked_.empty() && poller_ == kNoMachine && lookers_ == 0 && kit::clock_kind() != kit::ClockKind::virtual_;
}

void WorkerPool::tell_ready(const Task& task) {
    if (strategy_ == nullptr || nobody_to_wake()) return;
    const bool looked_for = lookers_ > 0 && task.pinned == kAnyMachine && strategy_->leaves_all_to_lookers();
    if (looked_for && kit::clock_kind() != kit::ClockKind::virtual_) return;
    strategy_->on_ready(*this, task);
}

void WorkerPool::tell_exit(Task& task) {
    if (strategy_ != nullptr)
        strategy_->on_exit(*this, task);
    else
        release(task);
}

void WorkerPool::wake_joiners(Task& task) {
    if (!task.has_cold_state()) return;
    const auto joining = std::move(task.joining());
    if (joining == nullptr) return;
    for (Handle& joiner : *joining)
        if (joiner.task().sched == &sched_)
            wake_and_tell(joiner.task(), Wake::event, Cause::signal);
        else
            remote_joiners_.push_back(std::move(joiner));
}

void WorkerPool::wake_remote_joiners(SchedulerLock& held) KIT_UNCHECKED {
    if (remote_joiners_.empty()) return;
    const std::vector<Handle> joiners = std::exchange(remote_joiners_, {});
    held.unlock();
    for (const Handle& joiner : joiners) wake(joiner);
    held.lock();
}

void WorkerPool::wake_expired(std::uint64_t now) {
    while (Task* task = sched_.expired(now))
        if (strategy_ != nullptr)
            strategy_->on_deadline(*this, *task);
        else
            wake_and_tell(*task, Wake::timeout, Cause::deadline);
}

void WorkerPool::wake_waiters(std::span<Event> events) {
    const std::uint64_t seen = sched_.next_order();
    for (Event& event : events) {
        event.order = seen;
        while (Task* task = sched_.waiter(event)) wake_and_tell(*task, Wake::event, Cause::event);
    }
}

void WorkerPool::wake_due() {
    wake_expired(sched_.look_at_clock());
    if (poller_ == kNoMachine && poll_ == PollState::idle && sched_.wants_events()) look();
}

// No lock is held during a system call: polls first, then applies the result with the lock held.
void WorkerPool::look() KIT_UNCHECKED {
    if (sched_.is_shared() && kit::clock_kind() != kit::ClockKind::virtual_) {
        poll_ = PollState::polling;
        unlock_and_unpark();
        sched_.source().look_ahead();
        lock_.lock();
        if (std::exchange(poll_, PollState::idle) == PollState::contended) unpark_one();
    }
    wake_waiters(sched_.ask_source(0));
}

// ---- machines -------------------------------------------------------------------------------------------------------

void WorkerPool::unpark_one() {
    if (lookers_ > 0) return;
    if (!parked_.empty()) return unpark(parked_.front());
    if (poller_ != kNoMachine) unpark(static_cast<unsigned>(poller_));
}

void WorkerPool::unpark(unsigned machine) {
    std::erase(parked_, machine);
    count_idle();
    if (static_cast<int>(machine) == poller_) {
        if (std::exchange(poller_called_, true)) return;
        to_end_wait_ = true;
    }
    ++wakes_;
    // With the virtual clock only one machine runs, and a wake-up costs nothing: done immediately, so that an explorer
    // sees it here.
    if (kit::clock_kind() == kit::ClockKind::virtual_) {
        if (std::exchange(to_end_wait_, false)) sched_.source().end_wait();
        return machines_->unpark(machine);
    }
    to_unpark_.push_back(machine);
    calls_ = true;
}

void WorkerPool::unpark_all() {
    for (unsigned i = 0; i < machines_->count(); ++i) unpark(i);
}

}  // namespace fiberscope::lab04
