// Scheduling figures, idle spans of machines, and response times of clients, from traces of a few lines.
#include "traces/replay/figures.h"

#include <algorithm>
#include <numeric>

#include "testing/catch.h"
#include "traces/replay/answers.h"
#include "traces/replay/idle.h"
#include "traces/replay/ready.h"
#include "traces/tests/support.h"
#include "traces/words/words.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

// A runs 10 ns and yields, is ready for 10 ns, and runs 10 more; B sleeps until 40 and runs again at 55, after an idle
// poll.
TEST_CASE("figures of a run: waiting, idling, oversleeping, fairness") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B")",
        R"("t":0,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":10,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"ready")",
        R"("t":10,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"normal")",
        R"("t":20,"m":0,"ev":"switch","from":2,"to":0,"why":"yield","left":"sleeping","until":40)",
        R"("t":20,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
        R"("t":30,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
        R"("t":30,"m":0,"ev":"poll","phase":"enter","timeout":10)",
        R"("t":55,"m":0,"ev":"poll","phase":"leave","ready":0)",
        R"("t":55,"m":0,"ev":"switch","from":0,"to":2,"why":"resume","left":"normal")",
        R"("t":100,"m":0,"ev":"switch","from":2,"to":0,"why":"exit","left":"dead")",
    });
    Replay replay(trace);
    replay.seek(replay.size());
    const Figures f = figures_of(replay);
    CHECK(f.makespan == 100);
    CHECK(f.switches == 8);
    INFO("A was ready for 10 ns, B was due for 15");
    CHECK(f.waiting.max == 15);
    CHECK(f.waiting.p50 == 10);
    CHECK(f.overshoot.max == 15);
    CHECK(f.idle > 0.249);
    CHECK(f.idle < 0.251);
    INFO("A got two thirds of its time, B 55 of the 70 ns in which it ran or was due");
    const double a = 2.0 / 3, b = 55.0 / 70, jain = (a + b) * (a + b) / (2 * (a * a + b * b));
    CHECK(f.fairness > jain - 0.001);
    CHECK(f.fairness < jain + 0.001);
}

TEST_CASE("percentiles are those of the nearest rank") {
    std::vector<std::uint64_t> all(73);
    std::iota(all.begin(), all.end(), 1);
    CHECK(spread_of(all).p50 == 37);
    CHECK(spread_of(all).p99 == 73);
    CHECK(spread_of({7, 5}).p50 == 5);
}

namespace {

/// Machine 0 works, polls for 20 ns, works, polls without waiting; machine 1 is parked, and polls at the end.
Trace two_machines() {
    return read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":1,"ev":"spawn","co":1,"kind":"thread","name":"second")",
        R"("t":10,"m":0,"ev":"poll","phase":"enter","timeout":30)",
        R"("t":15,"m":1,"ev":"machine","op":"park")",
        R"("t":30,"m":0,"ev":"poll","phase":"leave","ready":1)",
        R"("t":50,"m":0,"ev":"poll","phase":"enter","timeout":0)",
        R"("t":55,"m":0,"ev":"poll","phase":"leave","ready":1)",
        R"("t":60,"m":1,"ev":"machine","op":"unpark")",
        R"("t":70,"m":1,"ev":"poll","phase":"enter")",
        R"("t":100,"m":0,"ev":"note","text":"the end")",
    });
}

/// A scheduler resumes its idle coroutine `rounds` times from 20 on, for 10 ns each, and then a task.
Trace looking_for_work(int rounds) {
    std::vector<std::string> lines{
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"scheduler","name":"scheduler")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"idle","name":"idle")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"A")",
    };
    int t = 20;
    const auto at = [&](const std::string& rest) { lines.push_back("\"t\":" + std::to_string(t) + rest); };
    for (int i = 0; i < rounds; ++i) {
        at(R"(,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")");
        t += 10;
        at(R"(,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended")");
    }
    at(R"(,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"normal")");
    t = 100;
    at(R"(,"m":0,"ev":"switch","from":2,"to":0,"why":"exit","left":"dead")");
    return read_events(lines);
}

}  // namespace

TEST_CASE("a machine that waits in the poller is idle, a machine that only polls is not") {
    const IdleTime idle(two_machines());
    REQUIRE(idle.of(0).size() == 1);
    CHECK(idle.of(0)[0].kind == Idle::polls);
    CHECK(idle.of(0)[0].from == 10);
    CHECK(idle.of(0)[0].to == 30);
    CHECK(idle.share(0, 0, 100) == 20);
    CHECK(idle.share(0, 20, 25) == 5);
    CHECK(idle.share(0, 40, 100) == 0);
}

TEST_CASE("a machine whose task is in a blocking call is idle from the call to the return") {
    const IdleTime idle(
        read_events({R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
                     R"("t":10,"m":0,"ev":"machine","op":"call")", R"("t":40,"m":0,"ev":"machine","op":"return")",
                     R"("t":50,"m":0,"ev":"note","text":"it goes on")"}));
    REQUIRE(idle.of(0).size() == 1);
    CHECK(idle.of(0)[0].kind == Idle::blocked);
    CHECK(idle.total(Idle::blocked) == 30);
    CHECK(idle.total(Idle::parked) == 0);
}

TEST_CASE("a machine that waits for a lock is idle until it takes it") {
    const Trace trace = read_events({R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
                                     R"("t":10,"m":0,"ev":"machine","op":"wait","object":"a")",
                                     R"("t":30,"m":0,"ev":"machine","op":"take","object":"a")",
                                     R"("t":30,"m":0,"ev":"machine","op":"wait","object":"b")",
                                     R"("t":35,"m":0,"ev":"machine","op":"take","object":"b")",
                                     R"("t":60,"m":0,"ev":"machine","op":"wait","object":"a")",
                                     R"("t":75,"m":0,"ev":"machine","op":"take","object":"a")",
                                     R"("t":100,"m":0,"ev":"note","text":"it goes on")"});
    const Figures figures = figures_of(Replay(trace));
    CHECK(figures.locked == 0.4);
    CHECK(figures.idle == 0);
}

TEST_CASE("a parked machine is idle in another way, and an open interval lasts to the end") {
    const Trace trace = two_machines();
    const IdleTime idle(trace);
    REQUIRE(idle.of(1).size() == 2);
    CHECK(idle.of(1)[0].kind == Idle::parked);
    CHECK(idle.of(1)[1].kind == Idle::polls);
    CHECK(idle.of(1)[1].to == 100);
    CHECK(idle.of(1)[1].end == trace.size());
    CHECK(idle.share(1, 0, 100) == 75);
    CHECK(idle.total(Idle::parked) == 45);
    CHECK_FALSE(idle.has(Idle::spins));
    CHECK(idle.at(1, 3) == nullptr);
    REQUIRE(idle.at(1, 4) != nullptr);
    CHECK(idle.at(1, 4)->kind == Idle::parked);
    CHECK(idle.at(1, 7) != nullptr);
    CHECK(idle.at(1, 8) == nullptr);  // the event at the playhead ends it
    CHECK(idle.at(7, 4) == nullptr);
}

TEST_CASE("a machine that looks for work twice and finds none spins; once is a look") {
    CHECK_FALSE(IdleTime(looking_for_work(1)).has(Idle::spins));
    const Trace trace = looking_for_work(3);
    const IdleTime idle(trace);
    REQUIRE(idle.of(0).size() == 1);
    CHECK(idle.of(0)[0].kind == Idle::spins);
    CHECK(idle.of(0)[0].from == 20);
    CHECK(idle.of(0)[0].to == 50);
    const Figures figures = figures_of(Replay(trace));
    CHECK(figures.spinning == 0.3);
    CHECK(figures.idle == 0);
}

namespace {

std::string call(int t, int co, int fd, const std::string& op, const std::string& rest) {
    return "\"t\":" + std::to_string(t) + ",\"m\":0,\"ev\":\"io\",\"co\":" + std::to_string(co) +
           ",\"fd\":" + std::to_string(fd) + ",\"op\":\"" + op + "\"," + rest;
}

const std::string kCall = R"("phase":"call")", kDone = R"("phase":"done","result":5)";

/// Task 1 is a server at descriptor 5, and task 2 a client at 4.
Trace server_and_client() {
    return read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"server")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"client")",
        call(10, 1, 5, "recv", kCall),
        call(20, 2, 4, "connect", kCall),
        call(30, 2, 4, "send", kCall),
        call(31, 2, 4, "send", kDone),
        call(35, 2, 4, "send", kCall),
        call(36, 2, 4, "send", kDone),
        call(40, 2, 4, "recv", kCall),
        call(50, 1, 5, "recv", kDone),
        call(60, 1, 5, "send", kCall),
        call(61, 1, 5, "send", kDone),
        call(62, 1, 5, "recv", kCall),
        call(70, 2, 4, "recv", kDone),
        call(72, 2, 4, "recv", kCall),
        call(73, 2, 4, "recv", kDone),
        call(100, 2, 4, "send", kCall),
        call(130, 2, 4, "recv", kDone),
        call(140, 1, 5, "recv", kDone),
        call(150, 2, 4, "send", kCall),
        call(190, 2, 4, "recv", R"("phase":"done","result":0)"),
    });
}

}  // namespace

TEST_CASE("a task that writes first is a client: its answer takes from the request to the first bytes") {
    const auto clients = answers_of(server_and_client());
    REQUIRE(clients.size() == 1);
    CHECK(clients[0].client == "client");
    INFO("the end of the connection at 190 is not an answer, and neither are more bytes at 73");
    CHECK(clients[0].took == std::vector<std::uint64_t>{40, 30});
    const Figures figures = figures_of(Replay(server_and_client()));
    CHECK(figures.answer.count == 2);
    CHECK(figures.answer.max == 40);
    CHECK(figures.calls == 10);
}

TEST_CASE("the counts of a client that is not a task are in its note") {
    const auto of = [](const std::string& text) {
        return answers_of(read_events({R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
                                       (R"("t":9,"m":0,"ev":"note","co":0,"text":")" + text + "\"")}));
    };
    const auto clients = of("client 3: answers after 33800, 20, 7 ns");
    REQUIRE(clients.size() == 1);
    CHECK(clients[0].client == "client 3");
    CHECK(clients[0].took == std::vector<std::uint64_t>{33800, 20, 7});
    for (const char* other : {"client 3: answers after  ns", "client 3: answers after 1,2 ns",
                              "client 3: answers after 1, ns", "client 3: answers after 1 us", "answers after 1 ns"})
        CHECK(of(other).empty());
}

// A yields at 10 and B runs until 30. Meanwhile A is ready, and from 25 on C is due, which the scheduler notices at 40.
TEST_CASE("a task waits for a machine while it is ready, and from its deadline on until it runs") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B")",
        R"("t":0,"m":0,"ev":"spawn","co":3,"parent":0,"kind":"task","name":"C")",
        R"("t":0,"m":0,"ev":"switch","from":0,"to":3,"why":"start","left":"normal")",
        R"("t":5,"m":0,"ev":"switch","from":3,"to":0,"why":"yield","left":"sleeping","until":25)",
        R"("t":5,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":10,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"ready")",
        R"("t":10,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"normal")",
        R"("t":30,"m":0,"ev":"switch","from":2,"to":0,"why":"exit","left":"dead")",
        R"("t":30,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
        R"("t":40,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
        R"("t":40,"m":0,"ev":"state","co":3,"from":"sleeping","to":"ready","cause":"deadline")",
        R"("t":45,"m":0,"ev":"switch","from":0,"to":3,"why":"resume","left":"normal")",
        R"("t":50,"m":0,"ev":"switch","from":3,"to":0,"why":"exit","left":"dead")",
    });
    const Replay replay(trace);
    auto waits = waits_of(replay);
    std::sort(waits.begin(), waits.end());
    CHECK(waits == std::vector<std::uint64_t>{20, 20});
    const ReadyLength ready(replay);
    CHECK(ready.most() == 2);
    CHECK(ready.mean(0, 50) == 40.0 / 50);
    CHECK(ready.mean(20, 30) == 1.5);
    CHECK(ready.mean(30, 30) == 0);
    CHECK(ready.means(5) == std::vector<double>{0, 1, 1.5, 1, 0.5});
    CHECK(figures_of(replay).waiting.max == 20);
    CHECK(figures_of(replay).queue_most == 2);
}
