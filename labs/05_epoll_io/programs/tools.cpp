// Programs of this lab that record nothing: a load generator for an echo server, and the experiment of step 5.7.
#include "labs/05_epoll_io/programs/tools.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/kit/demo/demo.h"
#include "labs/kit/report/report.h"
#include "languages/spoken_error.h"
#include "testing/measure/ratios.h"

using namespace fiberscope::lab05;
using fiberscope::CommandLine;
using fiberscope::message;
using fiberscope::Spoken;
using fiberscope::SpokenError;
using fiberscope::testing::spoken;

namespace {

/// Options of `experiment` besides its conditions.
struct ExperimentOptions {
    Conditions conditions;
    std::uint64_t work = 0, sleep = 0;  ///< us
    bool given_work = false;            ///< or sleep: then only these conditions
    unsigned cores = 0;                 ///< 0: one, and two if available
    std::string picture;
};

constexpr std::uint64_t kMost = 1'000'000'000;

int load(LoadOptions options) {
    static_cast<void>(address_of(options.ip, 0));
    const std::size_t most = raise_descriptor_limit() - 16;
    if (options.connections > most) {
        std::printf(spoken("this process may have %zu descriptors: %zu connections instead of %zu\n"), most + 16, most,
                    options.connections);
        options.connections = most;
    }
    const LoadResult result = run_load(options);
    std::printf(spoken("%zu connections in %.2f s, messages of %zu bytes\n"), options.connections, result.connecting,
                options.size);
    if (result.knocked_again > 0)
        std::printf(spoken("%llu of them retried connecting after a second: the listener's queue was full\n"),
                    static_cast<unsigned long long>(result.knocked_again));
    std::printf(spoken("%llu answers in %.2f s: %.0f a second; p50 %.1f us, p99 %.1f us\n"),
                static_cast<unsigned long long>(result.requests), result.seconds, result.per_second(), result.p50,
                result.p99);
    std::printf(spoken(result.first_error.empty() ? "%llu errors%s\n" : "%llu errors; the first: %s\n"),
                static_cast<unsigned long long>(result.errors),
                formatted(result.first_error, fiberscope::language_of_environment()).c_str());
    return result.errors == 0 && result.requests > 0 ? 0 : 1;
}

// ---- the experiment -------------------------------------------------------------------------------------------------

struct Row {
    std::string title;
    std::vector<Measured> ways;
};

constexpr const char* kWays[] = {"loop", "pool_of_threads", "threads", "coroutines"};
constexpr std::uint64_t kMicrosecond = 1000;
constexpr const char* kColours[] = {"#4477aa", "#cc6677", "#ddaa33", "#117733"};

void write_picture(const std::string& file, const std::vector<Row>& rows) {
    double most = 0;
    for (const Row& row : rows)
        for (const Measured& one : row.ways) most = std::max(most, one.ms_per_thousand);
    std::ofstream svg(file);
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"" << 60 + 110 * rows.size()
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
        y += 110;
    }
    svg << "</svg>\n";
    if (!svg.flush()) throw Spoken<std::runtime_error>(message("cannot write {0}", file));
}

std::vector<unsigned> cores_to_try(unsigned asked) {
    if (asked > processors())
        throw Spoken<std::invalid_argument>(message("--cores {0}: this process may use {1}", asked, processors()));
    if (asked > 0) return {asked};
    if (processors() > 1) return {1, 2};
    std::fputs(spoken("there is only one processor: no results for two\n"), stdout);
    return {1};
}

/// Returns the requested conditions; by default without work, and with 20 µs.
std::vector<Conditions> all_conditions(const ExperimentOptions& options) {
    std::vector<std::uint64_t> works{0, 20};
    if (options.given_work) works = {options.work};
    std::vector<Conditions> all;
    for (const unsigned cores : cores_to_try(options.cores))
        for (const std::uint64_t work : works) {
            all.push_back(options.conditions);
            all.back().cores = cores;
            all.back().work = work * kMicrosecond;
            all.back().sleep = options.sleep * kMicrosecond;
        }
    return all;
}

/// "20 us of work, 1000 us of sleep, on two cores".
std::string in_words(const Conditions& conditions) {
    using fiberscope::say;
    const auto language = fiberscope::language_of_environment();
    const auto part = [&](std::uint64_t ns, fiberscope::Text text) {
        return ns == 0 ? "" : say(language, text, ns / kMicrosecond);
    };
    const std::string each = part(conditions.work, fiberscope::mark("{0} us of work, ")) +
                             part(conditions.sleep, fiberscope::mark("{0} us of sleep, "));
    return (each.empty() ? spoken("no work, ") : each) + say(language, "on {0} {0:core|cores}", conditions.cores);
}

int experiment(const ExperimentOptions& options) {
    raise_descriptor_limit();
    const std::vector<Conditions> all = all_conditions(options);
    std::printf(spoken("%-32s %15s %15s %15s %15s   ms for 1,000 connections (messages a second); %u threads\n"), "",
                kWays[0], kWays[1], kWays[2], kWays[3], all.front().threads);
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
    if (!options.picture.empty()) {
        write_picture(options.picture, rows);
        std::printf("%s\n", options.picture.c_str());
    }
    if (errors > 0) std::printf(spoken("%llu errors\n"), static_cast<unsigned long long>(errors));
    return errors == 0 ? 0 : 1;
}

// ---- command lines --------------------------------------------------------------------------------------------------

void take_ports(LoadOptions& options, std::string_view text) {
    for (std::size_t end = 0; end != text.npos; text.remove_prefix(std::min(text.size(), end + 1))) {
        end = text.find(',');
        options.ports.push_back(fiberscope::number_in<std::uint16_t>("--port", text.substr(0, end), 1, 65535));
    }
}

void add_load(CommandLine& line, LoadOptions& options) {
    CommandLine& load = line.verb(
        "echo_load", spoken("Sends messages to an echo server and compares every byte that comes back; an answer "
                            "that is missing is an error."));
    load.option("--port", "N,...", spoken("The server's ports, with commas between them"),
                [&](const std::string& text) { take_ports(options, text); });
    load.option("--ip", "IP=" + options.ip, spoken("The server's numeric address"),
                [&](const std::string& text) { options.ip = text; });
    load.number("--connections", spoken("Number of simultaneous connections"), options.connections, std::size_t{1},
                std::size_t{1'000'000});
    load.number("--size", spoken("Bytes per message"), options.size, std::size_t{1}, std::size_t{1} << 30);
    load.number("--seconds", spoken("Duration in seconds"), options.seconds, std::uint64_t{0}, kMost);
    load.number("--requests", spoken("Number of messages, instead of a duration"), options.requests, std::uint64_t{0},
                kMost);
    load.option("--patience", "N", spoken("Seconds without any answer after which it gives up; 10 if not given"),
                [&](const std::string& text) {
                    options.patience = 1000 * fiberscope::number_in<std::uint64_t>("--patience", text, 1, kMost / 1000);
                });
}

void add_experiment(CommandLine& line, ExperimentOptions& options) {
    CommandLine& experiment = line.verb(
        "experiment",
        spoken("IO in the loop, in a pool of threads, in a thread for each connection, and coroutines: how long 1,000 "
               "connections take."));
    Conditions& conditions = options.conditions;
    experiment.number("--work", spoken("us of work of the server for each message"), options.work, std::uint64_t{0},
                      kMost);
    experiment.number("--sleep", spoken("us of sleep of the server per message"), options.sleep, std::uint64_t{0},
                      kMost);
    experiment.number("--threads", spoken("Threads of the pool"), conditions.threads, 1U, 1000U);
    experiment.number("--cores", spoken("Processors shared by server and load; default: one, and two"), options.cores,
                      1U, 1000U);
    experiment.number("--rounds", spoken("Number of rounds; medians are reported"), conditions.rounds, 1U, 1000U);
    experiment.number("--requests", spoken("Messages per round"), conditions.requests, std::uint64_t{1}, kMost);
    experiment.option("--picture", "FILE.svg", spoken("Output file for a picture of the result"),
                      [&](const std::string& file) { options.picture = file; });
}

int run(std::span<char* const> words) {
    fiberscope::kit::speak_language_of_environment();
    CommandLine line("./lab run 05", spoken("Programs of lab 05 that record nothing."),
                     fiberscope::language_of_environment());
    LoadOptions load_options;
    load_options.seconds = 2;
    add_load(line, load_options);
    ExperimentOptions experiment_options;
    add_experiment(line, experiment_options);
    for (const MoreVerb& verb : more_verbs()) verb.add(line);
    if (!line.read(std::vector<std::string>(words.begin(), words.end()))) {
        std::fputs(line.help().c_str(), stdout);
        return 0;
    }
    for (const MoreVerb& verb : more_verbs())
        if (line.verb_read() == verb.name) return verb.run();
    experiment_options.given_work = line.given("--work") || line.given("--sleep");
    if (line.verb_read() == "experiment") return experiment(experiment_options);
    if (line.verb_read().empty()) throw SpokenError("missing verb.");
    if (load_options.ports.empty()) throw SpokenError("{0} is missing.", "--port");
    if (line.given("--seconds") && line.given("--requests"))
        throw SpokenError("--seconds and --requests exclude each other.");
    return load(load_options);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
    } catch (const std::exception& error) {
        fiberscope::kit::tell_person(fiberscope::message_of(error));
        return 2;
    }
}
