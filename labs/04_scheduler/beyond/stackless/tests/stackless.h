// Shared by the tests of step 4.18: async functions that log.
#pragma once

#include <string>
#include <utility>

#include "labs/04_scheduler/beyond/stackless/async.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/fault/expected.h"

namespace fiberscope::lab04::testing {

using stackless::Async;

/// Logs its destruction.
struct TellsItsEnd {
    Log* log;
    std::string name;
    TellsItsEnd(Log& into, std::string what) : log(&into), name(std::move(what)) {}
    TellsItsEnd(TellsItsEnd&& other) noexcept : log(std::exchange(other.log, nullptr)), name(std::move(other.name)) {}
    TellsItsEnd& operator=(TellsItsEnd&&) = delete;
    ~TellsItsEnd() {
        if (log != nullptr) log->push_back(name);
    }
};

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
