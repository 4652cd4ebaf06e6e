// Step 4.18: what its tests share: async functions that log.
#pragma once

#include "labs/04_scheduler/beyond/async.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/fault/expected.h"

namespace fiberscope::lab04::testing {

using stackless::Async;

/// Yields `turns` times, and logs before each.
inline Async<void> counts(Log& log, std::string name, int turns) {
    for (int i = 0; i < turns; ++i) {
        log.push_back(name + " " + std::to_string(i));
        co_await stackless::yield();
    }
}

/// Calls itself `depth` times; the innermost call yields. Returns the depth.
inline Async<int> descends(int depth) {
    if (depth == 0) {
        co_await stackless::yield();
        co_return 0;
    }
    co_return 1 + co_await descends(depth - 1);
}

}  // namespace fiberscope::lab04::testing
