// `--explore` on the command line of a lab's tests and demos: reads the options, searches, prints what was found.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/explore/search.h"
#include "labs/kit/machines/explore_main.h"
#include "languages/spoken_help.h"
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
    const auto says = [&](Text key) { return say(language, key); };
    app.description(
        says("Searches the schedules of a program of several machines for one that fails. Besides the options below: "
             "--machines N, --strategy NAME and --with-known-bug, of a demo; --mine, --reference: whose files."));
    app.add_option("--preemptions", options.preemptions, says("all schedules with at most so many preemptions"))
        ->capture_default_str();
    app.add_flag("--random", line.random, says("schedules by chance"));
    app.add_flag("--pct", line.pct, says("schedules by PCT's priorities"));
    app.add_option("--depth", options.depth, says("of PCT: how many orderings the fault needs"))->capture_default_str();
    app.add_option("--seed", options.seed, says("of --random and --pct"))->capture_default_str();
    app.add_option("--seconds", options.seconds, says("search no longer than this"))->capture_default_str();
    app.add_option("--schedules", options.schedules, says("try at most so many; 0: no limit"))->capture_default_str();
    app.add_flag("--judge-all", options.judge_all,
                 says("judge the trace of each schedule at once, and not those with more than one preemption at the "
                      "end (slower)"));
    app.add_flag("--weak", options.weak, says("other machines may see a store late, as with a store buffer"));
    app.add_option("--schedule", line.schedule, says("only this schedule, as a search has printed it"));
    app.add_option("--out", options.trace, says("record the run that fails, or that of --schedule, in this file"));
    speak_help(app, language);
}

/// Throws CLI::CallForHelp, SpokenError.
Options parse(std::span<char* const> arguments) {
    CommandLine line;
    CLI::App app("", kProgram);
    describe(app, line, Language::english);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        throw;
    } catch (const CLI::ParseError& error) {
        throw spoken(app, error);
    }
    if (line.random) line.options.strategy = Strategy::random;
    if (line.pct) line.options.strategy = Strategy::pct;
    if (!line.schedule.empty()) {
        line.options.strategy = Strategy::replay;
        line.options.schedule = parse_schedule(line.schedule);
    }
    return line.options;
}

int refuse(const std::string& why) {
    std::fprintf(stderr, "%s\n", say(language_of_environment(), "explore: {0}", why).c_str());
    return 2;
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
} catch (const SpokenError& error) {
    return refuse(error.in(language_of_environment()));
} catch (const std::exception& error) {
    return refuse(trace::translated(error.what(), language_of_environment()));
}

[[maybe_unused]] const bool linked_in = (kit::detail::explore_main = run, true);

}  // namespace

}  // namespace fiberscope::explore
