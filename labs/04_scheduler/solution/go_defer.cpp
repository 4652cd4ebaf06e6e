#include "labs/04_scheduler/go_scheduler.h"

namespace fiberscope::lab04 {

void run_with_deferred(Task& g, const Body& body) {
    std::exception_ptr thrown;
    try {
        body();
    } catch (...) {
        thrown = std::current_exception();
    }
    while (!g.deferred().empty()) {
        const std::function<void()> call = pop_deferred(g);
        try {
            call();
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace fiberscope::lab04
