#include "labs/04_scheduler/beyond/blocked/go_processors.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

bool GoProcessors::claim(GoProcessor& p, unsigned caller) {
    return p.caller.compare_exchange_strong(caller, GoProcessor::kNoCaller);
}

void GoProcessors::enter_blocking(WorkerPool& sched, Machine& machine, CallLength length) {
    GoProcessor& p = processor_of(machine.index);
    p.since.store(kit::now());
    p.caller.store(machine.index);
    if (length == CallLength::surely_long) {
        const SchedulerLock held(sched);
        if (give_away(sched, machine.index)) return;
    }
    if (monitor_sleeps()) call_monitor(sched);
}

bool GoProcessors::give_away(WorkerPool& sched, unsigned from) {
    std::deque<unsigned>& waiting = waiting_machines(sched);
    if (waiting.empty() || !claim(processor_of(from), from)) return false;
    const unsigned to = waiting.front();
    waiting.pop_front();
    move(sched, from, to);
    sched.unpark(to);
    return true;
}

bool GoProcessors::leave_blocking(WorkerPool& sched, Machine& machine) {
    if (claim(processor_of(machine.index), machine.index)) return true;
    const SchedulerLock held(sched);
    const int parked = sched.take_parked();
    if (parked == WorkerPool::kNoMachine) return false;
    move(sched, static_cast<unsigned>(parked), machine.index);
    waiting_machines(sched).push_back(static_cast<unsigned>(parked));
    return true;
}

bool GoProcessors::retake(WorkerPool& sched) {
    bool again = false;
    for (unsigned i = 0; i < machines(); ++i) {
        GoProcessor& p = processor_of(i);
        if (p.caller.load() != i) continue;
        const bool is_long = kit::minus(kit::now(), p.since.load()) >= kMonitorPeriod;
        if (!is_long || !give_away(sched, i)) again = true;
    }
    return again;
}

}  // namespace fiberscope::lab04
