// Uses the C library's getopt_long: a student waits for the grader to be compiled, and a larger library would take
// longer than all the rest.
#include "labs/grader/command_line.h"

#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string_view>
#include <thread>

#include "labs/grader/speech/speech.h"
#include "traces/read/printable.h"

namespace fiberscope::grader {
namespace {

constexpr const char* kHelp =
    R"(Runs the tests of a lab, each in a process of its own, and says in words what happened.
Usage: grader MODE --lab DIR --program TESTS [OPTIONS]

Modes:
  check                 Each step with its mark, the first failure's story, what to do next
  all                   Every test must pass
  starter               Every test must say "not implemented"
  once                  Runs each test once, and says nothing: for who reads the report (--json)

Options:
  --lab DIR             The lab's directory, which has steps.json; needed
  --program TESTS       Its test program; needed
  --only WHAT           Of check and once: a step (1.3), or the tests whose names have this in them
  --build DIR           First build the target labNN_tests there; a compile error is told in short
  --build-time SECONDS  A build is stopped if a single step of it takes longer (600)
  --traces DIR          Where each test records; traces beside the program if not given
  --time SECONDS        Seconds of processor time that one test may use (2)
  --parallel N          Tests at a time; the number of processors if not given
  --wrap COMMAND        Runs the program: an emulator and its arguments, with spaces between them
  --language LANGUAGE   en or zh; that of the environment (LANG) if not given
  --json FILE           A report for other programs
  --samples DIR         Of check: the recordings of the reference
  --core                A crash leaves a core dump, and the story says how to open it
  --until-failure       Of once: no test is begun after one that does not pass
  --below DIR           Of check: a lab that this one stands on, looked at when a test fails; may be given again
  --stand-in TESTS      Of check: the test program on the reference of the labs below; a test that fails is run there
)";

/// A command-line error, without a full stop.
struct Wrong {
    std::string what;
};

double number(const std::string& name, const char* text, double least, double most) {
    double value = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) return value;
    std::ostringstream what;
    what << "--" << name << ": " << text << " is not a number from " << least << " to " << most;
    throw Wrong{what.str()};
}

Milliseconds seconds(const std::string& name, const char* text) {
    return Milliseconds(static_cast<long>(1000 * number(name, text, 0.001, 86'400)));
}

void choose_language(const char* text) {
    const auto language = language_of(text);
    if (!language) throw Wrong{std::string("--language: ") + text + " is not en or zh"};
    set_language(*language);
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

constexpr ::option kOptions[] = {
    {"lab", required_argument, nullptr, 0},      {"program", required_argument, nullptr, 0},
    {"only", required_argument, nullptr, 0},     {"build", required_argument, nullptr, 0},
    {"traces", required_argument, nullptr, 0},   {"build-time", required_argument, nullptr, 0},
    {"time", required_argument, nullptr, 0},     {"parallel", required_argument, nullptr, 0},
    {"wrap", required_argument, nullptr, 0},     {"language", required_argument, nullptr, 0},
    {"json", required_argument, nullptr, 0},     {"below", required_argument, nullptr, 0},
    {"stand-in", required_argument, nullptr, 0}, {"samples", required_argument, nullptr, 0},
    {"core", no_argument, nullptr, 0},           {"until-failure", no_argument, nullptr, 0},
    {"help", no_argument, nullptr, 'h'},         {nullptr, 0, nullptr, 0},
};

/// Stores an option's value. The last value wins, so that a user's overrides a script's; --below accumulates.
void take(CommandLine& line, const std::string& name, const char* value) {
    Settings& settings = line.settings;
    if (name == "lab") settings.lab = value;
    if (name == "program") settings.program = value;
    if (name == "only") line.only = value;
    if (name == "build") line.build = value;
    if (name == "build-time") line.build_time = seconds(name, value);
    if (name == "traces") settings.traces = value;
    if (name == "time") settings.limits.patience = Patience::of(seconds(name, value));
    if (name == "parallel") settings.parallel = static_cast<unsigned>(number(name, value, 1, 10'000));
    if (name == "wrap") settings.wrap = words_of(value);
    if (name == "language") choose_language(value);
    if (name == "json") line.json = value;
    if (name == "below") settings.below.emplace_back(value);
    if (name == "stand-in") settings.stand_in = value;
    if (name == "samples") settings.samples = value;
    if (name == "core") settings.core = true;
    if (name == "until-failure") line.until_failure = true;
}

/// Returns false if only help was requested.
bool read_options(int argc, char** argv, CommandLine& line) {
    ::opterr = 0;
    ::optind = 1;
    int at = 0;
    for (int found; (found = ::getopt_long(argc, argv, ":h", kOptions, &at)) != -1;) {
        const std::string given = argv[::optind - 1];
        if (found == 'h') return false;
        if (found == ':') throw Wrong{given + " needs a value"};
        if (found == '?') throw Wrong{"unknown option " + given};
        take(line, kOptions[at].name, ::optarg);
    }
    if (::optind < argc) throw Wrong{std::string("nothing takes the word ") + argv[::optind]};
    const bool has_only = line.mode == Mode::check || line.mode == Mode::once;
    if (!line.only.empty() && !has_only) throw Wrong{"--only is of check and once"};
    if (line.settings.lab.empty()) throw Wrong{"--lab is required"};
    if (line.settings.program.empty()) throw Wrong{"--program is required"};
    return true;
}

Mode mode_of(std::string_view name) {
    if (name == "check") return Mode::check;
    if (name == "all") return Mode::all;
    if (name == "starter") return Mode::starter;
    if (name == "once") return Mode::once;
    throw Wrong{name.empty() ? "a mode is required" : "unknown mode"};
}

void complete(CommandLine& line) {
    Settings& settings = line.settings;
    if (!settings.lab.has_filename()) settings.lab = settings.lab.parent_path();  // "labs/01_switch_asm/"
    const auto beside = settings.program.parent_path();
    if (settings.traces.empty()) settings.traces = beside / "traces";
    if (settings.parallel == 0) settings.parallel = std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

std::optional<int> read_command_line(int argc, char** argv, CommandLine& line) {
    line.settings.parallel = 0;
    line.settings.limits.patience = Patience::of(Milliseconds(2000));
    line.build_time = Milliseconds(600'000);
    set_language(language_of_environment());
    try {
        const std::string_view first = argc > 1 ? argv[1] : "";
        const bool helped = first == "--help" || first == "-h";
        if (!helped) line.mode = mode_of(first);
        if (helped || !read_options(argc - 1, argv + 1, line)) return std::fputs(kHelp, stdout), 0;
    } catch (const Wrong& wrong) {
        std::fprintf(stderr, "grader: %s. See \"grader --help\".\n", trace::printable(wrong.what).c_str());
        return 2;
    }
    complete(line);
    return std::nullopt;
}

}  // namespace fiberscope::grader
