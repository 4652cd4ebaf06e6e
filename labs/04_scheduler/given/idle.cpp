// Given: a machine that finds no task parks, or waits for events on behalf of all.
#include <cstdint>
#include <span>
#include <vector>

#include "labs/04_scheduler/given/record_machine.h"
#include "labs/04_scheduler/machines.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

std::uint64_t WorkerPool::first_deadline() const noexcept {
    const Task* first = sched_.sleeping().first();
    return first == nullptr ? kNever : first->deadline;
}

bool WorkerPool::would_wait_forever() const { return first_deadline() == kNever && !sched_.source().expects_any(); }

void WorkerPool::count_idle() {
    idle_.store(parked_.size() + (poller_ != kNoMachine ? 1 : 0), std::memory_order_relaxed);
}

void WorkerPool::announce_idle(Machine& machine) {
    parked_.push_back(machine.index);
    count_idle();
}

void WorkerPool::cancel_idle(Machine& machine) {
    std::erase(parked_, machine.index);
    count_idle();
}

int WorkerPool::take_parked() {
    if (parked_.empty()) return kNoMachine;
    const unsigned first = parked_.front();
    parked_.pop_front();
    count_idle();
    return static_cast<int>(first);
}

void WorkerPool::wait_for_work(SchedulerLock& held, Machine& machine) {
    announce_idle(machine);
    park_or_poll(held, machine);
}

void WorkerPool::park_or_poll(SchedulerLock& held, Machine& machine) {
    const std::uint64_t until = first_deadline();
    if (would_wait_forever() && may_look_around() && look_around(held, machine)) return;
    if (poll_ != PollState::idle) poll_ = PollState::contended;  // only one may poll: unparked after the current poll
    if (poller_ == kNoMachine && poll_ == PollState::idle && (until != kNever || sched_.source().expects_any()))
        poll_for_all(held, machine, until);
    else
        park(held, machine);
}

void WorkerPool::park(SchedulerLock& held, Machine& machine) KIT_UNCHECKED {
    kit::Machines& machines = *machines_;
    held.unlock();
    record_machine(trace::MachineOp::park);
    machines.park();
    record_machine(trace::MachineOp::unpark);
    held.lock();
    cancel_idle(machine);
}

void WorkerPool::poll_for_all(SchedulerLock& held, Machine& machine, std::uint64_t until) KIT_UNCHECKED {
    poller_ = static_cast<int>(machine.index);
    poll_until_ = until;
    cancel_idle(machine);
    held.unlock();
    const std::span<Event> events = sched_.ask_source(until);
    held.lock();
    poller_ = kNoMachine;
    poller_called_ = false;
    count_idle();
    wake_waiters(events);
    wake_expired(sched_.look_at_clock());
    update_poller();
}

// A machine must wait for the first deadline, and no longer.
void WorkerPool::update_poller() {
    if (poller_ != kNoMachine) {
        const bool misses_one = sched_.wants_events() && sched_.source().misses() != EventSource::Misses::nothing;
        if (misses_one || first_deadline() < poll_until_) unpark(static_cast<unsigned>(poller_));
    } else if (!parked_.empty() && !would_wait_forever()) {
        unpark_one();
    }
}

void WorkerPool::throw_if_stuck() {
    if (sched_.ready().empty() && would_wait_forever()) sched_.throw_stuck();
}

}  // namespace fiberscope::lab04
