// Shared by the tests of step 4.15: small programs, run by machines, and their logs.
#pragma once

#include "labs/04_scheduler/beyond/interpreter/interpreter.h"
#include "labs/04_scheduler/tests/support.h"

namespace fiberscope::lab04::testing {

/// Programs of a scheduler with some machines. Their native function `log` logs the coroutine's name and a value, and
/// returns the value.
struct Programs {
    explicit Programs(unsigned machines = 1) : sched(Settings{.strategy = "go", .machines = machines}) {}

    std::map<std::string, Native, std::less<>> natives() {
        return {{"log", [this](Interpreter&, Number value) {
                     log.push_back(running_task().core().name() + " " + std::to_string(value));
                     return value;
                 }}};
    }
    /// Runs `main` with `argument` as coroutine "a", to the end.
    std::vector<Failure> run(const Program& program, Number argument = 0) {
        go_interpreted(program, "main", argument, {.name = "a"});
        return sched.run();
    }

    Log log;
    Scheduler sched;
};

/// A program as text, with `log`.
struct Written : Programs {
    explicit Written(std::string_view text, unsigned machines = 1) : Programs(machines), program(text, natives()) {}
    std::vector<Failure> run(Number argument = 0) { return Programs::run(program, argument); }

    Program program;
};

}  // namespace fiberscope::lab04::testing
