// Recordings with a known verdict: valid ones, changed so that they stay valid, or so that a known invariant breaks at
// a known place. FIBERSCOPE_MUTATIONS=10000 sets the number of changes (`./lab test --long`).
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/check/checker.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

using Json = nlohmann::json;
using Lines = std::vector<Json>;

using Suits = bool (*)(const Lines& lines, std::size_t n);
bool any(const Lines&, std::size_t) { return true; }

/// Predicate on the event at a place; null: any event.
struct Place {
    const char *event, *field, *word;
};
constexpr Place at(const char* event = nullptr, const char* field = nullptr, const char* word = nullptr) {
    return {event, field, word};
}
/// A change at one place.
struct Change {
    const char* what;
    int breaks;  ///< the invariant; 0: none
    Place place;
    void (*make)(Lines& lines, std::size_t n);
    Suits suits = any;  ///< further conditions on the place
};

bool is(const Json& line, const char* event) { return line.at("ev") == event; }
bool has(const Json& line, const char* field, const char* word) {
    return line.contains(field) && line.at(field) == word;
}
void repeat(Lines& lines, std::size_t n) {
    const Json line = lines[n];
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(n), line);
}
void insert_after(Lines& lines, std::size_t n, Json line) {
    line["t"] = lines[n].at("t");
    line["m"] = lines[n].at("m");
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(n) + 1, std::move(line));
}
/// An unused number of a coroutine ("co") or timer ("timer").
std::int64_t unused(const Lines& lines, const char* field) {
    std::int64_t most = 0;
    for (const Json& line : lines)
        if (line.contains(field) && line.at(field).is_number())
            most = std::max(most, line.at(field).get<std::int64_t>());
    return most + 1;
}
/// Whether a coroutine is named again after its spawn.
bool is_used(const Lines& lines, std::size_t n) {
    const Json& co = lines[n].at("co");
    for (std::size_t i = n + 1; i < lines.size(); ++i)
        for (const char* field : {"co", "from", "to", "parent"})
            if (lines[i].contains(field) && lines[i].at(field) == co && !(is(lines[i], "state") && field[0] != 'c'))
                return true;
    return false;
}

const Change kChanges[] = {
    // ---- changes that break nothing
    {"a note more", 0, at(),
     [](Lines& lines, std::size_t n) {
         insert_after(lines, n, {{"ev", "note"}, {"text", "more"}});
     }},
    {"a field of a later version", 0, at(),
     [](Lines& lines, std::size_t n) {
         lines[n]["later"] = Json::array({1, "x"});
     }},
    {"one more that never runs", 0, at(),
     [](Lines& lines, std::size_t n) {
         insert_after(lines, n, {{"ev", "spawn"}, {"co", unused(lines, "co")}, {"kind", "task"}, {"name", "idle"}});
     }},
    {"another name", 0, at("spawn"), [](Lines& lines, std::size_t n) { lines[n]["name"] = "\u001b[2J 名"; }},
    {"another set", 0, at(),
     [](Lines& lines, std::size_t n) {
         insert_after(lines, n, {{"ev", "set"}, {"set", "more"}, {"role", "wait"}, {"structure", "map"}});
     }},
    // ---- changes that break an invariant
    {"spawned twice", 1, at("spawn"), repeat},
    {"never spawned", 1, at("spawn"),
     [](Lines& lines, std::size_t n) { lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(n)); }, is_used},
    {"its own parent", 1, at("spawn"), [](Lines& lines, std::size_t n) { lines[n]["parent"] = lines[n].at("co"); }},
    {"from another state", 1, at("state"),
     [](Lines& lines, std::size_t n) { lines[n]["from"] = lines[n].at("from") == "waiting" ? "sleeping" : "waiting"; }},
    {"left by one that does not run", 2, at("switch"),
     [](Lines& lines, std::size_t n) { std::swap(lines[n]["from"], lines[n]["to"]); }},
    {"the same switch again", 2, at("switch"), repeat},
    {"started, but had run", 2, at("switch", "why", "resume"),
     [](Lines& lines, std::size_t n) { lines[n]["why"] = "start"; }},
    {"resumed, but had not run", 2, at("switch", "why", "start"),
     [](Lines& lines, std::size_t n) { lines[n]["why"] = "resume"; }},
    {"an exit that leaves it suspended", 2, at("switch", "why", "exit"),
     [](Lines& lines, std::size_t n) { lines[n]["left"] = "suspended"; }},
    {"inserted twice", 3, at("insert"), repeat},
    {"removed twice", 3, at("remove"), repeat},
    {"a sleeper without end", 5, at("switch", "left", "sleeping"),
     [](Lines& lines, std::size_t n) { lines[n].erase("until"); }},
    {"a timer that was never added", 5, at("timer", "op", "fire"),
     [](Lines& lines, std::size_t n) { lines[n]["timer"] = unused(lines, "timer"); }},
    {"a timer that fires although it was cancelled", 5, at("timer", "op", "cancel"),
     [](Lines& lines, std::size_t n) {
         insert_after(lines, n, {{"ev", "timer"}, {"timer", lines[n].at("timer")}, {"op", "fire"}});
     }},
    {"released twice", 6, at("lock", "op", "release"), repeat},
    {"taken twice", 6, at("lock", "op", "acquire"), repeat,
     [](const Lines& lines, std::size_t n) { return !has(lines[n], "mode", "read"); }},
    {"one byte more comes back", 7, at("copy", "dir", "in"),
     [](Lines& lines, std::size_t n) { lines[n]["bytes"] = lines[n].at("bytes").get<int>() + 1; }},
    {"copied in twice", 7, at("copy", "dir", "in"), repeat},
    {"time runs backwards", 9, at(),
     [](Lines& lines, std::size_t n) {
         insert_after(lines, n, {{"ev", "note"}, {"text", "early"}});
         lines[n + 1]["t"] = lines[n].at("t").get<std::uint64_t>() - 1;
     },
     [](const Lines& lines, std::size_t n) { return n > 0 && lines[n].at("t") > 0; }},
};

Lines lines_of(const std::string& text) { return Json::parse(text).at("events").get<Lines>(); }

std::string text_of(const Lines& lines) {
    std::string text;
    for (const Json& line : lines) text += line.dump() + "\n";
    return document(text);
}

/// Valid recordings: generated ones, and the small samples.
std::vector<Lines> sound_ones() {
    std::vector<Lines> found;
    for (std::uint32_t seed = 1; seed <= 10; ++seed)
        found.push_back(lines_of(scheduler_trace({.seed = seed, .events = 300, .coroutines = 8})));
    for (const auto& file : samples())
        if (std::filesystem::file_size(file) < 45'000) found.push_back(lines_of(file_text(file)));
    return found;
}

/// The places at which a change can be made.
std::vector<std::size_t> places_for(const Change& change, const Lines& lines) {
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < lines.size(); ++n)
        if ((change.place.event == nullptr || is(lines[n], change.place.event)) &&
            (change.place.field == nullptr || has(lines[n], change.place.field, change.place.word)) &&
            change.suits(lines, n))
            places.push_back(n);
    return places;
}

unsigned tries() {
    const char* wanted = std::getenv("FIBERSCOPE_MUTATIONS");
    if (wanted == nullptr) return static_cast<unsigned>(fiberscope::testing::rounds(1000));
    return static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

}  // namespace

TEST_CASE("each change of a recording can be made in some recording") {
    const std::vector<Lines> sound = sound_ones();
    for (const Change& change : kChanges) {
        INFO(change.what);
        CHECK(std::any_of(sound.begin(), sound.end(),
                          [&](const Lines& lines) { return !places_for(change, lines).empty(); }));
    }
}

TEST_CASE("a recording that is changed in one place has the verdict that this change deserves") {
    const std::vector<Lines> sound = sound_ones();
    for (unsigned seed = 0; seed < tries(); ++seed) {
        const Change& change = kChanges[seed % std::size(kChanges)];
        std::mt19937_64 random(seed);
        Lines lines;
        std::vector<std::size_t> places;
        for (std::size_t tried = random(); places.empty(); ++tried) {
            lines = sound[tried % sound.size()];
            places = places_for(change, lines);
        }
        const std::size_t place = places[random() % places.size()];
        change.make(lines, place);
        const auto broken = check(read_text(text_of(lines)));
        INFO("seed " << seed << ": " << change.what << ", at event " << place << (broken ? ": " + broken->why : ""));
        REQUIRE((broken ? broken->invariant : 0) == change.breaks);
    }
}
