// How a test spawns tasks and runs them. A long body comes after the task's name.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04::testing {

using lab04::go;
inline Handle go(std::string name, Body body) { return lab04::go(std::move(body), std::move(name)); }

/// A task that first sleeps for `delay` ns.
inline Handle later(std::uint64_t delay, std::string name, Body act) {
    return go(std::move(name), [delay, act = std::move(act)] {
        sleep_for(delay);
        act();
    });
}

/// Base class of fixtures with a scheduler `sched`.
template <class Stand>
struct Runs {
    /// Runs until no task is alive. Returns what went wrong, as "task: why"; empty if nothing did.
    std::string run() {
        std::string failed;
        for (const Failure& failure : static_cast<Stand&>(*this).sched.run())
            failed += failure.task + ": " + failure.what + "\n";
        return failed;
    }
    /// The same for `body` as a task, and all tasks that it spawns.
    std::string run(std::string name, Body body) {
        go(std::move(name), std::move(body));
        return run();
    }
};

}  // namespace fiberscope::lab04::testing
