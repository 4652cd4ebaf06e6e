// What lab 04 gives to loops of several machines: the threads, parking, and one machine that waits for all.
#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/parts/shared_strategy.h"
#include "labs/04_scheduler/parts/turns.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "labs/kit/run/trace.h"

namespace fiberscope::lab04 {

namespace {

void record_machine(trace::MachineOp op) {
    if (trace::recording()) trace::record(kit::now(), trace::machine_event(op));
}

/// This thread is a machine as long as this lives.
class ThreadBinding {
  public:
    explicit ThreadBinding(Machine& machine) : before_(std::exchange(kit::this_thread().scheduler, &machine)) {
        record_machine(trace::MachineOp::start);
    }
    ~ThreadBinding() {
        record_machine(trace::MachineOp::stop);
        kit::this_thread().scheduler = before_;
    }
    ThreadBinding(const ThreadBinding&) = delete;
    ThreadBinding& operator=(const ThreadBinding&) = delete;

  private:
    void* before_;
};

}  // namespace

// ---- the lock ------------------------------------------------------------------------------------------------------

WorkerPool::WorkerPool(Scheduler& sched, Strategy& strategy) noexcept
    : sched_(sched), strategy_(dynamic_cast<SharedStrategy*>(&strategy)) {}

SchedulerLock::SchedulerLock(WorkerPool& loop) : loop_(loop.has_several_threads() ? &loop : nullptr) { lock(); }
SchedulerLock::~SchedulerLock() {
    if (owned_) unlock();
}
void WorkerPool::make_calls() {
    const std::vector<unsigned> calls = std::exchange(to_unpark_, {});
    const bool interrupts = std::exchange(to_interrupt_, false);
    const bool source_called = std::exchange(source_called_, false);
    calls_ = false;
    const std::shared_ptr<kit::Machines> machines = machines_;
    lock_.unlock();
    if (interrupts) sched_.source().interrupt();
    for (const unsigned machine : calls) machines->unpark(machine);
    if (source_called) sched_.source().unlocked(*this);
}

void WorkerPool::guard_sets(const kit::Lock* lock, bool several) {
    sched_.ready().guarded_by(lock);
    sched_.sleeping().guarded_by(lock);
    sched_.waiting().guarded_by(lock);
    if (lock == nullptr || kit::explorer() == nullptr) return;
    const std::string of = several ? " of scheduler " + std::to_string(sched_.machine()) : std::string();
    kit::name_object(lock, (several ? "the lock" + of : "the scheduler's lock"));
    kit::name_object(&idle_, "the number of idle machines" + of);
    kit::name_object(&sched_.parts_->alive, "the number of tasks" + of);
}

// ---- threads -------------------------------------------------------------------------------------------------------

// As long as this lives, several machines run them.
class WorkerPool::Sharing {
  public:
    Sharing(std::span<Scheduler* const> schedulers, const std::shared_ptr<kit::Machines>& machines) KIT_UNCHECKED
        : schedulers_(schedulers) {
        for (Scheduler* one : schedulers_) {
            const kit::Guard guard(one->shared().lock_);
            one->shared().machines_ = machines;
            one->is_shared_ = true;
            one->shared().guard_sets(&one->shared().lock_, schedulers_.size() > 1);
            one->source().shared_by(machines->count() > 1 ? &one->shared() : nullptr);
        }
    }
    ~Sharing() KIT_UNCHECKED {  // the other machines have ended
        for (Scheduler* one : schedulers_) {
            WorkerPool& loop = one->shared();
            const kit::Guard guard(loop.lock_);
            loop.machines_.reset();
            one->is_shared_ = false;
            loop.guard_sets(nullptr, false);
            loop.parked_.clear();
            loop.to_unpark_.clear();
            loop.calls_ = loop.source_called_ = false;
            one->source().shared_by(nullptr);
            loop.lookers_ = 0;
            loop.running_ = 0;
            loop.poller_ = kNoMachine;
            loop.looks_ = Looks::no;
            loop.poller_called_ = false;
            loop.count_idle();
        }
    }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

  private:
    std::span<Scheduler* const> schedulers_;
};

void WorkerPool::run_on_machines(unsigned machines, const std::function<void(Machine&)>& body) {
    Scheduler* const alone = &sched_;
    run_on_machines({&alone, 1}, machines, body);
}

void WorkerPool::run_on_machines(std::span<Scheduler* const> schedulers, unsigned count,
                                 const std::function<void(Machine&)>& body) {
    const auto machines = std::make_shared<kit::Machines>(count, settings().seed);
    const Sharing sharing(schedulers, machines);
    const kit::Watch watch = watch_over(schedulers);
    machines->watch(&watch);
    try {
        machines->run([&](unsigned index) {
            Machine machine{schedulers[index % schedulers.size()], index};
            const ThreadBinding binding(machine);
            body(machine);
        });
    } catch (const kit::AllParked&) {
        throw Stuck(Scheduler::describe_stuck(schedulers));
    }
}

// Asked by an explorer while no machine runs.
kit::Watch WorkerPool::watch_over(std::span<Scheduler* const> schedulers) const {
    return {[this, schedulers](unsigned machine) {
                WorkerPool& loop = schedulers[machine % schedulers.size()]->shared();
                return strategy_ == nullptr ? std::string() : strategy_->work_for(loop, machine);
            },
            [schedulers] {
                std::uint64_t first = kNever;
                for (Scheduler* one : schedulers) first = std::min(first, one->shared().first_deadline());
                return first;
            }};
}

std::unique_ptr<Scheduler> WorkerPool::another(unsigned machine, EventSource& source) {
    return std::unique_ptr<Scheduler>(new Scheduler(sched_, machine, source));
}

void WorkerPool::adopt_failures(Scheduler& other) {
    std::ranges::move(std::exchange(other.parts_->failures, {}), std::back_inserter(sched_.parts_->failures));
}

// ---- running a task ------------------------------------------------------------------------------------------------

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
    sched_.insert_by_state(task);  // a dead one may be gone
    if (as == State::ready) tell_ready(task);
    if (nobody_to_wake()) return;
    if (as == State::sleeping || as == State::waiting || sched_.source().misses() == EventSource::Misses::all_tasks)
        update_poller();
}

Handle WorkerPool::go(Body body, Attributes attributes) {
    Handle handle(sched_.make(sched_.strategy().wrap_body(std::move(body)), std::move(attributes)));
    sched_.begin(handle.task(), {});
    return handle;
}

// ---- waking --------------------------------------------------------------------------------------------------------

bool WorkerPool::wake_and_notify(Task& task, Wake how, Cause cause) {
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

// Under the virtual clock always, so that an explorer sees each wake-up.
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
    if (!task.has_seldom()) return;
    const auto joining = std::move(task.joining());
    if (joining == nullptr) return;
    for (Handle& joiner : *joining)
        if (joiner.task().sched == &sched_)
            wake_and_notify(joiner.task(), Wake::event, Cause::signal);
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
            wake_and_notify(*task, Wake::timeout, Cause::deadline);
}

void WorkerPool::wake_waiters(std::span<Event> events) {
    const std::uint64_t seen = sched_.next_order();
    for (Event& event : events) {
        event.order = seen;
        while (Task* task = sched_.waiter(event)) wake_and_notify(*task, Wake::event, Cause::event);
    }
}

void WorkerPool::wake_due() {
    wake_expired(sched_.look_at_clock());
    if (poller_ == kNoMachine && looks_ == Looks::no && sched_.wants_events()) look();
}

// No lock is held over a system call: the kernel is asked first, and its answer applied with the lock.
void WorkerPool::look() KIT_UNCHECKED {
    if (sched_.is_shared() && kit::clock_kind() != kit::ClockKind::virtual_) {
        looks_ = Looks::yes;
        unlock_and_unpark();
        sched_.source().look_ahead();
        lock_.lock();
        if (std::exchange(looks_, Looks::no) == Looks::in_the_way) unpark_one();
    }
    wake_waiters(sched_.ask_source(0));
}

// ---- waiting -------------------------------------------------------------------------------------------------------

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

void WorkerPool::wait_for_work(SchedulerLock& held, Machine& machine) {
    announce_idle(machine);
    park_or_poll(held, machine);
}

void WorkerPool::park_or_poll(SchedulerLock& held, Machine& machine) {
    const std::uint64_t until = first_deadline();
    if (would_wait_forever() && may_look_around() && look_around(held, machine)) return;
    if (looks_ != Looks::no) looks_ = Looks::in_the_way;  // two cannot ask at once: called when it has looked
    if (poller_ == kNoMachine && looks_ == Looks::no && (until != kNever || sched_.source().expects_any()))
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

// A machine must wait for the first deadline, and not for longer.
void WorkerPool::update_poller() {
    if (poller_ != kNoMachine) {
        const bool misses_one = sched_.wants_events() && sched_.source().misses() != EventSource::Misses::nothing;
        if (misses_one || first_deadline() < poll_until_) unpark(static_cast<unsigned>(poller_));
    } else if (!parked_.empty() && !would_wait_forever()) {
        unpark_one();
    }
}

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
        to_interrupt_ = true;
    }
    ++wakes_;
    // Under the virtual clock only one machine runs, and a wake-up costs nothing: at once, so that an explorer sees it
    // here.
    if (kit::clock_kind() == kit::ClockKind::virtual_) {
        if (std::exchange(to_interrupt_, false)) sched_.source().interrupt();
        return machines_->unpark(machine);
    }
    to_unpark_.push_back(machine);
    calls_ = true;
}

void WorkerPool::unpark_all() {
    for (unsigned i = 0; i < machines_->count(); ++i) unpark(i);
}

void WorkerPool::throw_if_stuck() {
    if (sched_.ready().empty() && would_wait_forever()) sched_.throw_stuck();
}

}  // namespace fiberscope::lab04
