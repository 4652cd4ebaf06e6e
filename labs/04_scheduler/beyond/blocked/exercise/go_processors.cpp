// Step 4.16 (challenge): a blocked thread gives its work away. The contracts are in ../go_processors.h. Used here:
//
//     SchedulerLock held(sched)          the scheduler's lock, which guards the Ps and the waiting machines
//     processor_of(i)                    the P of machine i; if it has none, a dummy whose caller is never i
//     p.caller, p.since                  kit::Atomic: load, store, compare_exchange_strong, as std::atomic
//     kit::now(), kit::minus(a, b)       ns; a - b, or 0 if that is negative (labs/kit/time/units.h)
//     waiting_machines(sched)            a std::deque of the machines that wait for a P
//     move(sched, from, to)              moves the P of machine `from` to machine `to`
//     sched.unpark(i)                    wakes machine i, which checks whether it has a P
//     sched.take_parked()                a machine that is parked with its P, or WorkerPool::kNoMachine
//     monitor_sleeps(), call_monitor(sched)   the second acquires the scheduler's lock itself
#include "labs/04_scheduler/beyond/blocked/go_processors.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

bool GoProcessors::claim(GoProcessor&, unsigned) {
    kit::not_implemented("4.16",
                         "GoProcessors::claim: change the caller to kNoCaller atomically, for exactly one claimant");
}

void GoProcessors::enter_blocking(WorkerPool&, Machine&, CallLength) {
    kit::not_implemented(
        "4.16", "GoProcessors::enter_blocking: store since and caller; then give the P away, or call the monitor");
}

bool GoProcessors::give_away(WorkerPool&, unsigned) {
    kit::not_implemented("4.16",
                         "GoProcessors::give_away: move the P to a machine that waits for one, if the claim succeeds");
}

bool GoProcessors::leave_blocking(WorkerPool&, Machine&) {
    kit::not_implemented("4.16", "GoProcessors::leave_blocking: get the old P, or that of a parked machine, or none");
}

bool GoProcessors::retake(WorkerPool&) {
    kit::not_implemented("4.16",
                         "GoProcessors::retake: give away the P of each machine that is in a call for too long");
}

}  // namespace fiberscope::lab04
