// Programs of this lab that record nothing: a load for an echo server, and the experiment of step 5.7.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
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
    "echo_load --port P[,P…] [--connections N] [--size BYTES] [--seconds S | --requests N] [--ip A]\n"
    "                     sends messages to an echo server and compares every byte that comes back\n"
    "experiment [--rounds N] [--picture FILE.svg]\n"
    "                     IO in the loop, in a pool of threads, and coroutines: how long 1,000 connections take\n";

std::uint64_t number(const Arguments& arguments, std::string_view name, std::uint64_t otherwise) {
    const auto given = arguments.find(name);
    if (given == arguments.end()) return otherwise;
    std::uint64_t value = 0;
    const std::string& text = given->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw std::invalid_argument("--" + std::string(name) + " takes a whole number, not '" + text + "'");
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

// ---- the experiment --------------------------------------------------------------------------------------------------------

struct Row {
    std::string title;
    std::vector<Measured> ways;
};

constexpr const char* kWays[] = {"loop", "pool_of_threads", "coroutines"};
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

int experiment(const Arguments& arguments) {
    raise_descriptor_limit();
    const auto rounds = static_cast<unsigned>(number(arguments, "rounds", 5));
    std::printf("%-28s %15s %15s %15s   ms for 1,000 connections (messages a second)\n", "", kWays[0], kWays[1],
                kWays[2]);
    std::vector<Row> rows;
    std::uint64_t errors = 0;
    for (const unsigned cores : {1U, 0U})
        for (const std::uint64_t work : {std::uint64_t{0}, std::uint64_t{20'000}}) {
            Row row{std::string(work == 0 ? "no work" : "20 us of work") +
                        (cores == 1 ? ", on one core" : ", on all cores"),
                    {}};
            std::printf("%-28s", row.title.c_str());
            for (const char* way : kWays) {
                row.ways.push_back(measure(way, work, cores, rounds));
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
    return errors == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::string_view verb = argc > 1 ? argv[1] : "";
        Arguments arguments;
        for (int i = 2; i < argc; i += 2) {
            if (!std::string_view(argv[i]).starts_with("--") || i + 1 == argc)
                throw std::invalid_argument(std::string("options are pairs, as in --connections 100, not '") + argv[i] +
                                            "'");
            arguments[argv[i] + 2] = argv[i + 1];
        }
        if (verb == "echo_load") return load(arguments);
        if (verb == "experiment") return experiment(arguments);
        std::fputs(kUsage, stderr);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
