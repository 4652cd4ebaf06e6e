// `--explore` on the command line of a lab's tests and demos: parses the options, searches, prints the findings.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "extras/explore/search.h"
#include "labs/kit/machines/explore_main.h"
#include "languages/command_line.h"

namespace fiberscope::explore {

namespace {

void describe(CommandLine& line, Options& options) {
    const auto says = [](Text key) { return say(language_of_environment(), key); };
    const auto search = [&](const char* name, Text help, Strategy strategy) {
        line.option(name, "", says(help), [&options, strategy](const std::string&) { options.strategy = strategy; });
    };
    line.number("--preemptions", says("all schedules with at most this many preemptions"), options.preemptions);
    search("--random", mark("random schedules"), Strategy::random);
    search("--pct", mark("schedules with PCT's random priorities"), Strategy::pct);
    line.number("--depth", says("for PCT: number of orderings that the fault needs"), options.depth);
    line.number("--seed", says("for --random and --pct"), options.seed);
    line.option("--seconds", "N=60", says("time limit of the search"),
                [&](const std::string& text) { options.seconds = number_in("--seconds", text, 0.0, 1e9); });
    line.number("--schedules", says("maximum number of schedules; 0: no limit"), options.schedules);
    line.flag("--judge-all",
              says("check the trace of each schedule immediately, not those with more than one preemption at the end "
                   "(slower)"),
              options.judge_all);
    line.flag("--weak", says("other machines may see a store late, as with a store buffer"), options.weak);
    line.option("--schedule", "S", says("only this schedule, as printed by a search"),
                [&](const std::string& text) { options.schedule = parse_schedule(text); });
    line.option("--out", "FILE", says("record the failing run, or that of --schedule, in this file"),
                [&](const std::string& text) { options.trace = text; });
}

int refuse(const std::string& why) {
    std::fprintf(stderr, "%s\n", say(language_of_environment(), "explore: {0}", why).c_str());
    return 2;
}

int run(const std::string& name, std::span<char* const> arguments, bool isolated, const Body& body) try {
    Options options;
    options.language = language_of_environment();
    CommandLine line(
        "./lab explore NN DEMO|\"TEST\"",
        say(options.language,
            "Searches the schedules of a program with several machines for a failing one. Further options: --machines "
            "N, --strategy NAME and --with-known-bug, of a demo; --mine, --reference: whose files."),
        options.language);
    describe(line, options);
    if (!line.read(std::vector<std::string>(arguments.begin(), arguments.end()))) {
        std::fputs(line.help().c_str(), stdout);
        return 0;
    }
    if (line.given("--schedule")) options.strategy = Strategy::replay;
    options.isolated = isolated;
    options.progress = STDERR_FILENO;
    options.judge_rest = true;
    const Report report = explore(options, body);
    std::printf("%s: %s", name.c_str(), words(report).c_str());
    const bool recorded = report.failure || options.strategy == Strategy::replay;
    if (recorded && !options.trace.empty()) std::printf("%s\n", options.trace.c_str());
    return report.failure ? 1 : 0;
} catch (const std::exception& error) {
    return refuse(formatted(message_of(error), language_of_environment()));
}

[[maybe_unused]] const bool linked_in = (kit::detail::explore_main = run, true);

}  // namespace

}  // namespace fiberscope::explore
