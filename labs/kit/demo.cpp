#include "labs/kit/demo.h"

#include <charconv>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "labs/kit/fault.h"
#include "labs/kit/report.h"
#include "labs/kit/trace.h"

namespace fiberscope::kit {

namespace {

struct CommandLine {
    std::string name;
    std::string out;
    std::string clock = "virtual";
    DemoOptions options;
};

void list(std::span<const Demo> demos, std::FILE* to) {
    for (const Demo& demo : demos) std::fprintf(to, "%s\t%s\n", demo.name, demo.description);
}

int usage(const std::string& mistake) {
    std::fprintf(stderr, "%s\nusage: NAME [--out FILE] [--clock virtual|monotonic] [--seed N], or --list\n",
                 mistake.c_str());
    return 2;
}

std::optional<std::string> parse_seed(std::string_view text, std::uint64_t& seed) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error == std::errc() && end == text.data() + text.size()) return std::nullopt;
    return "--seed takes a whole number, not '" + std::string(text) + "'";
}

std::optional<std::string> parse_option(std::string_view option, const char* value, CommandLine& line) {
    if (option != "--out" && option != "--clock" && option != "--seed")
        return "unknown option '" + std::string(option) + "'";
    if (value == nullptr) return std::string(option) + " needs a value";
    if (option == "--seed") return parse_seed(value, line.options.seed);
    if (option == "--out") line.out = value;
    if (option == "--clock") line.clock = value;
    if (line.clock != "virtual" && line.clock != "monotonic")
        return "--clock takes virtual or monotonic, not '" + line.clock + "'";
    return std::nullopt;
}

std::optional<std::string> parse(int argc, char** argv, CommandLine& line) {
    if (argc < 2) return "which demo?";
    line.name = argv[1];
    line.out = line.name + ".json";
    for (int i = 2; i < argc; i += 2)
        if (auto mistake = parse_option(argv[i], argv[i + 1], line)) return mistake;
    return std::nullopt;
}

const Demo* find(std::span<const Demo> demos, std::string_view name) {
    for (const Demo& demo : demos)
        if (demo.name == name) return &demo;
    return nullptr;
}

void record(const Demo& demo, const CommandLine& line) {
    trace::Meta meta;
    meta.lab = fiberscope_lab_name;
    meta.program = demo.name;
    meta.clock = line.clock;
    meta.seed = line.options.seed;
    meta.has_seed = true;
    for (auto* pair = demo.names; pair != nullptr && (*pair)[0] != nullptr; ++pair) meta.names[(*pair)[0]] = (*pair)[1];
    start_trace(line.out, meta);
    install_fault_handler();
    demo.run(line.options);
    end_trace();
}

}  // namespace

int demo_main(int argc, char** argv, std::span<const Demo> demos) {
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
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
    try {
        record(*demo, line);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", line.name.c_str(), error.what());
        return 1;
    }
    std::printf("%s\n", line.out.c_str());
    return 0;
}

}  // namespace fiberscope::kit
