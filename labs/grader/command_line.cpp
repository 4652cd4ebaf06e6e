#include "labs/grader/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
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

/// What CLI11 reads before it has the type that Settings keeps.
struct Raw {
    double seconds = 2, build_seconds = 600;
    std::string wrap;
    std::string language;
};

void add_options(CLI::App& app, CommandLine& line, Raw& raw) {
    Settings& settings = line.settings;
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // what a script gives, and then you
    app.add_option("--lab", settings.lab, "The lab's directory, which has steps.json")->type_name("DIR")->required();
    app.add_option("--program", settings.program, "Its test program")->type_name("TESTS")->required();
    app.add_option("--build", line.build, "First build the target labNN_tests there; a compile error is told in short")
        ->type_name("DIR");
    app.add_option("--build-time", raw.build_seconds, "Seconds after which a build is stopped")
        ->type_name("SECONDS")
        ->capture_default_str()
        ->check(CLI::Range(0.001, 86'400.0));
    app.add_option("--traces", settings.traces, "Where each test records; traces beside the program if not given")
        ->type_name("DIR");
    app.add_option("--time", raw.seconds, "Seconds of processor time that one test may use")
        ->type_name("SECONDS")
        ->capture_default_str()
        ->check(CLI::Range(0.001, 86'400.0));
    app.add_option("--parallel", settings.parallel, "Tests at a time; the number of processors if not given")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000));
    app.add_option("--wrap", raw.wrap, "Runs the program: an emulator and its arguments, with spaces between them")
        ->type_name("COMMAND");
    app.add_option("--language", raw.language, "en or zh; that of the environment (LANG) if not given")
        ->type_name("LANGUAGE")
        ->check(CLI::IsMember({"en", "zh"}));
    app.add_option("--json", line.json, "A report for other programs")->type_name("FILE");
}

void add_mode(CLI::App& app, const ModeWords& words, CommandLine& line, Raw& raw) {
    CLI::App& mode = *app.add_subcommand(words.name, words.help)->group("Modes")->footer("");
    add_options(mode, line, raw);
    if (words.mode == Mode::check)
        mode.add_flag("--core", line.settings.core, "A crash leaves a core dump, and the story says how to open it");
    if (words.mode == Mode::check)
        mode.add_option("--only", line.only, "A step (1.3), or the tests whose names have this in them")
            ->type_name("WHAT");
    if (words.mode == Mode::check)
        mode.add_option("--below", line.settings.below,
                        "A lab that this one stands on, which is looked at when a test fails; may be given again")
            ->type_name("DIR")
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (words.mode == Mode::check)
        mode.add_option("--stand-in", line.settings.stand_in,
                        "The test program on the reference of the labs below; a test that fails is run there too")
            ->type_name("TESTS");
    mode.parse_complete_callback([&line, mode = words.mode] { line.mode = mode; });
}

void describe(CLI::App& app, CommandLine& line, Raw& raw) {
    app.description("Runs the tests of a lab, each in a process of its own, and says in words what happened.");
    app.require_subcommand(1);
    app.get_formatter()->column_width(26);
    app.get_formatter()->label("SUBCOMMAND", "MODE");
    app.footer("\"grader MODE --help\" shows the options of a mode.");
    for (const ModeWords& words : kModes) add_mode(app, words, line, raw);
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

void complete(CommandLine& line, const Raw& raw) {
    Settings& settings = line.settings;
    if (!settings.lab.has_filename()) settings.lab = settings.lab.parent_path();  // "labs/01_switch_asm/"
    const auto beside = settings.program.parent_path();
    if (settings.traces.empty()) settings.traces = beside / "traces";
    settings.wrap = words_of(raw.wrap);
    settings.limits.patience = Patience::of(Milliseconds(static_cast<long>(1000 * raw.seconds)));
    set_language(raw.language.empty()   ? language_of_environment()
                 : raw.language == "zh" ? Language::chinese
                                        : Language::english);
    line.build_time = Milliseconds(static_cast<long>(1000 * raw.build_seconds));
    if (settings.parallel == 0) settings.parallel = std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

std::optional<int> read_command_line(int argc, const char* const* argv, CommandLine& line) {
    CLI::App app("", "grader");
    Raw raw;
    line.settings.parallel = 0;
    describe(app, line, raw);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const auto modes = app.get_subcommands();
        std::printf("%s", modes.empty() ? app.help().c_str() : modes[0]->help("grader").c_str());
        return 0;
    } catch (const CLI::ParseError& error) {
        std::string call = "grader ";
        for (const CLI::App* mode : app.get_subcommands()) call += mode->get_name() + " ";
        std::fprintf(stderr, "grader: %s. See \"%s--help\".\n", trace::printable(error.what()).c_str(), call.c_str());
        return 2;
    }
    complete(line, raw);
    return std::nullopt;
}

}  // namespace fiberscope::grader
