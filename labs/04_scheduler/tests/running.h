// How a test begins tasks and runs them: the name of a task stands before its body, where the body is long.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04::testing {

using lab04::go;
inline Handle go(std::string name, Body body) { return lab04::go(std::move(body), std::move(name)); }

/// A task that sleeps `delay` ns first.
inline Handle later(std::uint64_t delay, std::string name, Body act) {
    return go(std::move(name), [delay, act = std::move(act)] {
        sleep_for(delay);
        act();
    });
}

/// A base of what has a scheduler `sched`.
template <class Stand>
struct Runs {
    /// Runs until no task is alive. What went wrong, as "task: why"; empty if nothing.
    std::string run() {
        std::string failed;
        for (const Failure& failure : static_cast<Stand&>(*this).sched.run())
            failed += failure.task + ": " + failure.what + "\n";
        return failed;
    }
    /// The same, of `body` as a task and of what it begins.
    std::string run(std::string name, Body body) {
        go(std::move(name), std::move(body));
        return run();
    }
};

}  // namespace fiberscope::lab04::testing
