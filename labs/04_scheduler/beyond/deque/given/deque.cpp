// Given for the deques of step 4.19: their memory, their recording, and the machines.
#include "labs/04_scheduler/beyond/deque/deque.h"
#include "labs/kit/run/trace.h"

#include <algorithm>
#include <new>
#include <string>

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kDeque[] = {
    {"program", "", "4.19", "beyond/deque/exercise/deque.cpp"},
    {"taken", "runnable", "4.19", "beyond/deque/exercise/deque.cpp", "Task* GoDeques::next("},
    {"taken", "ready", "4.19", "beyond/deque/exercise/deque.cpp", "Task* GoDeques::next(", "take_global("},
    {"stolen", "runnable", "4.19", "beyond/deque/exercise/deque.cpp", "Task* GoDeques::next(", "steal_from_others("},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_deque(
    {.name = "deque",
     .make = [](const Settings& settings) -> std::unique_ptr<Strategy> {
         return std::make_unique<GoDeques>(settings.machines);
     },
     .machines = true,
     .rule = mark("each machine takes from its own deque, and steals from the other end of another one"),
     .code = kDeque});
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
    set_.belongs_to(machine, kit::set_name("runnable of machine {0}", machine));
    kit::name_object(&top_, message("the top of machine {0}", machine));
    kit::name_object(&bottom_, message("the bottom of machine {0}", machine));
    kit::name_object(&ring_, message("the ring of machine {0}", machine));
}

// Recording is not part of these functions: it would make each call save more registers, and the seq_cst store in pop
// waits for all earlier stores.
void Deque::insert(Task& g) {
    if (trace::recording()) [[unlikely]]
        return insert_recorded(g);
    push(g);
}
void Deque::insert_recorded(Task& g) {
    set_.inserted(kit::item_of(g));
    try {
        push(g);
    } catch (...) {
        record_removal(g);
        throw;
    }
}
void Deque::record_removal(Task& g) { set_.removed(kit::item_of(g)); }
Task* Deque::leaves(Task* g) {
    if (g != nullptr && trace::recording()) [[unlikely]]
        record_removal(*g);
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

GoDeque::GoDeque(unsigned machine) : LocalQueue(machine, kit::set_name("runnable of machine {0}", machine)) {
    gs.belongs_to(machine);
    runnable.kept([this] { return gs.size(); });
}

GoDeques::GoDeques(unsigned machines) : GoScheduler(machines, NoQueues{}) {
    for (unsigned i = 0; i < machines; ++i) {
        own_.push_back(std::make_unique<GoDeque>(i));
        set_local(i, *own_.back());
    }
}

bool GoDeques::inserted(unsigned machine, Task& g) {
    try {
        own(machine).gs.insert(g);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void GoDeques::insert(const Machine& machine, Task& g) {
    if (inserted(machine.index, g)) return;
    const SchedulerLock held(machine.sched->shared());
    machine.sched->ready().push(g);
}

Task* GoDeques::take_global(WorkerPool& sched) {
    const SchedulerLock held(sched);
    sched.wake_due();
    return sched.ready().pop();
}

void GoDeques::give_back(Scheduler& scheduler) {
    for (const auto& one : own_)
        while (Task* g = one->gs.take_oldest()) scheduler.ready().push(*g);
}

// Only Gs created by a G go to a deque: by the thread that owns it.
void GoDeques::make_new_ready_shared(WorkerPool& sched, Task& g) {
    const Machine* const here = machine_here();
    if (!sched.scheduler().is_shared() || here == nullptr || here->sched != &sched.scheduler())
        return GoScheduler::make_new_ready_shared(sched, g);
    kit::set_state(g.core(), State::ready, Cause::spawned);
    if (!inserted(here->index, g)) sched.ready().push(g);
}

std::string GoDeques::work_for(WorkerPool& sched, unsigned machine) {
    if (const std::string global = SharedStrategy::work_for(sched, machine); !global.empty()) return global;
    for (unsigned i = 0; i < machines(); ++i) {
        const std::size_t count = own(i).gs.size_seen_by_all();
        if (count >= (i == machine ? 1U : 2U))
            return message("{0} Gs are runnable in the deque of machine {1}", count, i);
    }
    return {};
}

}  // namespace fiberscope::lab04
