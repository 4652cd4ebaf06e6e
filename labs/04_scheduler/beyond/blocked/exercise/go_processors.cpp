// Step 4.16 (challenge): a blocked thread gives its work away. The contracts are in ../go_processors.h; what you
// use:
//
//     SchedulerLock held(sched)          the scheduler's lock: for which machine has which P, and which waits for one
//     processor_of(i)                    the P that machine i has; one whose caller is never i if it has none
//     p.caller, p.since                  kit::Atomic: load, store, compare_exchange_strong, as of std::atomic
//     kit::now(), kit::minus(a, b)       ns; a - b, or 0 if that is negative (labs/kit/time/units.h)
//     waiting_machines(sched)            a std::deque of the machines that wait for a P
//     move(sched, from, to)              the P of machine `from` belongs to machine `to`
//     sched.unpark(i)                    machine i wakes up, and looks whether it has a P
//     sched.take_parked()                a machine that is parked with its P, or WorkerPool::kNoMachine
//     monitor_sleeps(), call_monitor(sched)   the second takes the scheduler's lock itself
#include "labs/04_scheduler/beyond/blocked/go_processors.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

bool GoProcessors::claim(GoProcessor&, unsigned) {
    kit::not_implemented("4.16", "GoProcessors::claim: the caller becomes kNoCaller, in one step, for exactly one");
}

void GoProcessors::enter_blocking(WorkerPool&, Machine&, CallLength) {
    kit::not_implemented("4.16",
                         "GoProcessors::enter_blocking: since when, and whose; then give away, or call the monitor");
}

bool GoProcessors::give_away(WorkerPool&, unsigned) {
    kit::not_implemented("4.16", "GoProcessors::give_away: to a machine that waits for a P, if the claim succeeds");
}

bool GoProcessors::leave_blocking(WorkerPool&, Machine&) {
    kit::not_implemented("4.16", "GoProcessors::leave_blocking: the old P, or that of a parked machine, or none");
}

bool GoProcessors::retake(WorkerPool&) {
    kit::not_implemented("4.16",
                         "GoProcessors::retake: give away the P of each machine that is in a call for too long");
}

}  // namespace fiberscope::lab04
