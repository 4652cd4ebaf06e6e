// grader MODE --lab DIR --program TESTS …: runs a lab's tests, each in a separate process, and reports the results.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <thread>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"
#include "languages/command_line.h"
#include "languages/version.h"
#include "traces/read/printable.h"

namespace fiberscope::grader {
namespace {

/// Stores an option's value as it is.
template <class Text>
CommandLine::Take into(Text& text) {
    return [&text](const std::string& value) { text = value; };
}

Milliseconds seconds(const char* option, const std::string& text) {
    return Milliseconds(static_cast<long>(1000 * number_in(option, text, 0.001, 86'400.0)));
}

void choose_language(const std::string& text) {
    const auto language = language_of(text);
    if (!language) throw GraderError("--language is en or zh.");
    set_language(*language);
}

void add_options(CommandLine& mode, Settings& settings) {
    mode.option("--lab", "DIR", "The lab's directory, which has steps.json; required", into(settings.lab));
    mode.option("--program", "TESTS", "Its test program; required", into(settings.program));
    mode.option("--build", "DIR", "First build the target labNN_tests there; a compile error is told in short",
                into(settings.build));
    mode.option("--traces", "DIR", "Where each test records; traces beside the program if not given",
                into(settings.traces));
    mode.option("--time", "SECONDS", "Seconds of processor time that one test may use (2)",
                [&](const std::string& text) { settings.patience = Patience::of(seconds("--time", text)); });
    mode.number("--parallel", "Tests at a time", settings.parallel, 1U, 10'000U);
    mode.option("--language", "LANGUAGE", "en or zh; that of the environment (LANG) if not given", choose_language);
}

void add_report_options(CommandLine& mode, Settings& settings) {
    mode.option("--only", "WHAT", "A step (1.3), or the tests whose names have this in them", into(settings.only));
    mode.option("--json", "FILE", "A report for other programs", into(settings.report));
}

void complete(Settings& settings) {
    if (settings.lab.empty()) throw GraderError("--lab is required.");
    if (settings.program.empty()) throw GraderError("--program is required.");
    if (!settings.lab.has_filename()) settings.lab = settings.lab.parent_path();  // "labs/01_switch_asm/"
    if (settings.traces.empty()) settings.traces = settings.program.parent_path() / "traces";
}

/// Parses the command line; returns the mode, or nothing after printing help. Throws.
std::string read_command_line(int argc, char** argv, Settings& settings) {
    CommandLine line("grader",
                     "Runs the tests of a lab, each in a process of its own, and says in words what happened.");
    line.call_verbs("MODE", "Modes:");
    CommandLine& check = line.verb("check", "Each step with its mark, the first failure's story, what to do next");
    CommandLine& all = line.verb("all", "Every test must pass");
    CommandLine& starter = line.verb("starter", "Every test must say \"not implemented\"");
    for (CommandLine* const mode : {&check, &all, &starter}) add_options(*mode, settings);
    for (CommandLine* const mode : {&check, &all}) add_report_options(*mode, settings);
    check.files("The labs that this one uses: if a test fails, it is tried on the reference of these", settings.below);
    if (!line.read(std::vector<std::string>(argv + 1, argv + argc))) {
        std::fputs(line.help().c_str(), stdout);
        return "";
    }
    if (line.verb_read().empty()) throw GraderError("a mode is required.");
    complete(settings);
    return line.verb_read();
}

int run_mode(const std::string& mode, const Settings& settings) {
    if (!build(settings, "lab" + lab_number(settings) + "_tests")) return 1;
    if (mode == "check") return check(settings);
    return all(settings, mode == "starter");
}

}  // namespace
}  // namespace fiberscope::grader

int main(int argc, char** argv) {
    using namespace fiberscope::grader;
    if (fiberscope::prints_version(argc, argv, "grader")) return 0;
    Settings settings;
    settings.parallel = std::max(1U, std::thread::hardware_concurrency());
    set_language(fiberscope::language_of_environment());
    std::string mode;
    try {
        mode = read_command_line(argc, argv, settings);
        if (mode.empty()) return 0;
    } catch (const std::exception& wrong) {
        std::fprintf(stderr, "grader: %s See \"grader --help\".\n", fiberscope::trace::printable(wrong.what()).c_str());
        return 2;
    }
    try {
        return run_mode(mode, settings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
