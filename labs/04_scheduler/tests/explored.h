// Runs a program in every order of its machines' steps that a bounded search reaches. See
// docs/explore.md. FIBERSCOPE_EXPLORE=full searches until all schedules with two preemptions are tried.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "extras/explore/search.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/usual_turns.h"

namespace fiberscope::lab04::testing {

inline bool in_full() { return std::getenv("FIBERSCOPE_EXPLORE") != nullptr; }

/// Schedules tried by ./lab check in each build.
inline constexpr std::uint64_t kBounded = kit::kUnderSanitizer ? 60 : 1500;

/// Searches, and fails with the story of the failure. `missing` is the hint for failures that all need it.
inline void check_all_orders(const explore::Body& program, bool weak = false, const char* missing = nullptr) {
    INFO("the program breaks a rule in one order of its machines' steps");
    if (kit::explorer() != nullptr) {  // ./lab explore 04 "TEST" searches itself, by its options
        REQUIRE_NOTHROW(program());
        return;
    }
    record_nothing();
    explore::Options options;
    options.preemptions = 2;
    options.weak = weak;
    options.seconds = in_full() ? 600 : 0.8;
    options.schedules = in_full() ? 0 : kBounded;
    const explore::Report report = explore::explore(options, program);
    if (in_full()) std::printf("%s\n", words(report).c_str());
    if (missing != nullptr) {
        INFO(missing);
        CHECK_FALSE(report.failure.has_value());
    }
    const std::string test = Catch::getResultCapture().getCurrentTestName();
    const std::string what = "04 \"" + test + (weak ? "\" --weak" : "\"");
    const std::string found = report.failure ? report.failure->what : "";
    INFO(kit::told(message("in one order of the machines' steps (./lab explore {0} shows each step): {1}", what,
                           Value::of(found))));
    CHECK_FALSE(report.failure.has_value());
    if (in_full()) CHECK(report.bound == 2);
}

inline void require(bool holds, const char* otherwise) {
    if (!holds) throw std::runtime_error(otherwise);
}

inline Attributes named(const char* name) { return {.name = name, .stack_size = kit::kDefaultStackSize}; }

/// Runs all, and requires that no task failed and that each piece of work was done once.
inline void run_all(Scheduler& sched, const std::vector<int>& done) {
    const std::vector<Failure> failures = sched.run();
    if (!failures.empty()) throw std::runtime_error(failures.front().what);
    for (const int times : done) require(times == 1, "a task did not run exactly once");
}

}  // namespace fiberscope::lab04::testing
