// Step 5.4: the timers of sylar's IO manager, under the virtual clock.
#include "labs/05_epoll_io/tests/support/managed.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.4 a timer begins a task at its time, though nothing else happens") {
    INFO("the idle task waits until the first deadline of the timers");
    use_virtual_time();
    Managed m;
    std::uint64_t early = 0, late = 0;
    go(
        [&] {
            m.manager.add_timer(50 * kMicrosecond, [&] {
                late = kit::now();
                m.manager.stop();
            });
            m.manager.add_timer(20 * kMicrosecond, [&] { early = kit::now(); });
        },
        "user");
    CHECK(m.stand.run() == "");
    INFO("the second one stands before the first: the idle task, which waits already, must be told");
    CHECK(early >= 20 * kMicrosecond);
    CHECK(early < 30 * kMicrosecond);
    CHECK(late >= 50 * kMicrosecond);
    CHECK(late < 60 * kMicrosecond);
}

TEST_CASE("5.4 a timer that was cancelled begins nothing, and keeps no manager alive") {
    INFO("a cancelled timer is taken out, and the second cancel says false");
    use_virtual_time();
    Managed m;
    std::uint64_t ended = 0;
    go(
        [&] {
            const TimerKey timer = m.manager.add_timer(kMillisecond, m.note("?"));
            m.manager.add_timer(5 * kMicrosecond, m.note("the other"));
            m.manager.stop();
            sleep_for(10 * kMicrosecond);
            m.log.emplace_back(m.manager.cancel_timer(timer) && !m.manager.cancel_timer(timer) ? "cancelled" : "?");
        },
        "user");
    CHECK(m.stand.run() == "");
    ended = kit::now();
    INFO("only the other one begins its callback");
    CHECK(m.log == Log{"the other", "cancelled"});
    INFO("the manager has not waited for it");
    CHECK(ended < kMillisecond);
}

TEST_CASE("5.4 a manager that is stopped still waits for its timers") {
    INFO("a timer is something pending: stop waits for it");
    use_virtual_time();
    Managed m;
    go(
        [&] {
            m.manager.add_timer(20 * kMicrosecond, m.note("timer"));
            m.manager.stop();
        },
        "user");
    CHECK(m.stand.run() == "");
    CHECK(m.log == Log{"timer"});
}

TEST_CASE("5.4 a timer that cancels an event is its time-out, as in sylar's hooked read") {
    INFO("cancel_event triggers the event, so that its owner goes on");
    use_virtual_time();
    Managed m;
    go(
        [&] {
            bool timed_out = false;
            const int fd = m.pair.a;
            m.manager.add_timer(30 * kMicrosecond, [&] { timed_out = m.manager.cancel_event(fd, Want::read); });
            m.manager.add_event(fd, Want::read);
            m.manager.wait_event(fd, Want::read);
            m.log.emplace_back(timed_out ? "time-out" : "?");
            m.manager.stop();
        },
        "reader");
    CHECK(m.stand.run() == "");
    CHECK(m.log == Log{"time-out"});
}
