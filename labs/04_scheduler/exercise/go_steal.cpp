// Step 4.8: stealing. The contract is in ../go_scheduler.h; what you are given:
//
//     local(index)                   a machine's own queue, `runnable`, and its `lock`
//     std::scoped_lock(a, b)         takes two locks, in whatever order they come free
//     record_steal(victim, count)    says so in the trace
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Task* GoScheduler::steal(Machine&) {
    kit::not_implemented("4.8", "GoScheduler::steal: half of another's queue, if it is longer than one");
}

}  // namespace fiberscope::lab04
