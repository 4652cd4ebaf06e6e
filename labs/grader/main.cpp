// grader MODE --lab DIR --program TESTS …: runs a lab's tests, each in a separate process, and reports the results.
#include <cstdio>
#include <exception>

#include "labs/grader/command_line.h"
#include "labs/grader/modes.h"
#include "languages/version.h"

namespace fiberscope::grader {
namespace {

int run_mode(const CommandLine& line) {
    const Settings& settings = line.settings;
    const Builder builder{line.build, line.build_time};
    const BuildOf build_of = [&](const std::string& target, Says say) { return build(builder, target, say); };
    const std::string tests = "lab" + lab_number(settings) + "_tests";
    if (!line.build.empty() && build_of(tests, Says::errors) != 0) return 1;
    switch (line.mode) {
    case Mode::check: return check(settings, line.json, line.only, line.build.empty() ? BuildOf() : build_of);
    case Mode::all: return all(settings, line.json);
    case Mode::starter: return starter(settings, line.json);
    case Mode::once: return once(settings, line.json, line.only, line.until_failure);
    }
    return 2;
}

}  // namespace
}  // namespace fiberscope::grader

int main(int argc, char** argv) {
    using namespace fiberscope::grader;
    if (fiberscope::prints_version(argc, argv, "grader")) return 0;
    CommandLine line;
    if (const auto status = read_command_line(argc, argv, line)) return *status;
    try {
        return run_mode(line);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
