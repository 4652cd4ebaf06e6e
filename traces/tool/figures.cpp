#include "traces/replay/figures.h"

#include <cstdio>
#include <ostream>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/tool/table.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

std::string with_decimals(double value, int decimals, const char* unit = "") {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f%s", decimals, value, unit);
    return text;
}

/// For a figure without a value: it never happened, or the recorded library does not tell it.
constexpr const char* kNotTold = "–";

std::string of(const Spread& spread, std::uint64_t value) { return spread.count == 0 ? kNotTold : in_words(value); }

std::vector<std::string> row_of(const std::string& file) {
    const Trace trace = read_events_of(std::filesystem::path(file));
    const Figures f = figures_of(Replay(trace));
    const std::string name = std::filesystem::path(file).stem().string();
    return {trace.head.strategy.empty() ? printable(name)
                                        : printable(trace.head.program) + " " + printable(trace.head.strategy),
            in_words(f.makespan),
            of(f.ready, f.ready.p50),
            of(f.ready, f.ready.p99),
            of(f.ready, f.ready.max),
            std::to_string(f.switches),
            f.polls + f.parks == 0 ? kNotTold : with_decimals(100 * f.idle, 1, " %"),
            f.ready.count == 0 ? kNotTold : with_decimals(f.fairness, 3),
            of(f.overshoot, f.overshoot.p50),
            of(f.overshoot, f.overshoot.max),
            std::to_string(f.steals)};
}

}  // namespace

int print_figures(const Arguments& arguments, std::ostream& out) {
    const Language language = arguments.language();
    Table table(0);
    std::vector<std::string> head = {""};
    const auto add = [&](const auto&... columns) { (head.push_back(say(language, columns)), ...); };
    add(mark("makespan"), mark("ready p50"), mark("p99"), mark("max"), mark("switches"), mark("idle"), mark("fairness"),
        mark("overshoot p50"), mark("max"), mark("steals"));
    table.add(std::move(head));
    for (const std::string& file : arguments.files) table.add(row_of(file));
    table.print(out);
    return 0;
}

}  // namespace fiberscope::trace::tool
