// `--explore` on the command line of a lab's tests and demos: reads the options, searches, prints what was found.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "labs/explore/search.h"
#include "labs/kit/machines/explore_main.h"
#include "traces/words/translated.h"

namespace fiberscope::explore {

namespace {

constexpr const char* kProgram = "./lab explore NN DEMO|\"TEST\"";
constexpr const char* kAbout =
    "Searches the schedules of a program of several machines for one that fails. Besides the options below: "
    "--machines N, --strategy NAME and --with-known-bug, of a demo; --mine, --reference: whose files.";

struct CommandLine {
    Options options;
    bool random = false, pct = false;
    std::string schedule;
};

void describe(CLI::App& app, CommandLine& line) {
    Options& options = line.options;
    app.add_option("--preemptions", options.preemptions, "all schedules with at most so many preemptions")
        ->capture_default_str();
    app.add_flag("--random", line.random, "schedules by chance");
    app.add_flag("--pct", line.pct, "schedules by PCT's priorities");
    app.add_option("--depth", options.depth, "of PCT: how many orderings the fault needs")->capture_default_str();
    app.add_option("--seed", options.seed, "of --random and --pct")->capture_default_str();
    app.add_option("--seconds", options.seconds, "search no longer than this")->capture_default_str();
    app.add_option("--schedules", options.schedules, "try at most so many; 0: no limit")->capture_default_str();
    app.add_flag("--judge-all", options.judge_all,
                 "judge the trace of each schedule at once, and not those with more than one preemption at the end "
                 "(slower)");
    app.add_flag("--weak", options.weak, "other machines may see a store late, as with a store buffer");
    app.add_option("--schedule", line.schedule, "only this schedule, as a search has printed it");
    app.add_option("--out", options.trace, "record the run that fails, or that of --schedule, in this file");
}

/// Throws CLI::ParseError, std::invalid_argument.
Options parse(std::span<char* const> arguments) {
    CommandLine line;
    CLI::App app(kAbout, kProgram);
    describe(app, line);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    if (line.random) line.options.strategy = Strategy::random;
    if (line.pct) line.options.strategy = Strategy::pct;
    if (!line.schedule.empty()) {
        line.options.strategy = Strategy::replay;
        line.options.schedule = parse_schedule(line.schedule);
    }
    return line.options;
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
    CLI::App app(kAbout, kProgram);
    CommandLine line;
    describe(app, line);
    std::printf("%s", app.help().c_str());
    return 0;
} catch (const std::exception& error) {
    const Language language = language_of_environment();
    std::fprintf(stderr, "%s\n", say(language, TypedText::x_error, trace::translated(error.what(), language)).c_str());
    return 2;
}

[[maybe_unused]] const bool linked_in = (kit::detail::explore_main = run, true);

}  // namespace

}  // namespace fiberscope::explore
