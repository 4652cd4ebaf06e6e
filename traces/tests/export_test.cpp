// The export obeys the rules of Chrome's trace format that Perfetto and speedscope rely on. Perfetto's own reader is
// not in Debian 12 or npm, so it is not used here.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testing/catch.h"
#include "traces/read/printable.h"
#include "traces/replay/replay.h"
#include "traces/tests/made/tool_call.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using Json = nlohmann::json;

namespace {

Json exported(const Trace& trace) {
    std::ostringstream out;
    tool::write_chrome(trace, out);
    return Json::parse(out.str())["traceEvents"];
}

/// As in Perfetto's reader: fractions of a nanosecond are truncated.
std::int64_t ns(const Json& microseconds) { return static_cast<std::int64_t>(microseconds.get<double>() * 1000.0); }

void check_common(const Json& e) {
    REQUIRE(e["ph"].is_string());
    REQUIRE(e["ts"].is_number());
    REQUIRE(e["ts"].get<double>() >= 0);
    for (const char* id : {"pid", "tid"}) {
        REQUIRE(e[id].is_number_unsigned());
        REQUIRE(e[id].get<std::uint64_t>() < (1ULL << 32));
    }
    REQUIRE(e["name"].is_string());
}

/// Additional fields that an event of this phase must have.
void check_phase(const Json& e) {
    const std::string phase = e["ph"];
    if (phase == "M") {
        REQUIRE((e["name"] == "process_name" || e["name"] == "thread_name"));
        REQUIRE(e["args"]["name"].is_string());
    } else if (phase == "X") {
        REQUIRE(e["dur"].is_number());
        REQUIRE(e["dur"].get<double>() >= 0);
    } else if (phase == "C") {
        REQUIRE(e["args"].is_object());
        REQUIRE_FALSE(e["args"].empty());
        for (const Json& value : e["args"]) REQUIRE(value.is_number());
    } else if (phase == "i") {
        REQUIRE(e["s"] == "t");
    } else {
        REQUIRE((phase == "s" || phase == "f"));
        REQUIRE(e["id"].is_number_unsigned());
        REQUIRE(e["cat"].is_string());
    }
}

/// Perfetto identifies a thread by its number alone, so two processes must not share one.
void check_threads(const Json& events) {
    std::map<std::int64_t, std::int64_t> process;
    for (const Json& e : events) REQUIRE(process.emplace(e["tid"], e["pid"]).first->second == e["pid"]);
}

/// A counter has one value at a time, in order of time.
void check_counters(const Json& events) {
    std::map<std::string, std::int64_t> last;
    for (const Json& e : events) {
        if (e["ph"] != "C") continue;
        const auto [at, first] = last.emplace(e["name"], -1);
        REQUIRE(at->second < ns(e["ts"]));
        at->second = ns(e["ts"]);
    }
}

/// Slices of one track must not overlap: Perfetto drops one that begins a nanosecond before the last one's end, and
/// speedscope, which adds in floating point, would nest it in the last one.
void check_slices(const Json& events) {
    std::map<std::int64_t, std::pair<std::int64_t, double>> ends;
    for (const Json& e : events) {
        if (e["ph"] != "X") continue;
        auto& [exact, added] = ends[e["tid"]];
        REQUIRE(exact <= ns(e["ts"]));
        REQUIRE(added <= e["ts"].get<double>());
        exact = ns(e["ts"]) + ns(e["dur"]);
        added = e["ts"].get<double>() + e["dur"].get<double>();
    }
}

/// The coroutine that runs where an arrow begins or ends.
std::string slice_around(const Json& events, const Json& flow) {
    for (const Json& e : events)
        if (e["ph"] == "X" && e["tid"] == flow["tid"] && ns(e["ts"]) <= ns(flow["ts"]) &&
            ns(flow["ts"]) < ns(e["ts"]) + ns(e["dur"]))
            return e["args"]["co"].dump();
    return {};
}

/// Every arrow has one start and one later end, each bound to the enclosing slice.
void check_flows(const Json& events) {
    std::map<std::string, const Json*> open;
    for (const Json& e : events) {
        if (e["ph"] != "s" && e["ph"] != "f") continue;
        const std::string key = e["cat"].get<std::string>() + e["id"].dump() + e["name"].get<std::string>();
        if (e["ph"] == "f") REQUIRE(e["bp"] == "e");
        REQUIRE_FALSE(slice_around(events, e).empty());
        if (e["ph"] == "s") {
            REQUIRE(open.emplace(key, &e).second);
        } else {
            REQUIRE(open.count(key) == 1);
            REQUIRE(ns((*open[key])["ts"]) <= ns(e["ts"]));
            if (e["cat"] == "switch") REQUIRE(slice_around(events, *open[key]) != slice_around(events, e));
            open.erase(key);
        }
    }
    REQUIRE(open.empty());
}

void check_rules(const Trace& trace) {
    const Json events = exported(trace);
    for (const Json& e : events) {
        check_common(e);
        check_phase(e);
    }
    check_threads(events);
    check_counters(events);
    check_slices(events);
    check_flows(events);
}

constexpr int kMachines = 1, kCoroutines = 2;  // processes

std::size_t count(const Json& events, const char* phase) {
    return static_cast<std::size_t>(std::count_if(
        events.begin(), events.end(), [&](const Json& e) { return e["ph"] == phase && e["pid"] == kMachines; }));
}

/// The values of a counter, by time in ns.
std::map<std::int64_t, std::size_t> counted(const Json& events, std::string_view name) {
    std::map<std::int64_t, std::size_t> values;
    for (const Json& e : events)
        if (e["ph"] == "C" && e["name"] == name) values[ns(e["ts"])] = e["args"]["length"];
    return values;
}

}  // namespace

TEST_CASE("the export keeps the rules of Chrome's trace format") {
    check_rules(read(data("good/all_kinds.json")));
    check_rules(read_text(scheduler_trace({.seed = 1, .events = 1500, .coroutines = 8})));
    check_rules(read_events({}));
}

TEST_CASE("the export keeps the rules for inconsistent traces, too") {
    for (std::uint32_t seed = 1; seed < 8; ++seed)
        check_rules(read_text(random_trace({.seed = seed, .events = 300, .coroutines = 5})));
}

TEST_CASE("the export has slices of coroutines, their states, the switches, wake-ups and notes") {
    const Trace trace = read_text(scheduler_trace({.seed = 1, .events = 1500, .coroutines = 8}));
    const Json events = exported(trace);
    std::size_t switches = 0, notes = 0;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        switches += trace[n].kind == Kind::switch_ ? 1U : 0U;
        notes += trace[n].kind == Kind::note ? 1U : 0U;
    }
    CHECK(count(events, "X") == switches + 1);  // plus main before the first one
    CHECK(count(events, "i") == notes);
    CHECK(count(events, "s") > switches / 2);
    std::set<int> tracks;
    std::set<std::string> names;
    for (const Json& e : events)
        if (e["pid"] == kCoroutines) {
            tracks.insert(e["tid"].get<int>());
            names.insert(e["ph"] == "M" ? e["args"]["name"] : e["name"]);
        }
    CHECK(tracks.size() == 9);
    CHECK(names.count("co3") == 1);
    CHECK(names.count("sleeping") == 1);
    CHECK(names.count("running") == 1);
    CHECK(
        std::any_of(events.begin(), events.end(), [](const Json& e) { return e["ph"] == "s" && e["cat"] == "wake"; }));
}

TEST_CASE("the export counts the members of each set at the end of each moment") {
    const Trace trace = read_text(scheduler_trace({.seed = 1, .events = 1500, .coroutines = 8}));
    const Json events = exported(trace);
    Replay replay(trace);
    std::size_t compared = 0;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        replay.forward();
        if (n + 1 < trace.size() && trace.time(n + 1) == trace.time(n)) continue;
        for (const SetNow& set : replay.sets()) {
            if (trace[n].set != set.index) continue;
            const auto values = counted(events, fiberscope::english_of(trace.set_name(set.index).bytes()));
            const auto after = values.upper_bound(static_cast<std::int64_t>(trace.time(n)));
            REQUIRE(after != values.begin());
            CHECK(std::prev(after)->second == set.members.size());
            ++compared;
        }
    }
    CHECK(compared > 50);
}

TEST_CASE("the export counts the tasks that wait for a machine, even without sets") {
    const Json events =
        exported(read_events({R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
                              R"("t":10,"m":0,"ev":"spawn","co":1,"kind":"task","name":"a","parent":0)",
                              R"("t":10,"m":0,"ev":"state","co":1,"from":"new","to":"ready","cause":"spawned")",
                              R"("t":30,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
                              R"("t":40,"m":0,"ev":"note","text":"the end")"}));
    CHECK(counted(events, "tasks that wait for a machine") == std::map<std::int64_t, std::size_t>{{10, 1}, {30, 0}});
}

TEST_CASE("times are exact to the nanosecond") {
    for (const std::int64_t t : {1234567, 1234500, 1234050, 1234000, 256001, 1001, 7}) {
        const std::string note = R"("t":)" + std::to_string(t) + R"(,"m":0,"ev":"note","text":"a \"quoted\" word")";
        for (const Json& e : exported(read_events({note})))
            if (e["ph"] == "i") {
                CHECK(ns(e["ts"]) == t);
                CHECK(e["name"] == "a \"quoted\" word");
            }
    }
}

TEST_CASE("export --out writes the whole file, or none") {
    const Scratch scratch;
    const std::string target = scratch / "out.json", source = data("good/all_kinds.json");
    const Answer answer = call({"export", source, "--out", target});
    CHECK(answer.status == 0);
    CHECK(answer.out == target + "\n");
    CHECK(Json::parse(file_text(target))["traceEvents"].size() > 20);
    const Answer refused = call({"export", source, "--out", scratch / "no/such/out.json"});
    CHECK(refused.status == 1);
    CHECK(refused.complains("cannot write"));
    CHECK(std::distance(std::filesystem::directory_iterator(std::filesystem::path(target).parent_path()), {}) == 1);
}
