#include "labs/kit/demo/command_line.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "labs/kit/report/report.h"
#include "languages/command_line.h"

namespace fiberscope::kit::detail {

namespace {

constexpr unsigned kMostMachines = 64;
constexpr std::uint64_t kLongestLock = 1'000'000;  // ns

/// The lab's program, as a user calls it.
std::string program_name() { return "./lab run " + std::string(fiberscope_lab_name).substr(0, 2); }

void list(std::span<const Demo> demos, std::FILE* to, bool all) {
    for (const Demo& demo : demos)
        if (all || !demo.large) std::fprintf(to, "%s\t%s\n", demo.name, demo.description);
}

template <class... Values>
std::string says(Text text, const Values&... values) {
    return say(language_of_environment(), text, values...);
}

std::string joined(std::span<const char* const> names, const char* between = ", ") {
    std::string all;
    for (const char* name : names) all += (all.empty() ? "" : between) + std::string(name);
    return all;
}

bool has(std::span<const char* const> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Declares an option that this demo does not have, and why.
void refuse(CommandLine& verb, const char* option, const SpokenError& why) {
    verb.option(option, "VALUE", "", [why](const std::string&) { throw why; });
}

void add_strategy(CommandLine& verb, const Demo& demo, DemoCall& call) {
    if (demo.strategies.empty())
        return refuse(verb, "--strategy", SpokenError("{0} has no strategies to choose from", demo.name));
    verb.option("--strategy", "NAME", says("{0}, or all, one after another", joined(demo.strategies)),
                [&call, strategies = demo.strategies](const std::string& name) {
                    if (name != "all" && !has(strategies, name))
                        throw SpokenError("--strategy takes one of {0}, or all; not '{1}'", joined(strategies), name);
                    call.strategy = name;
                });
}

std::string clocks_in_words(const Demo& demo) {
    if (demo.clocks.size() > 1) return says("virtual (reproducible to the byte) or monotonic (for measurements)");
    return says(has(demo.clocks, kVirtualOnly[0]) ? mark("virtual (reproducible to the byte)")
                                                  : mark("monotonic (for measurements)"));
}

void add_clock(CommandLine& verb, const Demo& demo, DemoCall& call) {
    verb.option("--clock", "NAME", clocks_in_words(demo), [&](const std::string& name) {
        if (!has(kVirtualFirst, name)) throw SpokenError("--clock takes virtual or monotonic, not '{0}'", name);
        if (!has(demo.clocks, name))
            throw SpokenError("{0} runs with --clock {1} only", demo.name, demo.clocks.front());
        call.clock = name;
    });
}

void add_machines(CommandLine& verb, const Demo& demo, DemoCall& call) {
    const auto fixed = [&](const char* option) {
        refuse(verb, option, SpokenError("{0} does not take {1}: its number of machines is fixed", demo.name, option));
    };
    if (demo.acting.machines.empty())
        fixed("--machines");
    else
        verb.number("--machines", says("Number of threads, if the strategy has several"), call.options.machines, 1U,
                    kMostMachines);
    if (demo.acting.machines.empty() || !has(demo.clocks, kVirtualOnly[0]))
        fixed("--lock-ns");
    else
        verb.number("--lock-ns", says("Virtual time for which a machine holds a lock; default: 0"),
                    call.options.lock_ns, std::uint64_t{0}, kLongestLock);
}

void add_common(CommandLine& verb, DemoCall& call) {
    verb.option("--out", "FILE", says("Output file of the recording; with --strategy all a directory"),
                [&call](const std::string& file) { call.out = file; });
    verb.number("--seed", says("Seed of all random choices"), call.options.seed);
    verb.flag("--knobs", says("Lists the options that have an effect, for scripts"), call.lists_knobs);
    verb.flag("--with-known-bug", says("With the fault of the published description"), call.options.with_known_bug);
}

/// Throws if several machines or a cost of locks were given for a strategy with one machine.
void check_machines(const DemoCall& call) {
    const Demo& demo = *call.demo;
    if (demo.strategies.empty() || call.strategy == "all") return;
    const std::string strategy = call.strategy.empty() ? demo.strategies.front() : call.strategy;
    if (has(demo.acting.machines, strategy)) return;
    const bool several = call.options.machines_given && call.options.machines != 1;
    const char* option = several ? "--machines" : call.options.lock_ns != 0 ? "--lock-ns" : nullptr;
    if (option == nullptr) return;
    throw SpokenError("{0} needs a strategy with several machines ({1}), not '{2}'", option,
                      joined(demo.acting.machines), strategy);
}

void add_verb(CommandLine& line, const Demo& demo, DemoCall& call) {
    CommandLine& verb = line.verb(demo.name, says(demo.description));
    add_strategy(verb, demo, call);
    add_clock(verb, demo, call);
    add_machines(verb, demo, call);
    add_common(verb, call);
    for (const DemoOption& own : demo.options)
        verb.option("--" + std::string(own.name), own.value, says(own.meaning),
                    [&call, name = own.name](const std::string& value) { call.options.more[name] = value; });
}

/// Returns whether the first word is a demo's name or an option; if not, prints the list of demos.
bool is_known(std::span<char* const> words, std::span<const Demo> demos) {
    const std::string_view first = words.empty() ? "" : words[0];
    const auto has_name = [&](const Demo& demo) { return first == demo.name; };
    if (first.starts_with("-") || std::ranges::any_of(demos, has_name)) return true;
    if (words.empty())
        tell_person(message("missing demo; the demos are:"));
    else
        tell_person(message("there is no demo '{0}'; the demos are:", first));
    for (const Demo& demo : demos) std::fprintf(stderr, "%s\t%s\n", demo.name, says(demo.description).c_str());
    return false;
}

}  // namespace

std::string knobs_of(const Demo& demo) {
    std::string all;
    const auto add = [&all](const std::string& name, const char* kind, const std::string& usual,
                            std::span<const char* const> choices = {}, std::span<const char* const> only_with = {}) {
        all += name + "\t" + kind + "\t" + usual + "\t" + joined(choices, ",") + "\t" + joined(only_with, ",") + "\n";
    };
    if (std::string_view(demo.clocks.front()) == "monotonic") return all;
    if (demo.strategies.size() > 1) add("strategy", "choice", demo.strategies.front(), demo.strategies);
    if (const auto machines = demo.acting.machines; !machines.empty()) {
        add("machines", "number", std::to_string(DemoOptions().machines), {}, machines);
        add("lock-ns", "number", std::to_string(DemoOptions().lock_ns), {}, machines);
    }
    if (demo.acting.seed) add("seed", "number", std::to_string(DemoOptions().seed));
    for (const DemoOption& own : demo.options) {
        const std::string_view value = own.value;
        const char* kind = value == "N" ? "number" : value == "TIME" ? "time" : value == "FILE" ? "file" : nullptr;
        if (kind != nullptr) add(own.name, kind, "");
    }
    return all;
}

void DemoCall::settle() {
    if (strategy.empty() && !demo->strategies.empty()) strategy = demo->strategies.front();
    if (out.empty()) out = demo->name + std::string(strategy == "all" ? "" : ".json");
    if (clock.empty()) clock = demo->clocks.front();
    options.strategy = strategy;
    options.clock = clock;
    options.out = out;
}

std::optional<DemoCall> read_demo_call(std::span<char* const> words, std::span<const Demo> demos, int& status) {
    status = 2;
    if (!is_known(words, demos)) return std::nullopt;
    DemoCall call;
    const std::string program = program_name();
    CommandLine line(program, says("The demos of lab {0}.", program.substr(program.size() - 2)),
                     language_of_environment());
    line.call_verbs(says("DEMO"), says("Demos:"));
    bool short_list = false;
    bool long_list = false;
    line.flag("--list", says("Lists the demos whose recordings are samples, for scripts"), short_list);
    line.flag("--list-all", says("Lists all demos, for scripts"), long_list);
    for (const Demo& demo : demos) add_verb(line, demo, call);
    try {
        if (!line.read(std::vector<std::string>(words.begin(), words.end()))) {
            std::fputs(line.help().c_str(), stdout);
            status = 0;
            return std::nullopt;
        }
        const auto named = std::ranges::find(demos, line.verb_read(), &Demo::name);
        if (named != demos.end()) call.demo = &*named;
        call.options.machines_given = line.given("--machines");
        if (call.demo != nullptr) check_machines(call);
    } catch (const SpokenError& error) {
        tell_person(error.message());
        tell_person(message("see {0} --help", line.call()));
        return std::nullopt;
    }
    status = 0;
    if (short_list || long_list) list(demos, stdout, long_list);
    if (call.demo == nullptr) return std::nullopt;
    if (call.lists_knobs) std::fputs(knobs_of(*call.demo).c_str(), stdout);
    return call.lists_knobs ? std::nullopt : std::optional(call);
}

}  // namespace fiberscope::kit::detail
