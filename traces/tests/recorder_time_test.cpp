#include <algorithm>
#include <thread>

#include "testing/catch.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

namespace {

using Times = std::vector<std::pair<int, std::uint64_t>>;

/// Machine and time of each event that `body` records.
template <class Body>
Times times_of(Body body) {
    Times all;
    const json events = recorded_events(body);
    for (const json& e : events) all.emplace_back(e.at("m"), e.at("t"));
    return all;
}

}  // namespace

TEST_CASE("time never runs backwards on a machine") {
    CHECK(times_of([] {
              for (const std::uint64_t now : {5U, 3U, 9U, 0U}) record(now, note_event(), "x");
          }) == Times{{0, 5}, {0, 5}, {0, 9}, {0, 9}});
}

TEST_CASE("an event that names an object that another machine touched is later than that touch") {
    CausalStamp co;
    CausalStamp other;
    const json events = recorded_events([&] {
        record(100, note_event(1), co, "first");
        std::thread([&] {
            record(10, note_event(), "before");
            record(20, note_event(1), co, "after the touch");
            record(5, note_event(2), other, "still");
        }).join();
        record(50, note_event(1), co, other, "back again");
    });
    std::map<std::string, std::uint64_t> t;
    for (const json& e : events) t[e.at("text")] = e.at("t");
    CHECK(t == std::map<std::string, std::uint64_t>{
                   {"first", 100}, {"before", 10}, {"after the touch", 101}, {"still", 101}, {"back again", 102}});
    CHECK(co.t == 102);
    CHECK(co.m == 0);
    CHECK(other.t == 102);
}

TEST_CASE("a touch by the same machine does not move time, and one of an earlier trace does not count") {
    CausalStamp co;
    CHECK(times_of([&] {
              record(100, note_event(1), co, "a");
              record(100, note_event(1), co, co, "b");
          }) == Times{{0, 100}, {0, 100}});
    CHECK(times_of([&] { record(1, note_event(1), co, "c"); }) == Times{{0, 1}});
}

TEST_CASE("hand-overs between machines are in causal order after a merge by time") {
    json events = recorded_events([] {
        CausalStamp ball;
        for (int round = 0; round < 200; ++round) {
            record(0, note_event(1), ball, std::to_string(2 * round));
            std::thread([&] { record(0, note_event(1), ball, std::to_string(2 * round + 1)); }).join();
        }
    });
    std::stable_sort(events.begin(), events.end(), [](const json& a, const json& b) { return a.at("t") < b.at("t"); });
    std::vector<std::string> order;
    std::vector<std::string> expected;
    for (const json& e : events) order.push_back(e.at("text"));
    for (int i = 0; i < 400; ++i) expected.push_back(std::to_string(i));
    CHECK(order == expected);
}
