// Step 6.1: the sleep tree as a store.
#define FIBERSCOPE_STEP "6.1"
#define FIBERSCOPE_STORE TreeStore
#include "labs/06_timers/tree_store.h"

#include "labs/04_scheduler/tasks.h"
#include "labs/06_timers/tests/stores.h"

TEST_CASE("6.1 the order of timers is deadline first, then insertion") {
    Numbered early(0), late(1), later(2);
    early.deadline = 5;
    early.order = 9;
    late.deadline = later.deadline = 6;
    late.order = 3;
    later.order = 4;
    INFO("the earlier deadline first; of equal ones the lower order; no timer is before itself");
    CHECK(expires_before(early, late));
    CHECK_FALSE(expires_before(late, early));
    CHECK(expires_before(late, later));
    CHECK_FALSE(expires_before(later, late));
    CHECK_FALSE(expires_before(late, late));
    Numbered far(3), never(4);
    far.deadline = std::uint64_t{1} << 63;
    never.deadline = kNever;
    {
        INFO("compare the deadlines, not the sign of their difference, which may overflow a signed number");
        CHECK(expires_before(early, far));
        CHECK(expires_before(far, never));
        CHECK(expires_before(early, never));
        CHECK_FALSE(expires_before(never, early));
    }
    INFO("the order counts all timers ever added, which does not fit into an int");
    later.order = late.order + (std::uint64_t{1} << 31);
    CHECK(expires_before(late, later));
    CHECK_FALSE(expires_before(later, late));
}

TEST_CASE("6.1 the tree in the trace is a red-black tree of timers at every step") {
    const trace::Trace recorded = trace_of_forty_timers<TreeStore>();
    INFO("each timer that is inserted is removed once, when it is cancelled or expires; a refresh does both");
    CHECK(count(recorded, trace::TimerOp::add) == 40);
    CHECK(count(recorded, trace::TimerOp::cancel) == 10);
    CHECK(count(recorded, trace::TimerOp::refresh) > 2);
    CHECK(count(recorded, trace::TimerOp::fire) == 30);
    CHECK(count(recorded, trace::Kind::insert, "timers") == count(recorded, trace::Kind::remove, "timers"));
    CHECK(count(recorded, trace::Kind::link, "timers") > 200);
}

TEST_CASE("6.1 a timer has left the tree when it expires, in the trace too") {
    const trace::Trace recorded = trace_of_forty_timers<TreeStore>();
    std::size_t left = 0, early = 0, expired = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        left += recorded[i].kind == trace::Kind::remove ? 1U : 0U;
        if (recorded[i].kind != trace::Kind::timer) continue;
        const bool fires = recorded[i].first<trace::TimerOp>() == trace::TimerOp::fire;
        expired += fires ? 1U : 0U;
        early += fires && left == 0 ? 1U : 0U;
        left = 0;
    }
    INFO("Expired::push comes after tree_.remove");
    CHECK(expired == 30);
    CHECK(early == 0);
}
