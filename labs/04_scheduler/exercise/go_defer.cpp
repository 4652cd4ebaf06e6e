// Step 4.8: deferred calls. The contract is in ../go_scheduler.h; what you are given:
//
//     g.deferred()                   what has been deferred; the last one is at the back
//     pop_deferred(g)                takes the last one out
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void run_with_deferred(Task&, const Body&) {
    kit::not_implemented("4.8", "run_with_deferred: the function, then what it has deferred, the last one first");
}

}  // namespace fiberscope::lab04
