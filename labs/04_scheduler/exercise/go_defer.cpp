// Step 4.8: deferred calls. The contract is in ../go_scheduler.h. Given:
//
//     g.deferred()                   the deferred calls; the last one is at the back
//     pop_deferred(g)                removes and returns the last one
#include "labs/04_scheduler/go_scheduler.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void run_with_deferred(Task&, const Body&) {
    kit::not_implemented("4.8",
                         "run_with_deferred: call the function, then the deferred calls in last-in, first-out order");
}

}  // namespace fiberscope::lab04
