#include "traces/replay/figures.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/replay/answers.h"
#include "traces/replay/ready.h"
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
            of(f.waiting, f.waiting.p50),
            of(f.waiting, f.waiting.p99),
            of(f.waiting, f.waiting.max),
            std::to_string(f.switches),
            f.polls + f.parks == 0 ? kNotTold : with_decimals(100 * f.idle, 1, " %"),
            f.waiting.count == 0 ? kNotTold : with_decimals(f.fairness, 3),
            of(f.overshoot, f.overshoot.p50),
            of(f.overshoot, f.overshoot.max),
            std::to_string(f.steals)};
}

using Json = nlohmann::ordered_json;

bool wants_json(const Arguments& arguments) {
    const auto given = arguments.options.find("--as");
    if (given == arguments.options.end() || given->second == "text") return false;
    if (given->second != "json") throw UsageError("--as: text or json, not \"{0}\".", given->second);
    return true;
}

/// Null for what never happened.
Json json_of(const Spread& spread) {
    if (spread.count == 0) return nullptr;
    return {{"p50", spread.p50}, {"p99", spread.p99}, {"max", spread.max}, {"count", spread.count}};
}

/// Figures in the order of Figures; the length of the ready queue in each of kParts parts of the run.
Json json_of(const Replay& replay) {
    constexpr std::size_t kParts = 100;
    const Figures f = figures_of(replay);
    Json locks = Json::object();
    for (const LockWaits& lock : f.locks)
        locks[printable(replay.trace().text(lock.name))] = {{"count", lock.count}, {"ns", lock.ns}};
    Json clients = Json::object();
    for (const ClientAnswers& client : answers_of(replay.trace()))
        clients[client.client] = json_of(spread_of(client.took));
    return {{"makespan", f.makespan},
            {"switches", f.switches},
            {"idle", f.idle},
            {"spinning", f.spinning},
            {"locked", f.locked},
            {"locks", std::move(locks)},
            {"fairness", f.waiting.count == 0 ? Json() : Json(f.fairness)},
            {"overshoot", json_of(f.overshoot)},
            {"steals", f.steals},
            {"moved", f.moved},
            {"turns", f.turns},
            {"polls", f.polls},
            {"parks", f.parks},
            {"wakes", f.unparks},
            {"copied", f.copied},
            {"answer", json_of(f.answer)},
            {"calls", f.calls},
            {"waiting", json_of(f.waiting)},
            {"queue", f.queue},
            {"queue_most", f.queue_most},
            {"answers", std::move(clients)},
            {"queue_over_time", ReadyLength(replay).means(kParts)}};
}

int print_json(const Arguments& arguments, std::ostream& out) {
    Json all = Json::array();
    for (const std::string& file : arguments.files) {
        const Trace trace = read_events_of(std::filesystem::path(file));
        Json one = {{"file", printable(file)},
                    {"lab", printable(trace.head.lab)},
                    {"program", printable(trace.head.program)},
                    {"strategy", printable(trace.head.strategy)},
                    {"machines", trace.machines()}};
        one.update(json_of(Replay(trace)));
        all.push_back(std::move(one));
    }
    out << all.dump(1) << '\n';
    return 0;
}

}  // namespace

int print_figures(const Arguments& arguments, std::ostream& out) {
    if (wants_json(arguments)) return print_json(arguments, out);
    const Language language = arguments.language();
    Table table(0);
    std::vector<std::string> head = {""};
    const auto add = [&](const auto&... columns) { (head.push_back(say(language, columns)), ...); };
    add(mark("makespan"), mark("waiting p50"), mark("p99"), mark("max"), mark("switches"), mark("idle"),
        mark("fairness"), mark("overshoot p50"), mark("max"), mark("steals"));
    table.add(std::move(head));
    for (const std::string& file : arguments.files) table.add(row_of(file));
    table.print(out);
    return 0;
}

}  // namespace fiberscope::trace::tool
