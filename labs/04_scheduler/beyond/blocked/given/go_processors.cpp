// Given for the M:G scheduler with Ps: its threads, machines without a P, the monitor's sleep, and the wrapper of a
// blocking call.
#include "labs/04_scheduler/beyond/blocked/go_processors.h"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "labs/04_scheduler/given/record_machine.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kGoP[] = {
    {"program", "", "4.16", "beyond/blocked/exercise/go_processors.cpp"},
    {"taken", "runnable", "4.8", "exercise/go_machine.cpp", "Task* GoScheduler::next(", "pop_local("},
    {"taken", "ready", "4.8", "exercise/go_machine.cpp", "Task* GoScheduler::next(", "pop_global("},
    {"stolen", "runnable", "4.8", "exercise/go_steal.cpp", "Task* GoScheduler::steal(", "return mine.runnable.pop()"},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_go_p(
    {.name = "go_p",
     .make = [](const Settings& settings) -> std::unique_ptr<Strategy> {
         return std::make_unique<GoProcessors>(settings.machines, settings.spares);
     },
     .machines = true,
     .rule = mark("as go; a machine whose call blocks loses its P, with the queue, to another machine"),
     .code = kGoP,
     .for_any_work = false});
}

GoProcessor::GoProcessor(unsigned machine, std::string queue)
    : LocalQueue(machine, queue), queue_name(std::move(queue)) {
    kit::name_object(&caller, message("the caller of P {0}", machine));
    kit::name_object(&since, message("the time of the caller of P {0}", machine));
}

GoProcessors::GoProcessors(unsigned processors, unsigned spares)
    : GoScheduler(processors + spares, NoQueues{}),
      none_(processors + spares, "runnable of no P"),
      in_call_(machines(), 0) {
    for (unsigned i = 0; i < processors; ++i)
        processors_.push_back(std::make_unique<GoProcessor>(i, kit::set_name("runnable of P {0}", i)));
    for (unsigned i = 0; i < machines(); ++i) set_local(i, i < processors ? *processors_[i] : none_);
    kit::name_object(&monitor_sleeps_, "whether the monitor sleeps");
}

// ---- running --------------------------------------------------------------------------------------------------------

void GoProcessors::run(Scheduler& scheduler) {
    if (processors_.empty()) throw std::invalid_argument("a scheduler needs at least one machine");
    WorkerPool& sched = scheduler.shared();
    forget();
    const auto at_the_end = [&](GoProcessors* self) { self->give_back(scheduler); };
    const std::unique_ptr<GoProcessors, decltype(at_the_end)> ends(this, at_the_end);
    sched.run_on_machines(machines() + 1, [&](Machine& machine) {
        if (machine.index == monitor())
            run_monitor(sched);
        else
            run_machine(sched, machine);
        const SchedulerLock held(sched);
        sched.unpark_all();
    });
}

// A run that ended by an exception may have left stale state.
void GoProcessors::forget() {
    waiting_.clear();
    std::ranges::fill(in_call_, 0);
    for (const auto& p : processors_) p->caller.store(GoProcessor::kNoCaller);
}

// After an earlier run the main machine may have no P.
void GoProcessors::begin_with_root(WorkerPool& sched, Machine& machine) {
    Task* const root = take_root();
    if (root != nullptr && has_processor(machine.index)) return push_local(sched, machine, *root);
    const SchedulerLock held(sched);
    if (root == nullptr) return;
    sched.ready().push(*root);
    on_ready(sched, *root);
}

void GoProcessors::run_machine(WorkerPool& sched, Machine& machine) {
    if (machine.index == 0) begin_with_root(sched, machine);
    while (sched.alive() > 0)
        if (!has_processor(machine.index))
            wait_for_processor(sched, machine);
        else if (Task* g = next(sched, machine))
            resume_or_leave(sched, machine, *g);
        else
            park(sched, machine);
}

// As GoScheduler::resume; but a G that returned from a call without a P goes to the global queue.
void GoProcessors::resume_or_leave(WorkerPool& sched, Machine& machine, Task& g) {
    g.last_run() = kit::now();
    sched.resume_on(machine, g);
    if (g.status() == State::ready && has_processor(machine.index))
        push_local(sched, machine, g);
    else
        sched.insert_yielded(g);
}

namespace {
void sleep_unlocked(SchedulerLock& held, std::uint64_t until) KIT_UNCHECKED {
    held.unlock();
    record_machine(trace::MachineOp::park);
    kit::Machines::of_this_thread()->park(until);
    record_machine(trace::MachineOp::unpark);
    held.lock();
}
}  // namespace

void GoProcessors::wait_for_processor(WorkerPool& sched, const Machine& machine) KIT_UNCHECKED {
    SchedulerLock held(sched);
    if (has_processor(machine.index) || sched.alive() == 0) return;
    if (std::ranges::find(waiting_, machine.index) == waiting_.end()) waiting_.push_back(machine.index);
    sleep_unlocked(held, kNever);
}

// Announces that it sleeps, then checks once more: a machine that enters a call in between either sees the
// announcement, or is seen.
void GoProcessors::run_monitor(WorkerPool& sched) KIT_UNCHECKED {
    SchedulerLock held(sched);
    while (sched.alive() > 0) {
        bool again = retake(sched);
        if (!again) {
            monitor_sleeps_.store(true);
            again = retake(sched);
        }
        if (again) monitor_sleeps_.store(false);
        monitor_rests_ = !again;
        sleep_unlocked(held, again ? kit::now() + kMonitorPeriod : kNever);
    }
}

void GoProcessors::call_monitor(WorkerPool& sched) {
    const SchedulerLock held(sched);
    if (monitor_sleeps_.exchange(false)) sched.unpark(monitor());
}

// ---- which machine has which P --------------------------------------------------------------------------------------

void GoProcessors::move(WorkerPool&, unsigned from, unsigned to) {
    GoProcessor& p = processor_of(from);
    p.runnable.belongs_to(to, p.queue_name);  // if it is first used there
    set_local(to, p);
    set_local(from, none_);
    if (trace::recording())
        trace::record(kit::now(), trace::machine_event(trace::MachineOp::give, from, trace::kAbsent, to));
}

std::deque<unsigned>& GoProcessors::waiting_machines(WorkerPool&) { return waiting_; }

bool GoProcessors::has_work(WorkerPool& sched, const Machine& machine) {
    return has_processor(machine.index) && GoScheduler::has_work(sched, machine);
}

void GoProcessors::make_new_ready_shared(WorkerPool& sched, Task& g) {
    const Machine* here = machine_here();
    const bool in_call =
        sched.scheduler().is_shared() && here->sched == &sched.scheduler() && in_call_[here->index] != 0;
    if (in_call)
        sched.scheduler().make_ready(g, Cause::spawned);
    else
        GoScheduler::make_new_ready_shared(sched, g);
}

void GoProcessors::leave(Task& self, State left, std::int64_t until, const char* reason) {
    if (in_call_[machine_here()->index] != 0)
        throw std::logic_error("a G that is in a call that blocks cannot yield or wait: it has no P to come back to");
    GoScheduler::leave(self, left, until, reason);
}

// Called while no machine runs, so it must not contain a choice point, such as a kit::Atomic.
std::string GoProcessors::work_for(WorkerPool& sched, unsigned machine) {
    if (machine == monitor()) {
        for (unsigned i = 0; monitor_rests_ && i < machines(); ++i)
            if (in_call_[i] != 0 && has_processor(i))
                return "machine " + std::to_string(i) + " is in a call, and no monitor watches it";
        return {};
    }
    return in_call_[machine] != 0 || !has_processor(machine) ? std::string() : GoScheduler::work_for(sched, machine);
}

// ---- a call that blocks ---------------------------------------------------------------------------------------------

namespace {
std::exception_ptr failure_of(const std::function<void()>& call) {
    try {
        call();
        return nullptr;
    } catch (...) {
        return std::current_exception();
    }
}
}  // namespace

void blocking(const std::function<void()>& call, CallLength length) {
    Task& self = running_task();
    auto* const ps = dynamic_cast<GoProcessors*>(&self.sched->strategy());
    const unsigned machine = machine_here()->index;
    if (ps != nullptr && std::exchange(ps->in_call_[machine], 1) != 0)
        throw std::logic_error("a call that blocks cannot stand in another one");
    record_machine(trace::MachineOp::call);
    if (ps != nullptr) ps->enter_blocking(self.sched->shared(), *machine_here(), length);
    const std::exception_ptr failure = failure_of(call);
    record_machine(trace::MachineOp::return_);
    if (ps != nullptr) {
        const bool goes_on = ps->leave_blocking(self.sched->shared(), *machine_here());
        ps->in_call_[machine] = 0;
        if (!goes_on) leave(self, State::ready, trace::kAbsent, "its machine has no P");
    }
    if (failure) std::rethrow_exception(failure);
}

void block_thread_for(std::uint64_t ns) {
    const std::uint64_t until = kit::now() + ns;
    while (kit::now() < until) kit::idle_until(until);  // an unpark may end one wait
}

}  // namespace fiberscope::lab04
