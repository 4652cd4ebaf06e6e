// Given for the M:G scheduler: its threads, the placement of new Gs, and the recording of steals and deferred calls.
#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/run/trace.h"

#include <stdexcept>
#include <utility>

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kGo[] = {
    {"program", "", "4.8", "exercise/go_machine.cpp"},
    {"taken", "runnable", "4.8", "exercise/go_machine.cpp", "Task* GoScheduler::next(", "pop_local("},
    {"taken", "ready", "4.8", "exercise/go_machine.cpp", "Task* GoScheduler::next(", "pop_global("},
    {"stolen", "runnable", "4.8", "exercise/go_steal.cpp", "Task* GoScheduler::steal(", "return mine.runnable.pop()"},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_go(
    {.name = "go",
     .make = [](const Settings& settings) -> std::unique_ptr<Strategy> {
         return std::make_unique<GoScheduler>(settings.machines);
     },
     .machines = true,
     .rule = mark(
         "each machine takes from its own queue, sometimes first from the global one, and steals when both are empty"),
     .code = kGo});
}

LocalQueue::LocalQueue(unsigned machine, const std::string& set) : runnable("runnable") {
    runnable.belongs_to(machine, set);
    runnable.guarded_by(&lock);
    runnable.name_length(message("the length of queue {0}", machine));
    kit::name_object(&lock, message("the lock of queue {0}", machine));
}

GoScheduler::GoScheduler(unsigned machines) : local_(machines) {
    for (unsigned i = 0; i < machines; ++i) {
        own_.push_back(std::make_unique<LocalQueue>(i, kit::set_name("runnable of machine {0}", i)));
        set_local(i, *own_.back());
    }
}

Scheduler& GoScheduler::select_scheduler(Scheduler& here, int pinned) {
    if (pinned != kAnyMachine) throw std::invalid_argument("the M:G scheduler does not support pinned Gs");
    return here;
}

Body GoScheduler::wrap_body(Body body) {
    return [body = std::move(body)] {
        Task& g = running_task();
        g.defers = true;
        run_with_deferred(g, body);
    };
}

void GoScheduler::make_new_ready_shared(WorkerPool& sched, Task& g) {
    const Machine* here = machine_here();
    const bool outside = here == nullptr || here->sched != &sched.scheduler();
    if (!sched.scheduler().is_shared() && root_ == nullptr) {
        kit::set_state(g.core(), State::ready, Cause::spawned);
        root_ = &g;
    } else if (!sched.scheduler().is_shared() || outside) {
        sched.scheduler().make_ready(g, Cause::spawned);
    } else {
        kit::set_state(g.core(), State::ready, Cause::spawned);
        LocalQueue& mine = local(here->index);
        const kit::Guard guard(mine.lock);
        mine.runnable.push(g);
    }
}

void GoScheduler::on_ready(WorkerPool& sched, const Task&) {
    if (sched.scheduler().is_shared() && sched.idle() > 0) sched.unpark_one();
}

std::string GoScheduler::work_for(WorkerPool& sched, unsigned machine) {
    if (const std::string global = SharedStrategy::work_for(sched, machine); !global.empty()) return global;
    for (unsigned i = 0; i < machines(); ++i) {
        const std::size_t length = local(i).runnable.size();
        if (length >= (i == machine ? 1U : 2U))
            return message("{0} Gs are runnable in the queue of machine {1}", length, i);
    }
    return {};
}

bool GoScheduler::has_work(WorkerPool& sched, const Machine& machine) {
    return sched.alive() == 0 || any_work(sched, machine);
}

void GoScheduler::run(Scheduler& scheduler) {
    WorkerPool& sched = scheduler.shared();
    const auto at_the_end = [&](GoScheduler* self) { self->give_back(scheduler); };
    const std::unique_ptr<GoScheduler, decltype(at_the_end)> ends(this, at_the_end);
    sched.run_on_machines(sched.settings().machines, [&](Machine& machine) {
        loop(sched, machine);
        const SchedulerLock held(sched);
        sched.unpark_all();
    });
}

void GoScheduler::give_back(Scheduler& scheduler) {
    for (unsigned i = 0; i < machines(); ++i)
        while (Task* g = local(i).runnable.pop()) scheduler.ready().push(*g);
}

// ---- recording ------------------------------------------------------------------------------------------------------

void record_steal(unsigned victim, std::size_t count) {
    if (!trace::recording()) return;
    const auto event = trace::machine_event(trace::MachineOp::steal, victim, static_cast<std::int64_t>(count));
    trace::record(kit::now(), event);
}

namespace {
void record_defer(Task& g, trace::DeferOp op) {
    if (!trace::recording()) return;
    trace::record(kit::now(), trace::defer_event(g.core().id(), op, static_cast<std::int64_t>(g.deferred().size())));
}
}  // namespace

void defer(std::function<void()> call) {
    Task& self = running_task();
    if (!self.defers) throw std::logic_error("only a G of the M:G scheduler can defer a call");
    self.deferred().push_back(std::move(call));
    record_defer(self, trace::DeferOp::push);
}

std::function<void()> pop_deferred(Task& g) {
    record_defer(g, trace::DeferOp::run);
    std::function<void()> call = std::move(g.deferred().back());
    g.deferred().pop_back();
    return call;
}

}  // namespace fiberscope::lab04
