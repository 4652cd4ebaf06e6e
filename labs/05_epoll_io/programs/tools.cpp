// Programs of this lab that record nothing: a load for an echo server, and the experiment of step 5.7.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"

using namespace fiberscope::lab05;

namespace {

using Arguments = std::map<std::string, std::string, std::less<>>;

constexpr const char* kUsage =
    "echo_load --port P[,P…] [--connections N] [--size BYTES] [--seconds S | --requests N] [--ip A] [--patience S]\n"
    "                     sends messages to an echo server and compares every byte that comes back; an answer that is\n"
    "                     missing while nothing has come for S seconds (10) is an error\n"
    "experiment [--work US] [--sleep US] [--threads N] [--cores N] [--rounds N] [--requests N] [--picture FILE.svg]\n"
    "                     IO in the loop, in a pool of threads, and coroutines: how long 1,000 connections take\n";

Arguments read_arguments(int argc, char** argv, std::initializer_list<std::string_view> known) {
    Arguments arguments;
    for (int i = 2; i < argc; i += 2) {
        const std::string_view option = argv[i];
        if (!option.starts_with("--") || i + 1 == argc)
            throw std::invalid_argument("options are pairs, as in --connections 100, not '" + std::string(option) +
                                        "'");
        if (std::find(known.begin(), known.end(), option.substr(2)) == known.end())
            throw std::invalid_argument("there is no option " + std::string(option) + "\n" + kUsage);
        arguments.emplace(option.substr(2), argv[i + 1]);
    }
    return arguments;
}

std::uint64_t number(const Arguments& arguments, std::string_view name, std::uint64_t otherwise) {
    const auto given = arguments.find(name);
    if (given == arguments.end()) return otherwise;
    std::uint64_t value = 0;
    const std::string& text = given->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw std::invalid_argument("--" + std::string(name) + " takes a whole number, not '" + text + "'");
}

unsigned whole(const Arguments& arguments, std::string_view name, unsigned otherwise) {
    return static_cast<unsigned>(number(arguments, name, otherwise));
}

std::vector<std::uint16_t> ports(const Arguments& arguments) {
    const auto given = arguments.find("port");
    if (given == arguments.end()) throw std::invalid_argument("which port? As in: echo_load --port 9000");
    std::vector<std::uint16_t> all;
    for (std::size_t from = 0; from <= given->second.size();) {
        const std::size_t to = std::min(given->second.find(',', from), given->second.size());
        all.push_back(static_cast<std::uint16_t>(number({{"port", given->second.substr(from, to - from)}}, "port", 0)));
        from = to + 1;
    }
    return all;
}

int load(const Arguments& arguments) {
    LoadOptions options;
    const std::size_t most = raise_descriptor_limit() - 16;
    if (const auto ip = arguments.find("ip"); ip != arguments.end()) options.ip = ip->second;
    options.ports = ports(arguments);
    options.connections = number(arguments, "connections", 100);
    options.size = number(arguments, "size", 64);
    options.requests = number(arguments, "requests", 0);
    options.seconds = number(arguments, "seconds", 2);
    options.patience = number(arguments, "patience", 10) * 1000;
    if (options.connections > most) {
        std::printf("this process may have %zu descriptors: %zu connections instead of %zu\n", most + 16, most,
                    options.connections);
        options.connections = most;
    }
    const LoadResult result = run_load(options);
    std::printf("%zu connections in %.2f s, messages of %zu bytes\n", options.connections, result.connecting,
                options.size);
    std::printf("%llu answers in %.2f s: %.0f a second; p50 %.1f us, p99 %.1f us\n",
                static_cast<unsigned long long>(result.requests), result.seconds, result.per_second(), result.p50,
                result.p99);
    std::printf("%llu errors%s%s\n", static_cast<unsigned long long>(result.errors),
                result.first_error.empty() ? "" : "; the first: ", result.first_error.c_str());
    return result.errors == 0 && result.requests > 0 ? 0 : 1;
}

// ---- the experiment -------------------------------------------------------------------------------------------------

struct Row {
    std::string title;
    std::vector<Measured> ways;
};

constexpr const char* kWays[] = {"loop", "pool_of_threads", "coroutines"};
constexpr std::uint64_t kMicrosecond = 1000;
constexpr const char* kColours[] = {"#4477aa", "#cc6677", "#117733"};

void write_picture(const std::string& file, const std::vector<Row>& rows) {
    double most = 0;
    for (const Row& row : rows)
        for (const Measured& one : row.ways) most = std::max(most, one.ms_per_thousand);
    std::ofstream svg(file);
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"" << 60 + 90 * rows.size()
        << "\" font-family=\"sans-serif\" font-size=\"13\">\n<text x=\"10\" y=\"22\">ms for 1,000 connections</text>\n";
    int y = 40;
    for (const Row& row : rows) {
        svg << "<text x=\"10\" y=\"" << y + 12 << "\">" << row.title << "</text>\n";
        for (std::size_t way = 0; way < row.ways.size(); ++way) {
            const double ms = row.ways[way].ms_per_thousand;
            const int top = y + 18 + static_cast<int>(way) * 20;
            svg << "<rect x=\"130\" y=\"" << top << "\" width=\"" << ms / most * 520 << "\" height=\"16\" fill=\""
                << kColours[way] << "\"/><text x=\"10\" y=\"" << top + 13 << "\">" << kWays[way] << "</text><text x=\""
                << 136 + ms / most * 520 << "\" y=\"" << top + 13 << "\">" << ms << "</text>\n";
        }
        y += 90;
    }
    svg << "</svg>\n";
    if (!svg.flush()) throw std::runtime_error("cannot write " + file);
}

std::vector<unsigned> cores_to_try(const Arguments& arguments) {
    const unsigned asked = whole(arguments, "cores", 0);
    if (asked > processors())
        throw std::invalid_argument("--cores " + std::to_string(asked) + ": this process may use " +
                                    std::to_string(processors()));
    if (asked > 0) return {asked};
    if (processors() > 1) return {1, 2};
    std::printf("there is one processor here: nothing can be said of two\n");
    return {1};
}

/// Those that were asked for; usually without work, and with 20 µs.
std::vector<Conditions> all_conditions(const Arguments& arguments) {
    Conditions common;
    common.rounds = std::max(1U, whole(arguments, "rounds", common.rounds));
    common.threads = std::max(1U, whole(arguments, "threads", common.threads));
    common.requests = std::max<std::uint64_t>(1, number(arguments, "requests", common.requests));
    common.sleep = number(arguments, "sleep", 0) * kMicrosecond;
    std::vector<std::uint64_t> works{0, 20};
    if (arguments.contains("work") || arguments.contains("sleep")) works = {number(arguments, "work", 0)};
    std::vector<Conditions> all;
    for (const unsigned cores : cores_to_try(arguments))
        for (const std::uint64_t work : works) {
            all.push_back(common);
            all.back().cores = cores;
            all.back().work = work * kMicrosecond;
        }
    return all;
}

/// "20 us of work, 1000 us of sleep, on two cores".
std::string in_words(const Conditions& conditions) {
    const auto part = [](std::uint64_t ns, const char* of) {
        return ns == 0 ? "" : std::to_string(ns / kMicrosecond) + " us of " + of + ", ";
    };
    const std::string each = part(conditions.work, "work") + part(conditions.sleep, "sleep");
    const std::string cores = conditions.cores == 1   ? "one core"
                              : conditions.cores == 2 ? "two cores"
                                                      : std::to_string(conditions.cores) + " cores";
    return (each.empty() ? "no work, " : each) + "on " + cores;
}

int experiment(const Arguments& arguments) {
    raise_descriptor_limit();
    const std::vector<Conditions> all = all_conditions(arguments);
    std::printf("%-32s %15s %15s %15s   ms for 1,000 connections (messages a second); %u threads\n", "", kWays[0],
                kWays[1], kWays[2], all.front().threads);
    std::vector<Row> rows;
    std::uint64_t errors = 0;
    for (const Conditions& conditions : all) {
        Row row{in_words(conditions), {}};
        std::printf("%-32s", row.title.c_str());
        for (const char* way : kWays) {
            row.ways.push_back(measure(way, conditions));
            errors += row.ways.back().errors;
            std::printf(" %6.1f (%6.0f)", row.ways.back().ms_per_thousand, row.ways.back().per_second);
            std::fflush(stdout);
        }
        std::printf("\n");
        rows.push_back(std::move(row));
    }
    if (const auto picture = arguments.find("picture"); picture != arguments.end()) {
        write_picture(picture->second, rows);
        std::printf("%s\n", picture->second.c_str());
    }
    if (errors > 0) std::printf("%llu errors\n", static_cast<unsigned long long>(errors));
    return errors == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::string_view verb = argc > 1 ? argv[1] : "";
        if (verb == "echo_load")
            return load(
                read_arguments(argc, argv, {"port", "ip", "connections", "size", "seconds", "requests", "patience"}));
        if (verb == "experiment")
            return experiment(
                read_arguments(argc, argv, {"rounds", "requests", "work", "sleep", "threads", "cores", "picture"}));
        std::fputs(kUsage, stderr);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
