// grader MODE --lab DIR --program TESTS … : runs a lab's tests, each in a process of its own, and says what happened.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <thread>

#include "labs/grader/modes.h"

namespace fiberscope::grader {
namespace {

constexpr const char* kUsage =
    R"(grader MODE --lab DIR --program TESTS [options]

modes
  check      each step with its mark, the first failure's story, what to do next
  all        every test must pass
  starter    every test must say "not implemented"
  mutants    every wrong solution in --mutants DIR must die by the test that it names

options
  --build DIR      first build the target labNN_tests there; a compile error is told in short
  --traces DIR     where each test records (default: traces beside the program)
  --time SECONDS   limit of one test (default 2)
  --parallel N     tests at a time (default: the number of processors)
  --wrap COMMAND   runs the program: an emulator with its arguments, separated by spaces
  --only WHAT      of check: a step ("1.3"), or the tests whose names have this in them
  --json FILE      a report for other programs
)";

class Options {
  public:
    Options(int argc, char** argv) {
        for (int i = 2; i < argc; i += 2) {
            const std::string name = argv[i];
            if (name.substr(0, 2) != "--" || i + 1 == argc) throw GraderError(name + " needs a value.\n\n" + kUsage);
            values_[name.substr(2)] = argv[i + 1];
        }
    }
    std::string text(const std::string& name, const std::string& otherwise = "") {
        const auto found = values_.find(name);
        if (found == values_.end()) return otherwise;
        std::string value = found->second;
        values_.erase(found);
        return value;
    }
    std::string needed(const std::string& name) {
        std::string value = text(name);
        if (value.empty()) throw GraderError("--" + name + " is missing.\n\n" + kUsage);
        return value;
    }
    double number(const std::string& name, double otherwise) {
        const std::string value = text(name);
        if (value.empty()) return otherwise;
        double n = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
        if (error != std::errc() || *end != '\0' || n <= 0)
            throw GraderError("--" + name + " must be a number above 0, not \"" + value + "\".");
        return n;
    }
    void refuse_the_rest() const {
        if (!values_.empty()) throw GraderError("There is no option --" + values_.begin()->first + ".\n\n" + kUsage);
    }

  private:
    std::map<std::string, std::string> values_;
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) all.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

Settings settings_from(Options& options) {
    Settings settings;
    settings.lab = std::filesystem::path(options.needed("lab"));
    if (!settings.lab.has_filename()) settings.lab = settings.lab.parent_path();  // "labs/01_switch_asm/"
    settings.program = options.needed("program");
    settings.traces = options.text("traces", (settings.program.parent_path() / "traces").string());
    settings.wrap = words(options.text("wrap"));
    settings.limits.time = Milliseconds(static_cast<long>(1000 * options.number("time", 2)));
    settings.parallel =
        static_cast<unsigned>(options.number("parallel", std::max(1U, std::thread::hardware_concurrency())));
    return settings;
}

int run_mode(const std::string& mode, Options& options) {
    const Settings settings = settings_from(options);
    const std::filesystem::path json = options.text("json");
    const std::string build_directory = options.text("build");
    const std::string programs = options.text("mutants", (settings.program.parent_path() / "mutants").string());
    const std::string only = mode == "check" ? options.text("only") : "";
    options.refuse_the_rest();
    if (!build_directory.empty() && build(build_directory, "lab" + lab_number(settings) + "_tests") != 0) return 1;
    if (mode == "check") return check(settings, json, only);
    if (mode == "all") return all(settings, json);
    if (mode == "starter") return starter(settings, json);
    if (mode == "mutants") return mutants(settings, programs, json);
    throw GraderError("There is no mode \"" + mode + "\".\n\n" + kUsage);
}

}  // namespace
}  // namespace fiberscope::grader

int main(int argc, char** argv) {
    using namespace fiberscope::grader;
    try {
        if (argc < 2) throw GraderError(kUsage);
        Options options(argc, argv);
        return run_mode(argv[1], options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
