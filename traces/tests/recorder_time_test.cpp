#include <algorithm>
#include <thread>

#include "testing/catch.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

namespace {

std::vector<std::pair<int, std::uint64_t>> times(const std::filesystem::path& file) {
    std::vector<std::pair<int, std::uint64_t>> all;
    const json whole = load(file);
    for (const json& e : whole.at("events")) all.emplace_back(e.at("m"), e.at("t"));
    return all;
}
using Times = std::vector<std::pair<int, std::uint64_t>>;

}  // namespace

TEST_CASE("time never runs backwards on a machine") {
    const Directory directory;
    open(directory / "t.json", meta());
    for (const std::uint64_t now : {5U, 3U, 9U, 0U}) record(now, note_event(), "x");
    close();
    CHECK(times(directory / "t.json") == Times{{0, 5}, {0, 5}, {0, 9}, {0, 9}});
}

TEST_CASE("an event that names what another machine touched is later than that touch") {
    const Directory directory;
    open(directory / "t.json", meta());
    CausalStamp co;
    CausalStamp other;
    record(100, note_event(1), co, "first");
    std::thread([&] {
        record(10, note_event(), "before");
        record(20, note_event(1), co, "after the touch");
        record(5, note_event(2), other, "still");
    }).join();
    record(50, note_event(1), co, other, "back again");
    close();
    const json events = load(directory / "t.json").at("events");
    std::map<std::string, std::uint64_t> t;
    for (const json& e : events) t[e.at("text")] = e.at("t");
    CHECK(t == std::map<std::string, std::uint64_t>{
                   {"first", 100}, {"before", 10}, {"after the touch", 101}, {"still", 101}, {"back again", 102}});
    CHECK(co.t == 102);
    CHECK(co.m == 0);
    CHECK(other.t == 102);
}

TEST_CASE("a touch by the same machine does not move time, and one of an earlier trace does not count") {
    const Directory directory;
    CausalStamp co;
    open(directory / "t.json", meta());
    record(100, note_event(1), co, "a");
    record(100, note_event(1), co, co, "b");
    close();
    CHECK(times(directory / "t.json") == Times{{0, 100}, {0, 100}});
    open(directory / "t.json", meta());
    record(1, note_event(1), co, "c");
    close();
    CHECK(times(directory / "t.json") == Times{{0, 1}});
}

TEST_CASE("what goes from machine to machine is in causal order after a merge by time") {
    const Directory directory;
    open(directory / "t.json", meta());
    CausalStamp ball;
    for (int round = 0; round < 200; ++round) {
        record(0, note_event(1), ball, std::to_string(2 * round));
        std::thread([&] { record(0, note_event(1), ball, std::to_string(2 * round + 1)); }).join();
    }
    close();
    json events = load(directory / "t.json").at("events");
    std::stable_sort(events.begin(), events.end(), [](const json& a, const json& b) { return a.at("t") < b.at("t"); });
    std::vector<std::string> order;
    std::vector<std::string> expected;
    for (const json& e : events) order.push_back(e.at("text"));
    for (int i = 0; i < 400; ++i) expected.push_back(std::to_string(i));
    CHECK(order == expected);
}
