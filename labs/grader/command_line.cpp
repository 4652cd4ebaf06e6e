// By the C library's getopt_long: a student waits for the grader to be compiled, and a larger library takes longer than
// all the rest of it.
#include "labs/grader/command_line.h"

#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>

#include "labs/grader/words/words.h"
#include "traces/read/printable.h"

namespace fiberscope::grader {
namespace {

struct ModeWords {
    Mode mode;
    const char* name;
    const char* help;
};
constexpr ModeWords kModes[] = {
    {Mode::check, "check", "Each step with its mark, the first failure's story, what to do next."},
    {Mode::all, "all", "Every test must pass."},
    {Mode::starter, "starter", "Every test must say \"not implemented\"."},
};

/// A call that cannot be obeyed: what is wrong, without a full stop.
struct Wrong {
    std::string what;
};

double number(const char* name, const char* text, double least, double most) {
    double value = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, value);
    if (error != std::errc() || rest != end || !(value >= least && value <= most)) {
        char range[64];
        std::snprintf(range, sizeof range, "a number from %g to %g", least, most);
        throw Wrong{std::string("--") + name + ": " + text + " is not " + range};
    }
    return value;
}

Milliseconds seconds(const char* name, const char* text) {
    return Milliseconds(static_cast<long>(1000 * number(name, text, 0.001, 86'400)));
}

void choose_language(CommandLine&, const char*, const char* text) {
    const auto language = language_of(text);
    if (!language) throw Wrong{std::string("--language: ") + text + " is not en or zh"};
    set_language(*language);
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) all.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

struct Option {
    const char* name;
    const char* value;  ///< what it is called in the help; null: it takes none
    const char* help;
    std::optional<Mode> only;  ///< the mode that has it; none: all do
    void (*take)(CommandLine& line, const char* name, const char* value);
};

/// What is given twice counts as it was given last (what a script gives, and then you), but for --below.
const Option kOptions[] = {
    {"lab",
     "DIR",
     "The lab's directory, which has steps.json; needed",
     {},
     [](auto& line, auto, auto value) { line.settings.lab = value; }},
    {"program",
     "TESTS",
     "Its test program; needed",
     {},
     [](auto& line, auto, auto value) { line.settings.program = value; }},
    {"build",
     "DIR",
     "First build the target labNN_tests there; a compile error is told in short",
     {},
     [](auto& line, auto, auto value) { line.build = value; }},
    {"build-time",
     "SECONDS",
     "After so many seconds a build is stopped (600)",
     {},
     [](auto& line, auto name, auto value) { line.build_time = seconds(name, value); }},
    {"traces",
     "DIR",
     "Where each test records; traces beside the program if not given",
     {},
     [](auto& line, auto, auto value) { line.settings.traces = value; }},
    {"time",
     "SECONDS",
     "Seconds of processor time that one test may use (2)",
     {},
     [](auto& line, auto name, auto value) { line.settings.limits.patience = Patience::of(seconds(name, value)); }},
    {"parallel",
     "N",
     "Tests at a time; the number of processors if not given",
     {},
     [](auto& line, auto name, auto value) {
         line.settings.parallel = static_cast<unsigned>(number(name, value, 1, 10'000));
     }},
    {"wrap",
     "COMMAND",
     "Runs the program: an emulator and its arguments, with spaces between them",
     {},
     [](auto& line, auto, auto value) { line.settings.wrap = words_of(value); }},
    {"language", "LANGUAGE", "en or zh; that of the environment (LANG) if not given", {}, choose_language},
    {"json", "FILE", "A report for other programs", {}, [](auto& line, auto, auto value) { line.json = value; }},
    {"core", nullptr, "A crash leaves a core dump, and the story says how to open it", Mode::check,
     [](auto& line, auto, auto) { line.settings.core = true; }},
    {"only", "WHAT", "A step (1.3), or the tests whose names have this in them", Mode::check,
     [](auto& line, auto, auto value) { line.only = value; }},
    {"below", "DIR", "A lab that this one stands on, which is looked at when a test fails; may be given again",
     Mode::check, [](auto& line, auto, auto value) { line.settings.below.emplace_back(value); }},
    {"stand-in", "TESTS", "The test program on the reference of the labs below; a test that fails is run there too",
     Mode::check, [](auto& line, auto, auto value) { line.settings.stand_in = value; }},
};

bool is_of(const Option& option, Mode mode) { return !option.only || *option.only == mode; }

void print_modes() {
    std::printf(
        "Runs the tests of a lab, each in a process of its own, and says in words what happened.\n"
        "Usage: grader MODE [OPTIONS]\n\nModes:\n");
    for (const ModeWords& mode : kModes) std::printf("  %-22s%s\n", mode.name, mode.help);
    std::printf("\n\"grader MODE --help\" shows the options of a mode.\n");
}

void print_help(const ModeWords& mode) {
    std::printf("%s\nUsage: grader %s --lab DIR --program TESTS [OPTIONS]\n\nOptions:\n", mode.help, mode.name);
    for (const Option& option : kOptions) {
        if (!is_of(option, mode.mode)) continue;
        std::printf("  %-22s%s\n",
                    ("--" + std::string(option.name) + (option.value != nullptr ? " " : "") +
                     (option.value != nullptr ? option.value : ""))
                        .c_str(),
                    option.help);
    }
}

/// The options of a mode as getopt_long wants them; those without a value of their own end in help, and an end.
std::vector<::option> options_of(Mode mode) {
    std::vector<::option> all;
    for (const Option& option : kOptions)
        if (is_of(option, mode))
            all.push_back({option.name, option.value != nullptr ? required_argument : no_argument, nullptr,
                           static_cast<int>(256 + (&option - kOptions))});
    all.push_back({"help", no_argument, nullptr, 'h'});
    all.push_back({});
    return all;
}

/// False: only help was asked for.
bool read_options(int argc, char** argv, CommandLine& line) {
    const std::vector<::option> options = options_of(line.mode);
    ::opterr = 0;
    ::optind = 1;
    for (int found; (found = ::getopt_long(argc, argv, ":h", options.data(), nullptr)) != -1;) {
        const std::string given = argv[::optind - 1];
        if (found == 'h') return false;
        if (found == ':') throw Wrong{given + " needs a value"};
        if (found == '?') throw Wrong{"there is no option " + given};
        const Option& option = kOptions[found - 256];
        option.take(line, option.name, ::optarg);
    }
    if (::optind < argc) throw Wrong{std::string("nothing takes the word ") + argv[::optind]};
    if (line.settings.lab.empty()) throw Wrong{"--lab is required"};
    if (line.settings.program.empty()) throw Wrong{"--program is required"};
    return true;
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
    std::string call = "grader ";
    try {
        const std::string_view first = argc > 1 ? argv[1] : "";
        if (first == "--help" || first == "-h") return print_modes(), 0;
        const auto* const mode = std::find_if(std::begin(kModes), std::end(kModes),
                                              [&](const ModeWords& words) { return first == words.name; });
        if (mode == std::end(kModes)) throw Wrong{first.empty() ? "a mode is required" : "there is no such mode"};
        line.mode = mode->mode;
        call += std::string(mode->name) + " ";
        if (!read_options(argc - 1, argv + 1, line)) return print_help(*mode), 0;
    } catch (const Wrong& wrong) {
        std::fprintf(stderr, "grader: %s. See \"%s--help\".\n", trace::printable(wrong.what).c_str(), call.c_str());
        return 2;
    }
    complete(line);
    return std::nullopt;
}

}  // namespace fiberscope::grader
