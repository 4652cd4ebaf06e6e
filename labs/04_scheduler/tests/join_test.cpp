// Step 4.3: what ends the wait of a task that joins another one.
#include <memory>

#include "labs/04_scheduler/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.3 a join that was cancelled does not wake its task later, out of another wait") {
    INFO("a task that joins no longer stands in no list of the other one's");
    Scheduler sched;
    Wake joined = Wake::event, slept = Wake::event;
    const Handle other = go([] { sleep_for(5 * kMicrosecond); });
    const Handle joiner = go([&] {
        joined = join(other);
        slept = sleep_for(50 * kMicrosecond);
    });
    later(kMicrosecond, "cancels", [&] { cancel(joiner); });
    run_sleepers(sched);
    CHECK(joined == Wake::cancelled);
    CHECK(slept == Wake::timeout);
}

TEST_CASE("4.3 a join goes on waiting when its task is woken for something else") {
    INFO("given: a wake may have been meant for another wait: join looks whether the task has ended, and waits on");
    Scheduler sched;
    Wake joined = Wake::timeout;
    bool had_ended = false;
    const Handle other = go([] { sleep_for(50 * kMicrosecond); });
    const Handle joiner = go([&] {
        joined = join(other);
        had_ended = other.done();
    });
    later(kMicrosecond, "wakes", [&] { wake(joiner); });
    run_sleepers(sched);
    CHECK(joined == Wake::event);
    CHECK(had_ended);
}

TEST_CASE("4.3 tasks that join each other are gone with their scheduler, and what they hold too") {
    const auto held = std::make_shared<int>(1);
    {
        Scheduler sched;
        Handle first, second;
        first = go([held, &second] { join(second); });
        second = go([held, &first] { join(first); });
        run_ready(sched);
    }
    INFO("given: a task that joins is kept by the other one's list; a scheduler that ends empties these lists");
    CHECK(held.use_count() == 1);
}
