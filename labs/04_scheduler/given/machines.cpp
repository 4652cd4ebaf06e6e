// What lab 04 gives to loops of several machines: the threads, parking, and one machine that waits for all.
#include <algorithm>
#include <utility>

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/trace.h"

namespace fiberscope::lab04 {

namespace {

void record_machine(trace::MachineOp op) {
    if (trace::recording()) trace::record(kit::now(), trace::machine_event(op));
}

/// This thread is a machine as long as this lives.
class Seat {
  public:
    explicit Seat(Machine& machine) : before_(std::exchange(kit::this_thread().scheduler, &machine)) {
        record_machine(trace::MachineOp::start);
    }
    ~Seat() {
        record_machine(trace::MachineOp::stop);
        kit::this_thread().scheduler = before_;
    }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

  private:
    void* before_;
};

}  // namespace

// ---- threads -------------------------------------------------------------------------------------------------------------

// As long as this lives, several machines run them.
class Scheduler::Sharing {
  public:
    Sharing(std::span<Scheduler* const> schedulers, kit::Machines& machines) : schedulers_(schedulers) {
        for (Scheduler* one : schedulers_) {
            one->machines_ = &machines;
            one->shared_ = true;
        }
    }
    ~Sharing() {
        for (Scheduler* one : schedulers_) {
            one->machines_ = nullptr;
            one->shared_ = false;
            one->parked_.clear();
            one->poller_ = kNobody;
            one->count_idle();
        }
    }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

  private:
    std::span<Scheduler* const> schedulers_;
};

void Scheduler::run_on_machines(unsigned machines, const std::function<void(Machine&)>& body) {
    Scheduler* const alone = this;
    run_sharing({&alone, 1}, machines, body);
}

void Scheduler::run_sharing(std::span<Scheduler* const> schedulers, unsigned count,
                            const std::function<void(Machine&)>& body) {
    kit::Machines machines(count, settings_.seed);
    const Sharing sharing(schedulers, machines);
    try {
        machines.run([&](unsigned index) {
            Machine machine{schedulers[index % schedulers.size()], index};
            const Seat seat(machine);
            body(machine);
        });
    } catch (const kit::AllParked&) {
        throw Stuck(describe_stuck(schedulers));
    }
}

// ---- running a task ------------------------------------------------------------------------------------------------------

void Scheduler::resume_on(Machine& machine, Task& task) {
    machine.running = &task;
    task.entered = true;
    task.machine = machine.index;
    kit::Machines::pace();
    backend_->resume(task.core());
    machine.running = nullptr;
}

// What a task took and handed on is released when the task can be found where it waits; the scheduler's own lock is held
// already then.
void Scheduler::resume_unlocked(Held& held, Machine& machine, Task& task) {
    held.unlock();
    resume_on(machine, task);
    kit::Lock* const handed = std::exchange(task.held, nullptr);
    held = handed == &lock_ ? Held(lock_, std::adopt_lock) : Held(lock_);
    insert_shared(task);
    if (handed != nullptr && handed != &lock_) handed->unlock();
    wake_remote_joiners(held);
}

void Scheduler::insert_yielded(Task& task) {
    kit::Lock* const handed = std::exchange(task.held, nullptr);
    Held held = handed == &lock_ ? Held(lock_, std::adopt_lock) : Held(lock_);
    insert_shared(task);
    if (handed != nullptr && handed != &lock_) handed->unlock();
    wake_remote_joiners(held);
}

void Scheduler::insert_shared(Task& task) {
    const State left = task.status();
    task.wakeable = left == State::sleeping || left == State::waiting;
    insert_by_state(task);  // a dead one may be gone
    if (left == State::ready) strategy_->on_ready(*this, task);
    if (left == State::sleeping || left == State::waiting || source_->misses() == EventSource::Misses::all_tasks)
        update_poller();
}

void Scheduler::wake_remote_joiners(Held& held) {
    if (remote_joiners_.empty()) return;
    const std::vector<Handle> joiners = std::exchange(remote_joiners_, {});
    held.unlock();
    for (const Handle& joiner : joiners) lab04::wake(joiner);
    held.lock();
}

// ---- waiting -------------------------------------------------------------------------------------------------------------

void Scheduler::wake_expired(std::uint64_t now) {
    while (Task* task = expired(now)) strategy_->on_deadline(*this, *task);
}

void Scheduler::wake_waiters(std::span<Event> events) {
    const std::uint64_t seen = next_order();
    for (Event& event : events) {
        event.order = seen;
        while (Task* task = waiter(event)) wake_and_notify(*task, Wake::event, Cause::event);
    }
}

void Scheduler::wake_due() {
    wake_expired(look_at_clock());
    if (poller_ == kNobody && wants_events()) wake_waiters(look_for_events());
}

void Scheduler::count_idle() noexcept {
    idle_.store(parked_.size() + (poller_ != kNobody ? 1 : 0), std::memory_order_relaxed);
}

void Scheduler::announce_idle(Machine& machine) {
    parked_.push_back(machine.index);
    count_idle();
}

void Scheduler::cancel_idle(Machine& machine) {
    std::erase(parked_, machine.index);
    count_idle();
}

void Scheduler::wait_for_work(Held& held, Machine& machine) {
    announce_idle(machine);
    park_or_poll(held, machine);
}

void Scheduler::park_or_poll(Held& held, Machine& machine) {
    const std::uint64_t until = first_deadline();
    if (poller_ == kNobody && (until != kNever || source_->expects_any()))
        poll_for_all(held, machine, until);
    else
        park(held, machine);
}

void Scheduler::park(Held& held, Machine& machine) {
    held.unlock();
    record_machine(trace::MachineOp::park);
    machines_->park();
    record_machine(trace::MachineOp::unpark);
    held.lock();
    cancel_idle(machine);
}

void Scheduler::poll_for_all(Held& held, Machine& machine, std::uint64_t until) {
    poller_ = static_cast<int>(machine.index);
    poll_until_ = until;
    cancel_idle(machine);
    held.unlock();
    const std::span<Event> events = wait_for_events(until);
    held.lock();
    poller_ = kNobody;
    count_idle();
    wake_waiters(events);
    wake_expired(look_at_clock());
    update_poller();
}

// Somebody must be there who waits for the first deadline; and he must not wait for longer.
void Scheduler::update_poller() {
    if (poller_ != kNobody) {
        const bool misses_one = wants_events() && source_->misses() != EventSource::Misses::nothing;
        if (misses_one || first_deadline() < poll_until_) unpark(static_cast<unsigned>(poller_));
    } else if (!parked_.empty() && !would_wait_forever()) {
        unpark_one();
    }
}

void Scheduler::unpark_one() {
    if (!parked_.empty()) return unpark(parked_.front());
    if (poller_ != kNobody) unpark(static_cast<unsigned>(poller_));
}

void Scheduler::unpark(unsigned machine) {
    std::erase(parked_, machine);
    count_idle();
    if (static_cast<int>(machine) == poller_) source_->interrupt();
    machines_->unpark(machine);
}

void Scheduler::unpark_all() {
    for (unsigned i = 0; i < machines_->count(); ++i) unpark(i);
}

void Scheduler::throw_if_stuck() {
    Scheduler* const alone = this;
    if (ready_.empty() && would_wait_forever()) throw Stuck(describe_stuck({&alone, 1}));
}

}  // namespace fiberscope::lab04
