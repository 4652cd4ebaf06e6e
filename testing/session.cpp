#define CATCH_CONFIG_RUNNER
#include "testing/session.h"

#include <string_view>

#include "testing/catch.h"
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/internal/catch_test_case_registry_impl.hpp>
#endif

namespace fiberscope::testing {
namespace {

// Catch2 allows only one per process.
Catch::Session& session() {
    static Catch::Session one;
    return one;
}

template <class Config>
void silence(Config& config) {
    if constexpr (requires { config.outputFilename; })
        config.outputFilename = "/dev/null";
    else
        config.defaultOutputFilename = "/dev/null";
}

/// Escapes the characters that are special in Catch2's patterns.
std::string pattern_of(const std::string& name) {
    std::string escaped;
    for (const char c : name) {
        if (std::string_view("\\,[]\"*~").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

}  // namespace

void keep_handlers(void (*install)()) {
    install();
#if __has_include(<catch2/catch_all.hpp>)
    before_each_test = install;
#endif
}

int run_tests(int argc, char** argv) { return session().run(argc, argv); }

std::vector<std::string> test_names() {
    std::vector<std::string> names;
    for (const auto& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests())
        names.push_back(string_of(test.getTestCaseInfo().name));
    return names;
}

int run_test(const std::string& name, bool silent) {
    Catch::ConfigData config = session().configData();
    config.testsOrTags = {pattern_of(name)};
    config.warnings = Catch::WarnAbout::NoAssertions;
    if (silent) silence(config);
    session().useConfigData(config);
    return session().run();
}

}  // namespace fiberscope::testing
