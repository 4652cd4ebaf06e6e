// What lab 04 gives to the deques of step 4.19: their memory, the recording, and the machines that have them.
#include "labs/04_scheduler/beyond/deque.h"

#include <algorithm>
#include <string>

namespace fiberscope::lab04 {

extern "C" {
KnownStrategy fiberscope_strategy_deque("deque", [](const Settings& settings) -> std::unique_ptr<Strategy> {
    return std::make_unique<GoDeques>(settings.machines);
});
}

// ---- a deque --------------------------------------------------------------------------------------------------------

Ring::Ring(std::size_t capacity) : mask_(capacity - 1), slots_(std::make_unique<kit::Atomic<Task*>[]>(capacity)) {}

Deque::Deque(std::size_t capacity) {
    ring_.store(&add_ring(capacity), std::memory_order_relaxed);
    set_.needs_no_lock();
}

Ring& Deque::add_ring(std::size_t capacity) {
    rings_.push_back(std::make_unique<Ring>(capacity));
    return *rings_.back();
}

void Deque::belongs_to(unsigned machine) {
    const std::string of = " of machine " + std::to_string(machine);
    set_.belongs_to(machine, "runnable" + of);
    kit::name_object(&top_, "the top" + of);
    kit::name_object(&bottom_, "the bottom" + of);
    kit::name_object(&ring_, "the ring" + of);
}

void Deque::insert(Task& g) {
    if (trace::recording()) set_.inserted(kit::item_of(g));
    try {
        push(g);
    } catch (...) {
        leaves(&g);
        throw;
    }
}
Task* Deque::leaves(Task* g) {
    if (g != nullptr && trace::recording()) set_.removed(kit::item_of(*g));
    return g;
}
Task* Deque::take_newest() { return leaves(pop()); }
Task* Deque::take_oldest() { return leaves(steal()); }

std::size_t Deque::size() const {
    const Position top = top_.load(std::memory_order_relaxed), bottom = bottom_.load(std::memory_order_relaxed);
    return static_cast<std::size_t>(std::max<Position>(bottom - top, 0));
}
std::size_t Deque::size_seen_by_all() const noexcept {
    return static_cast<std::size_t>(std::max<Position>(bottom_.seen_by_all() - top_.seen_by_all(), 0));
}

// ---- the machines ---------------------------------------------------------------------------------------------------

GoDeques::GoDeques(unsigned machines) : GoScheduler(machines, NoQueues{}) {
    for (unsigned i = 0; i < machines; ++i) {
        own_.push_back(std::make_unique<Own>());
        own_.back()->gs.belongs_to(i);
    }
}

Task* GoDeques::take_global(WorkerPool& sched) {
    const SchedulerLock held(sched);
    sched.wake_due();
    return sched.ready().pop();
}

Task* GoDeques::take_from_others(const Machine& thief) {
    for (unsigned i = 1; i < machines(); ++i) {
        const unsigned victim = (thief.index + i) % machines();
        Deque& theirs = own(victim).gs;
        Task* const g = theirs.size() < 2 ? nullptr : theirs.take_oldest();
        if (g == nullptr) continue;
        record_steal(victim, 1);
        return g;
    }
    return nullptr;
}

void GoDeques::resume(WorkerPool& sched, Machine& machine, Task& g) {
    g.last_run() = kit::now();
    sched.resume_on(machine, g);
    own(machine.index).yielded = g.status() == State::ready;
    if (own(machine.index).yielded)
        push_local(sched, machine, g);
    else
        sched.insert_yielded(g);
}

void GoDeques::push_local(WorkerPool& sched, const Machine& machine, Task& g) {
    Deque& mine = own(machine.index).gs;
    mine.insert(g);
    kit::atomic_thread_fence(std::memory_order_seq_cst);
    if (mine.size() < 2 || sched.idle() == 0) return;
    const SchedulerLock held(sched);
    sched.unpark_one();
}

bool GoDeques::any_work(WorkerPool& sched, const Machine& machine) {
    if (!sched.ready().empty() || own(machine.index).gs.size() > 0) return true;
    if (!WorkerPool::worth_helping(machine)) return false;
    for (unsigned i = 0; i < machines(); ++i)
        if (own(i).gs.size() >= 2) return true;
    return false;
}

void GoDeques::park(WorkerPool& sched, Machine& machine) {
    SchedulerLock held(sched);
    sched.announce_idle(machine);
    kit::atomic_thread_fence(std::memory_order_seq_cst);
    if (any_work(sched, machine) || sched.alive() == 0)
        sched.cancel_idle(machine);
    else
        sched.park_or_poll(held, machine);
}

void GoDeques::run(Scheduler& scheduler) {
    WorkerPool& sched = scheduler.shared();
    const auto at_the_end = [&](GoDeques* self) { self->give_back(scheduler); };
    const std::unique_ptr<GoDeques, decltype(at_the_end)> ends(this, at_the_end);
    sched.run_on_machines(machines(), [&](Machine& machine) {
        run_machine(sched, machine);
        const SchedulerLock held(sched);
        sched.unpark_all();
    });
}

void GoDeques::run_machine(WorkerPool& sched, Machine& machine) {
    if (machine.index == 0)
        if (Task* root = take_root()) push_local(sched, machine, *root);
    while (sched.alive() > 0)
        if (Task* g = next(sched, machine))
            resume(sched, machine, *g);
        else
            park(sched, machine);
}

void GoDeques::give_back(Scheduler& scheduler) {
    for (const auto& one : own_)
        while (Task* g = one->gs.take_oldest()) scheduler.ready().push(*g);
}

bool GoDeques::has_work(WorkerPool& sched, const Machine& machine) {
    return sched.alive() == 0 || any_work(sched, machine);
}

// Only what a G begins goes to a deque: by the thread that owns it.
void GoDeques::make_new_ready_shared(WorkerPool& sched, Task& g) {
    const Machine* const here = machine_here();
    if (!sched.scheduler().is_shared() || here == nullptr || here->sched != &sched.scheduler())
        return GoScheduler::make_new_ready_shared(sched, g);
    kit::set_state(g.core(), State::ready, Cause::spawned);
    own(here->index).gs.insert(g);
}

std::string GoDeques::work_for(WorkerPool& sched, unsigned machine) {
    if (const std::string global = SharedStrategy::work_for(sched, machine); !global.empty()) return global;
    for (unsigned i = 0; i < machines(); ++i) {
        const std::size_t count = own(i).gs.size_seen_by_all();
        if (count >= (i == machine ? 1U : 2U))
            return std::to_string(count) + " Gs are runnable in the deque of machine " + std::to_string(i);
    }
    return {};
}

}  // namespace fiberscope::lab04
