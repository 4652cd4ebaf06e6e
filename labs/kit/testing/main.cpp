// The main of every lab's test binary. Run by hand it is Catch2's own; under the grader it runs one test, with the
// kit's fault handler and a trace, and says at the end that it came to the end.
//
//     lab01_tests --names           the test names, one a line
//     lab01_tests --one "1.3 …"     exactly that test
#define CATCH_CONFIG_RUNNER
#include "testing/catch.h"
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/internal/catch_test_case_registry_impl.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "labs/kit/fault.h"
#include "labs/kit/report.h"
#include "labs/kit/testing/reporter.h"
#include "labs/kit/trace.h"
#include "traces/recorder.h"

namespace fiberscope::kit::testing {
namespace {

/// A variable of the environment, which the tests then no longer see; empty if it is not set.
std::string take(const char* variable) {
    const char* value = std::getenv(variable);
    std::string text = value == nullptr ? "" : value;
    ::unsetenv(variable);
    return text;
}

std::string string_of(const std::string& s) { return s; }
template <class StringRef>
std::string string_of(const StringRef& s) {
    return std::string(s.data(), s.size());
}

/// The names of all tests, in the order in which they are declared.
std::vector<std::string> names(Catch::Session& session) {
    std::vector<std::string> all;
    for (const auto& test : Catch::getAllTestCasesSorted(session.config()))
        all.push_back(string_of(test.getTestCaseInfo().name));
    return all;
}

int print_names(Catch::Session& session) {
    for (const std::string& name : names(session)) std::printf("%s\n", name.c_str());
    return 0;
}

bool knows_test(Catch::Session& session, const std::string& name) {
    for (const std::string& other : names(session))
        if (other == name) return true;
    return false;
}

template <class Config>
void silence(Config& config) {
    if constexpr (requires { config.outputFilename; })
        config.outputFilename = "/dev/null";
    else
        config.defaultOutputFilename = "/dev/null";
}

/// Our fault handler, now and wherever Catch2 would put its own in its place.
void handle_faults() {
    install_fault_handler();
#if __has_include(<catch2/catch_all.hpp>)
    fiberscope::testing::before_each_test = install_fault_handler;
#endif
}

/// Makes session.run() run the test of exactly this name; a test without assertions then fails.
void choose_test(Catch::Session& session, const std::string& name) {
    std::string escaped;  // what Catch2 would read as part of a pattern
    for (const char c : name) {
        if (std::string_view("\\,[]\"*~").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    Catch::ConfigData config = session.configData();
    config.testsOrTags = {escaped};
    config.warnings = Catch::WarnAbout::NoAssertions;
    // The grader is told over the report descriptor; what the program prints is then the student's own.
    if (std::getenv("FIBERSCOPE_REPORT_FD") != nullptr) silence(config);
    session.useConfigData(config);
}

int run_one(Catch::Session& session, const std::string& name) {
    const std::string nonce = take("FIBERSCOPE_NONCE"), file = take("FIBERSCOPE_TRACE");
    if (!knows_test(session, name)) {
        std::fprintf(stderr, "There is no test named \"%s\" in this program; --names lists them.\n", name.c_str());
        return 2;
    }
    choose_test(session, name);
    handle_faults();
    if (!file.empty()) {
        trace::Meta meta;
        meta.lab = fiberscope_lab_name;
        meta.program = name;
        start_trace(file, meta);
    }
    const int status = session.run();
    if (!file.empty()) end_trace();
    report_done(nonce, assertions_passed(), assertions_failed());
    return status;
}

}  // namespace
}  // namespace fiberscope::kit::testing

int main(int argc, char** argv) {
    namespace testing = fiberscope::kit::testing;
    try {
        Catch::Session session;
        const std::string mode = argc > 1 ? argv[1] : "";
        if (mode == "--names" && argc == 2) return testing::print_names(session);
        if (mode == "--one" && argc == 3) return testing::run_one(session, argv[2]);
        testing::handle_faults();
        return session.run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
