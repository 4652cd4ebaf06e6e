// `--explore` on the command line of a lab's tests and demos: reads the options, searches, prints what was found.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "extras/explore/search.h"
#include "labs/kit/machines/explore_main.h"
#include "traces/words/texts/spoken_help.h"
#include "traces/words/translated.h"

namespace fiberscope::explore {

namespace {

constexpr const char* kProgram = "./lab explore NN DEMO|\"TEST\"";
struct CommandLine {
    Options options;
    bool random = false, pct = false;
    std::string schedule;
};

void describe(CLI::App& app, CommandLine& line, Language language) {
    Options& options = line.options;
    const auto says = [&](TypedText key) { return say(language, key); };
    app.description(says(TypedText::e_about));
    app.add_option("--preemptions", options.preemptions, says(TypedText::e_preemptions))->capture_default_str();
    app.add_flag("--random", line.random, says(TypedText::e_random));
    app.add_flag("--pct", line.pct, says(TypedText::e_pct));
    app.add_option("--depth", options.depth, says(TypedText::e_depth))->capture_default_str();
    app.add_option("--seed", options.seed, says(TypedText::e_seed))->capture_default_str();
    app.add_option("--seconds", options.seconds, says(TypedText::e_seconds))->capture_default_str();
    app.add_option("--schedules", options.schedules, says(TypedText::e_schedules))->capture_default_str();
    app.add_flag("--judge-all", options.judge_all, says(TypedText::e_judge_all));
    app.add_flag("--weak", options.weak, says(TypedText::e_weak));
    app.add_option("--schedule", line.schedule, says(TypedText::e_schedule));
    app.add_option("--out", options.trace, says(TypedText::e_out));
    speak_help(app, language);
}

/// Throws CLI::CallForHelp, std::invalid_argument.
Options parse(std::span<char* const> arguments) {
    CommandLine line;
    CLI::App app("", kProgram);
    describe(app, line, Language::english);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        throw;
    } catch (const CLI::ParseError& error) {
        throw std::invalid_argument(sentence_of(app, error));
    }
    if (line.random) line.options.strategy = Strategy::random;
    if (line.pct) line.options.strategy = Strategy::pct;
    if (!line.schedule.empty()) {
        line.options.strategy = Strategy::replay;
        line.options.schedule = parse_schedule(line.schedule);
    }
    return line.options;
}

/// What is wrong with the call, or with the program.
std::string words_of(std::string_view english, Language language) {
    return trace::translated(trace::translated_call(english, language), language);
}

int run(const std::string& name, std::span<char* const> arguments, bool isolated, const Body& body) try {
    Options options = parse(arguments);
    options.isolated = isolated;
    options.progress = STDERR_FILENO;
    options.judge_rest = true;
    options.language = language_of_environment();
    const Report report = explore(options, body);
    std::printf("%s: %s", name.c_str(), words(report).c_str());
    const bool recorded = report.failure || options.strategy == Strategy::replay;
    if (recorded && !options.trace.empty()) std::printf("%s\n", options.trace.c_str());
    return report.failure ? 1 : 0;
} catch (const CLI::CallForHelp&) {
    CLI::App app("", kProgram);
    CommandLine line;
    describe(app, line, language_of_environment());
    std::printf("%s", app.help().c_str());
    return 0;
} catch (const std::exception& error) {
    const Language language = language_of_environment();
    std::fprintf(stderr, "%s\n", say(language, TypedText::x_error, words_of(error.what(), language)).c_str());
    return 2;
}

[[maybe_unused]] const bool linked_in = (kit::detail::explore_main = run, true);

}  // namespace

}  // namespace fiberscope::explore
