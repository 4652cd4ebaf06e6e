// The rules of Chrome's trace format that Perfetto and speedscope hold to, checked on what the export writes.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testing/catch.h"
#include "traces/tests/support.h"
#include "traces/tool/verbs.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using Json = nlohmann::json;

namespace {

Json exported(const Trace& trace) {
    std::ostringstream out;
    tool::write_chrome(trace, out);
    return Json::parse(out.str())["traceEvents"];
}

std::int64_t ns(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

void check_common(const Json& e) {
    REQUIRE(e["ph"].is_string());
    REQUIRE(e["ts"].is_number());
    REQUIRE(e["ts"].get<double>() >= 0);
    for (const char* id : {"pid", "tid"}) {
        REQUIRE(e[id].is_number_unsigned());
        REQUIRE(e[id].get<std::uint64_t>() < (1ULL << 32));
    }
    REQUIRE(e["name"].is_string());  // of E events too: speedscope drops those without
}

/// Slices of one track either follow each other or lie one within the other.
void check_nesting(const Json& events) {
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
    for (const Json& e : events) {
        if (e["ph"] != "X") continue;
        REQUIRE(e["dur"].is_number());
        REQUIRE(e["dur"].get<double>() >= 0);
        tracks[e["tid"]].emplace_back(ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]));
    }
    for (auto& [tid, slices] : tracks) {
        std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : a.second > b.second;
        });
        std::vector<std::int64_t> ends;
        for (const auto& [from, to] : slices) {
            while (!ends.empty() && ends.back() <= from) ends.pop_back();
            if (!ends.empty()) REQUIRE(to <= ends.back());
            ends.push_back(to);
        }
    }
}

/// The coroutine that runs where an arrow begins or ends.
std::string slice_around(const Json& events, const Json& flow) {
    for (const Json& e : events)
        if (e["ph"] == "X" && e["tid"] == flow["tid"] && ns(e["ts"]) <= ns(flow["ts"]) &&
            ns(flow["ts"]) < ns(e["ts"]) + ns(e["dur"]))
            return e["args"]["coroutine"].dump();
    return {};
}

/// Every arrow has one start and one end, later, each bound to the slice around it.
void check_flows(const Json& events) {
    std::map<std::string, const Json*> open;
    for (const Json& e : events) {
        if (e["ph"] != "s" && e["ph"] != "f") continue;
        const std::string key = e["cat"].get<std::string>() + e["id"].dump() + e["name"].get<std::string>();
        REQUIRE(e["bp"] == "e");
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

/// One asynchronous track for each coroutine, in which every begin has its end, innermost first.
void check_async(const Json& events) {
    std::map<std::string, std::vector<std::pair<std::string, std::int64_t>>> open;
    for (const Json& e : events) {
        if (e["ph"] != "b" && e["ph"] != "e") continue;
        auto& track = open[e["cat"].get<std::string>() + e["id"].dump()];
        if (e["ph"] == "b") {
            track.emplace_back(e["name"], ns(e["ts"]));
            continue;
        }
        REQUIRE_FALSE(track.empty());
        REQUIRE(track.back().first == e["name"]);
        REQUIRE(track.back().second <= ns(e["ts"]));
        track.pop_back();
    }
    for (const auto& [key, track] : open) REQUIRE(track.empty());
}

void check_rules(const Trace& trace) {
    const Json events = exported(trace);
    for (const Json& e : events) check_common(e);
    check_nesting(events);
    check_flows(events);
    check_async(events);
}

std::size_t count(const Json& events, const char* phase) {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const Json& e) { return e["ph"] == phase; }));
}

}  // namespace

TEST_CASE("the export keeps the rules of Chrome's trace format") {
    check_rules(read(data("good/all_kinds.json")));
    check_rules(read_text(scheduler_trace({.seed = 1, .events = 1500, .coroutines = 8})));
    check_rules(read_events({}));
}

TEST_CASE("the export keeps them for traces that make no sense, too") {
    for (std::uint32_t seed = 1; seed < 8; ++seed)
        check_rules(read_text(random_trace({.seed = seed, .events = 300, .coroutines = 5})));
}

TEST_CASE("the export shows what ran where, each coroutine's states, the switches, wake-ups and notes") {
    const Trace trace = read_text(scheduler_trace({.seed = 1, .events = 1500, .coroutines = 8}));
    const Json events = exported(trace);
    std::size_t switches = 0, notes = 0;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        switches += trace[n].kind == Kind::switch_ ? 1U : 0U;
        notes += trace[n].kind == Kind::note ? 1U : 0U;
    }
    CHECK(count(events, "X") == switches + 1);  // and main before the first one
    CHECK(count(events, "i") == notes);
    CHECK(count(events, "s") > switches / 2);
    std::set<int> tracks;
    std::set<std::string> names;
    for (const Json& e : events)
        if (e["ph"] == "b") {
            tracks.insert(e["id"].get<int>());
            names.insert(e["name"]);
        }
    CHECK(tracks.size() == 9);
    CHECK(names.count("co3") == 1);
    CHECK(names.count("sleeping") == 1);
    CHECK(
        std::any_of(events.begin(), events.end(), [](const Json& e) { return e["ph"] == "s" && e["cat"] == "wake"; }));
}

TEST_CASE("times are exact to the nanosecond") {
    const Json events = exported(read_events({R"("t":1234567,"m":0,"ev":"note","text":"a \"quoted\" word")"}));
    for (const Json& e : events)
        if (e["ph"] == "i") {
            CHECK(ns(e["ts"]) == 1234567);
            CHECK(e["name"] == "a \"quoted\" word");
        }
}

TEST_CASE("export --out writes the whole file, or none") {
    const Scratch scratch;
    std::ostringstream out, err;
    const std::string target = (scratch / "out.json").string();
    const std::string source = data("good/all_kinds.json").string();
    CHECK(tool::run(std::vector<std::string>{"export", source, "--out", target}, out, err) == 0);
    CHECK(Json::parse(file_text(target))["traceEvents"].size() > 20);
    CHECK(out.str() == target + "\n");
    CHECK(tool::run(std::vector<std::string>{"export", source, "--out", (scratch / "no/such/out.json").string()}, out,
                    err) == 1);
    CHECK(err.str().find("cannot write") != std::string::npos);
    CHECK(std::distance(std::filesystem::directory_iterator(std::filesystem::path(target).parent_path()), {}) == 1);
}
