// Figures of scheduling, from a trace of a few lines.
#include "traces/replay/figures.h"

#include "testing/catch.h"
#include "traces/tests/support.h"

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
    CHECK(f.ready.max == 10);
    CHECK(f.ready.p50 == 10);
    CHECK(f.overshoot.max == 15);
    CHECK(f.idle > 0.249);
    CHECK(f.idle < 0.251);
    INFO("A got two thirds of its time, B all of it");
    const double jain = (2.0 / 3 + 1) * (2.0 / 3 + 1) / (2 * (4.0 / 9 + 1));
    CHECK(f.fairness > jain - 0.001);
    CHECK(f.fairness < jain + 0.001);
}

TEST_CASE("figures of an empty trace are nothing, and fair") {
    const Trace trace = read_events({});
    const Figures f = figures_of(Replay(trace));
    CHECK(f.makespan == 0);
    CHECK(f.fairness == 1);
}
