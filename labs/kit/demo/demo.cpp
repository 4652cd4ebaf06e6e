#include "labs/kit/demo/demo.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "labs/kit/fault/fault.h"
#include "labs/kit/machines/explore_main.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::kit {

namespace {

struct CommandLine {
    std::string name;
    std::string out;
    std::string clock;
    std::string strategy;
    DemoOptions options;
};

void list(std::span<const Demo> demos, std::FILE* to, bool all = true) {
    for (const Demo& demo : demos)
        if (all || !demo.large) std::fprintf(to, "%s\t%s\n", demo.name, demo.description);
}

int usage(const std::string& mistake) {
    std::fprintf(stderr,
                 "%s\nusage: NAME [--out FILE] [--clock virtual|monotonic] [--seed N] [--strategy NAME|all] "
                 "[--machines N] [--with-known-bug], or --list, --list-all\n",
                 mistake.c_str());
    return 2;
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<std::string> parse_seed(const char* value, std::uint64_t& seed) {
    if (parse_number(value, seed)) return std::nullopt;
    return "--seed takes a whole number, not '" + std::string(value) + "'";
}

std::optional<std::string> parse_machines(const char* value, unsigned& machines) {
    constexpr unsigned kMost = 64;
    if (parse_number(value, machines) && machines >= 1 && machines <= kMost) return std::nullopt;
    return "--machines takes a number from 1 to " + std::to_string(kMost) + ", not '" + value + "'";
}

std::optional<std::string> parse_clock(const char* value, std::string& clock) {
    clock = value;
    if (clock == "virtual" || clock == "monotonic") return std::nullopt;
    return "--clock takes virtual or monotonic, not '" + clock + "'";
}

std::optional<std::string> parse_option(std::string_view option, const char* value, CommandLine& line) {
    if (!option.starts_with("--")) return "unknown option '" + std::string(option) + "'";
    if (value == nullptr) return std::string(option) + " needs a value";
    line.options.machines_given |= option == "--machines";
    if (option == "--machines") return parse_machines(value, line.options.machines);
    if (option == "--seed") return parse_seed(value, line.options.seed);
    if (option == "--clock") return parse_clock(value, line.clock);
    std::string& place = option == "--out"        ? line.out
                         : option == "--strategy" ? line.strategy
                                                  : line.options.more[std::string(option.substr(2))];
    place = value;
    return std::nullopt;
}

std::optional<std::string> parse(int argc, char** argv, CommandLine& line) {
    if (argc < 2) return "which demo?";
    line.name = argv[1];
    for (int i = 2; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--with-known-bug")
            line.options.with_known_bug = true;
        else if (auto mistake = parse_option(argv[i], argv[i + 1], line))
            return mistake;
        else
            ++i;
    }
    return std::nullopt;
}

const Demo* find(std::span<const Demo> demos, std::string_view name) {
    for (const Demo& demo : demos)
        if (demo.name == name) return &demo;
    return nullptr;
}

/// Nothing, if the demo knows the strategy that was asked for; else what is wrong.
std::optional<std::string> choose_strategy(const Demo& demo, CommandLine& line) {
    if (line.strategy.empty() && !demo.strategies.empty()) line.strategy = demo.strategies.front();
    if (line.strategy.empty() || (line.strategy == "all" && !demo.strategies.empty())) return std::nullopt;
    std::string known;
    for (const char* name : demo.strategies) {
        if (line.strategy == name) return std::nullopt;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    if (known.empty()) return line.name + " has no strategies to choose from";
    return "--strategy takes one of " + known + ", or all; not '" + line.strategy + "'";
}

/// What is wrong with the options that only some demos have; nothing if this one has them all.
std::optional<std::string> check_options(const Demo& demo, const CommandLine& line) {
    for (const auto& [name, value] : line.options.more) {
        bool known = false;
        for (const char* own : demo.options) known |= name == own;
        if (!known) return "unknown option '--" + name + "'";
    }
    return std::nullopt;
}

void record(const Demo& demo, CommandLine line) {
    if (line.out.empty()) line.out = line.name + ".json";
    if (line.clock.empty()) line.clock = demo.real_time ? "monotonic" : "virtual";
    line.options.strategy = line.strategy;
    line.options.clock = line.clock;
    line.options.out = line.out;
    if (demo.check != nullptr) demo.check(line.options);
    trace::Meta meta;
    meta.lab = fiberscope_lab_name;
    meta.program = demo.name;
    meta.strategy = line.strategy;
    meta.clock = line.clock;
    meta.seed = line.options.seed;
    meta.has_seed = true;
    for (auto* pair = demo.names; pair != nullptr && (*pair)[0] != nullptr; ++pair) meta.names[(*pair)[0]] = (*pair)[1];
    start_trace(line.out, meta);
    install_fault_handler();
    demo.run(line.options);
    end_trace();
    std::printf("%s\n", line.out.c_str());
}

/// The same, and its status as that of a process.
int record_or_tell(const Demo& demo, const CommandLine& line) {
    try {
        record(demo, line);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", line.name.c_str(), error.what());
        return 1;
    }
    return 0;
}

/// A process each: a process has one trace and one virtual time.
int record_all(const Demo& demo, CommandLine line) {
    const std::string directory = line.out.empty() ? line.name : line.out;
    int failed = 0;
    for (const char* strategy : demo.strategies) {
        line.strategy = strategy;
        line.out = directory + "/" + line.name + "_" + strategy + ".json";
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) std::exit(record_or_tell(demo, line));
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) failed = 1;
    }
    return failed;
}

}  // namespace

namespace {

/// Explores a demo: `line` is what stands before --explore, `options` what follows it.
int explore(const Demo& demo, CommandLine line, std::span<char* const> options) {
    line.options.strategy = line.strategy;
    if (demo.real_time || detail::explore_main == nullptr) {
        std::fprintf(stderr, "the demo '%s' has nothing to explore: its machines are not those of a scheduler here\n",
                     line.name.c_str());
        return 2;
    }
    return detail::explore_main(line.name, options, false, [&] { demo.run(line.options); });
}

}  // namespace

int demo_main(int argc, char** argv, std::span<const Demo> demos) {
    const auto all = std::span(argv, static_cast<std::size_t>(argc));
    const auto explores = std::ranges::find(all, std::string_view("--explore"));
    argc = static_cast<int>(explores - all.begin());
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
        list(demos, stdout, false);
        return 0;
    }
    if (argc == 2 && std::string_view(argv[1]) == "--list-all") {
        list(demos, stdout);
        return 0;
    }
    CommandLine line;
    if (const auto mistake = parse(argc, argv, line)) return usage(*mistake);
    const Demo* demo = find(demos, line.name);
    if (demo == nullptr) {
        std::fprintf(stderr, "there is no demo '%s'; there are:\n", line.name.c_str());
        list(demos, stderr);
        return 2;
    }
    if (const auto mistake = check_options(*demo, line)) return usage(*mistake);
    if (const auto mistake = choose_strategy(*demo, line)) return usage(*mistake);
    if (explores != all.end()) return explore(*demo, line, all.subspan(static_cast<std::size_t>(argc) + 1));
    return line.strategy == "all" ? record_all(*demo, line) : record_or_tell(*demo, line);
}

}  // namespace fiberscope::kit
