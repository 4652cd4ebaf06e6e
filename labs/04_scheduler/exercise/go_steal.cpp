// Step 4.8: stealing. The contract is in ../go_scheduler.h. Given:
//
//     local(index)                   a machine's own queue, `runnable`, and its `lock`
//     std::scoped_lock(a, b)         acquires two locks without deadlock, in any order
//     record_steal(victim, count)    records the steal in the trace
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Task* GoScheduler::steal(Machine&) {
    kit::not_implemented("4.8", "GoScheduler::steal: take half of another machine's queue, if it is longer than one");
}

}  // namespace fiberscope::lab04
