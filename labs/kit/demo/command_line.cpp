#include "labs/kit/demo/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

#include "labs/kit/report/report.h"

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

std::string joined(std::span<const char* const> names, const char* between = ", ") {
    std::string all;
    for (const char* name : names) all += (all.empty() ? "" : between) + std::string(name);
    return all;
}

bool has(std::span<const char* const> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// A mistake in a value, in the words of every lab.
CLI::ValidationError mistake(const std::string& sentence) {
    return CLI::ValidationError(sentence, CLI::ExitCodes::ValidationError);
}

template <class Number>
Number parse_number(const std::string& text, Number least, Number most, const std::string& sentence) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
    throw mistake(sentence + ", not '" + text + "'");
}

void add_strategy(CLI::App& verb, const Demo& demo, DemoCall& call) {
    if (demo.strategies.empty()) return;
    verb.add_option_function<std::string>(
            "--strategy",
            [&call, strategies = demo.strategies](const std::string& name) {
                if (name != "all" && !has(strategies, name))
                    throw mistake("--strategy takes one of " + joined(strategies) + ", or all; not '" + name + "'");
                call.strategy = name;
            },
            joined(demo.strategies) + ", or all, one after another")
        ->type_name("NAME");
}

const char* clocks_in_words(const Demo& demo) {
    if (demo.clocks.size() > 1) return "virtual, which repeats to the byte, or monotonic, which measures";
    return has(demo.clocks, kVirtualOnly[0]) ? "virtual, which repeats to the byte" : "monotonic, which measures";
}

void add_clock(CLI::App& verb, const Demo& demo, DemoCall& call) {
    verb.add_option_function<std::string>(
            "--clock",
            [&](const std::string& name) {
                if (!has(kVirtualFirst, name)) throw mistake("--clock takes virtual or monotonic, not '" + name + "'");
                if (!has(demo.clocks, name))
                    throw mistake(std::string(demo.name) + " runs with --clock " + demo.clocks.front() + " only");
                call.clock = name;
            },
            clocks_in_words(demo))
        ->type_name("NAME");
}

void add_machines(CLI::App& verb, const Demo& demo, DemoCall& call) {
    if (demo.acting.machines.empty()) return;
    verb.add_option_function<std::string>(
            "--machines",
            [&call](const std::string& text) {
                call.options.machines = parse_number(
                    text, 1U, kMostMachines, "--machines takes a number from 1 to " + std::to_string(kMostMachines));
                call.options.machines_given = true;
            },
            "Threads, where the strategy has several; default: 2")
        ->type_name("N");
    if (!has(demo.clocks, kVirtualOnly[0])) return;
    verb.add_option_function<std::string>(
            "--lock-ns",
            [&call](const std::string& text) {
                call.options.lock_ns = parse_number<std::uint64_t>(
                    text, 0, kLongestLock, "--lock-ns takes a number from 0 to " + std::to_string(kLongestLock));
            },
            "Virtual time for which a machine holds a lock, each time; default: 0")
        ->type_name("N");
}

void add_common(CLI::App& verb, DemoCall& call) {
    verb.add_option("--out", call.out, "Where the recording goes; of --strategy all a directory")->type_name("FILE");
    verb.add_option_function<std::string>(
            "--seed",
            [&call](const std::string& text) {
                call.options.seed = parse_number<std::uint64_t>(text, 0, UINT64_MAX, "--seed takes a whole number");
            },
            "Of what happens by chance; default: 1")
        ->type_name("N");
    verb.add_flag("--knobs", call.lists_knobs, "What can be turned, for scripts");
    verb.add_flag("--with-known-bug", call.options.with_known_bug, "With a fault that the description has");
}

/// Throws if several machines or a cost of locks were given for a strategy that has one machine.
void check_machines(const DemoCall& call) {
    const Demo& demo = *call.demo;
    if (demo.strategies.empty() || call.strategy == "all") return;
    const std::string strategy = call.strategy.empty() ? demo.strategies.front() : call.strategy;
    if (has(demo.acting.machines, strategy)) return;
    const bool several = call.options.machines_given && call.options.machines != 1;
    const char* option = several ? "--machines" : call.options.lock_ns != 0 ? "--lock-ns" : nullptr;
    if (option == nullptr) return;
    throw mistake(std::string(option) + " needs a strategy with several machines (" + joined(demo.acting.machines) +
                  "), not '" + strategy + "'");
}

void add_own(CLI::App& verb, const Demo& demo, DemoCall& call) {
    for (const DemoOption& own : demo.options)
        verb.add_option_function<std::string>(
                "--" + std::string(own.name),
                [&call, name = own.name](const std::string& value) { call.options.more[name] = value; }, own.meaning)
            ->type_name(own.value);
}

void add_verb(CLI::App& app, const Demo& demo, DemoCall& call) {
    CLI::App& verb = *app.add_subcommand(demo.name, demo.description);
    verb.group("Demos");
    verb.get_formatter()->column_width(30);
    add_strategy(verb, demo, call);
    add_clock(verb, demo, call);
    add_machines(verb, demo, call);
    add_common(verb, call);
    add_own(verb, demo, call);
    verb.callback([&] { call.demo = &demo; });
}

std::string without_option(const CLI::App& app, const std::string& option) {
    const auto verbs = app.get_subcommands();
    const std::string demo = verbs.empty() ? "" : verbs[0]->get_name();
    if (option == "--strategy" && !demo.empty()) return demo + " has no strategies to choose from";
    if ((option == "--machines" || option == "--lock-ns") && !demo.empty())
        return demo + " does not take " + option + ": its number of machines is fixed";
    return "there is no option '" + option + "' here";
}

/// CLI11's error as a sentence of ours.
std::string sentence(const CLI::App& app, const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        const auto extras = app.remaining(true);
        const std::string extra = extras.empty() ? "" : extras.front();
        if (!extra.starts_with("-")) return "there is no use for '" + extra + "' here";
        return without_option(app, extra.substr(0, extra.find('=')));
    }
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return text.substr(0, text.find(':')) + " needs a value";
    return text;
}

int tell(const CLI::App& app, const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
        std::fputs((verbs.empty() ? app.help() : verbs[0]->help(program_name())).c_str(), stdout);
        return 0;
    }
    std::fprintf(stderr, "%s\nsee %s %s--help\n", sentence(app, error).c_str(), program_name().c_str(),
                 verbs.empty() ? "" : (verbs[0]->get_name() + " ").c_str());
    return 2;
}

/// Nothing if the first word is a demo's name or an option; else tells what there is.
bool is_known(std::span<char* const> words, std::span<const Demo> demos) {
    const std::string_view first = words.empty() ? "" : words[0];
    const auto has_name = [&](const Demo& demo) { return first == demo.name; };
    if (first.starts_with("-") || std::ranges::any_of(demos, has_name)) return true;
    if (words.empty())
        std::fprintf(stderr, "which demo? there are:\n");
    else
        std::fprintf(stderr, "there is no demo '%.*s'; there are:\n", static_cast<int>(first.size()), first.data());
    list(demos, stderr, true);
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
    CLI::App app("The demos of lab " + std::string(fiberscope_lab_name).substr(0, 2) + ".", program_name());
    app.get_formatter()->label("SUBCOMMAND", "DEMO");
    app.get_formatter()->column_width(28);
    bool short_list = false;
    bool long_list = false;
    app.add_flag("--list", short_list, "The demos whose recordings are samples, for scripts");
    app.add_flag("--list-all", long_list, "All demos, for scripts");
    for (const Demo& demo : demos) add_verb(app, demo, call);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
        if (call.demo != nullptr) check_machines(call);
    } catch (const CLI::ParseError& error) {
        status = tell(app, error);
        return std::nullopt;
    }
    status = 0;
    if (short_list || long_list) list(demos, stdout, long_list);
    if (call.demo == nullptr) return std::nullopt;
    if (call.lists_knobs) std::fputs(knobs_of(*call.demo).c_str(), stdout);
    return call.lists_knobs ? std::nullopt : std::optional(call);
}

}  // namespace fiberscope::kit::detail
