// The main of every lab's test binary. Run by hand, it is Catch2's own; under the grader it runs one test, with the
// kit's fault handler and a trace, and reports at the end that it has completed.
//     lab01_tests --names           the test names, one per line
//     lab01_tests --one "1.3 …"     exactly that test
//     lab04_tests --explore "4.8 …" …   its schedules, with the options of extras/explore
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/kit/fault/fault.h"
#include "labs/kit/machines/explore_main.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/lab_meta.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/testing/child.h"
#include "labs/kit/testing/left_out.h"
#include "labs/kit/testing/reporter.h"
#include "testing/session.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit::testing {
namespace {

/// Returns a variable of the environment and removes it, also from /proc/self/environ; empty if it is not set.
std::string take(const char* variable) {
    char* value = std::getenv(variable);
    std::string text = value == nullptr ? "" : value;
    if (value != nullptr) std::fill_n(value, text.size(), '-');
    ::unsetenv(variable);
    return text;
}

int print_names() {
    for (const std::string& name : fiberscope::testing::test_names()) std::printf("%s\n", name.c_str());
    return 0;
}

bool knows_test(const std::string& name) {
    const std::vector<std::string> names = fiberscope::testing::test_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the limit in bytes.
std::uint64_t limit_of_trace() {
    const std::string limit = take("FIBERSCOPE_TRACE_LIMIT");
    return limit.empty() ? kMostRecorded : std::stoull(limit);
}

int run_one(const std::string& name) {
    const std::string nonce = take("FIBERSCOPE_NONCE"), file = take("FIBERSCOPE_TRACE");
    const std::uint64_t limit = limit_of_trace();
    if (!knows_test(name)) {
        std::fprintf(stderr, "There is no test named \"%s\" in this program; --names lists them.\n", name.c_str());
        return 2;
    }
    fiberscope::testing::keep_handlers(install_fault_handler);
    if (!file.empty()) {
        start_trace(file, lab_meta(name));
        trace::limit_file(limit);
    }
    // The grader gets reports over the report descriptor, so that the output is only the student's.
    const int status = fiberscope::testing::run_test(name, std::getenv("FIBERSCOPE_REPORT_FD") != nullptr);
    if (!file.empty()) end_trace();
    const std::string& left_out = why_left_out();
    if (!left_out.empty()) report_left_out(left_out);
    report_done(nonce, assertions_passed(), assertions_failed());
    return left_out.empty() || assertions_failed() > 0 ? status : kLeftOutStatus;
}

/// Explores a test, each run in a separate process, because Catch2 and the tests keep state.
int explore_one(const std::string& name, std::span<char* const> options) {
    if (!knows_test(name) || detail::explore_main == nullptr) {
        std::fprintf(stderr,
                     knows_test(name) ? "The tests of this lab have nothing to explore: \"%s\".\n"
                                      : "There is no test named \"%s\" in this program; --names lists them.\n",
                     name.c_str());
        return 2;
    }
    return detail::explore_main(name, options, true, [&] {
        if (fiberscope::testing::run_test(name, true) != 0) throw std::runtime_error(first_failure());
    });
}

}  // namespace
}  // namespace fiberscope::kit::testing

int main(int argc, char** argv) {
    using namespace fiberscope;
    try {
        const std::string mode = argc > 1 ? argv[1] : "";
        if (mode == "--names" && argc == 2) return kit::testing::print_names();
        if (mode == "--one" && argc == 3) return kit::testing::run_one(argv[2]);
        if (mode == "--explore" && argc >= 3)
            return kit::testing::explore_one(argv[2], std::span(argv, static_cast<std::size_t>(argc)).subspan(3));
        testing::keep_handlers(kit::install_fault_handler);
        return testing::run_tests(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
