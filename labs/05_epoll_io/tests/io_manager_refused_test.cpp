// Step 5.4: descriptors that epoll refuses, events of other tasks, one event of two; and numbers that the process
// refuses.
#include <unistd.h>

#include "labs/05_epoll_io/parts/wake_timer.h"
#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/05_epoll_io/tests/support/managed.h"
#include "labs/kit/run/numbered.h"
#include "labs/kit/testing/recorded.h"
#include "labs/kit/testing/usual_turns.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.4 the manager does not deadlock on a lock that it holds") {
    INFO("begin creates a task while the scheduler's lock is held; lab04::go acquires that lock, and would deadlock");
    const auto recorded = kit::testing::record("own_locks", [] {
        const kit::testing::OwnLocks watch;
        EpollSource source;
        lab04::Scheduler sched(lab04::Settings{.strategy = "sylar", .source = &source});
        IOManager manager(source);
        const Pair pair = Pair::sockets();
        go("user", [&] {
            manager.add_event(pair.a, Want::read, [] { kit::note("triggered"); });
            manager.cancel_event(pair.a, Want::read);
            manager.schedule([] {});
            sleep_for(kMillisecond);
            manager.stop();
        });
        static_cast<void>(sched.run());
    });
    const bool waits_for_its_own_lock = kit::testing::OwnLocks::says(recorded.fault);
    CHECK_FALSE(waits_for_its_own_lock);
    CHECK(recorded.fault == "");
    INFO("a cancelled event is triggered");
    bool triggered = false;
    for (std::size_t i = 0; i < recorded.trace.size(); ++i)
        triggered = triggered || recorded.trace.text(recorded.trace[i].text) == "triggered";
    CHECK(triggered);
}

TEST_CASE("5.4 an event of a file may be added again and again, and each is triggered once") {
    INFO("set the event before you watch: epoll refuses a file, and triggers the event during the call");
    Managed m;
    const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    int called = 0, added = 0;
    std::size_t pending = 9;
    go([&] {
        for (int i = 0; i < 3; ++i) {
            added += m.manager.add_event(file, Want::read, [&] { ++called; }) ? 1 : 0;
            sleep_for(kMillisecond);
        }
        pending = m.manager.pending();
        m.manager.stop();
    });
    CHECK(m.stand.run() == "");
    system_calls().close(file);
    CHECK(added == 3);
    CHECK(called == 3);
    CHECK(pending == 0);
}

TEST_CASE("5.4 waiting for an event of another task returns at once") {
    INFO("wait_event waits for an event that this task has added; any other event will wake its own task");
    Managed m;
    bool early = false;
    std::uint64_t ended = 0, own_ended = 0;
    go([&] {
        m.manager.add_event(m.pair.a, Want::read);
        sleep_for(5 * kMillisecond);
        early = ended != 0;
        m.manager.wait_event(m.pair.a, Want::read);
        own_ended = kit::now();
        m.manager.stop();
    });
    const Handle other = go([&] {
        m.manager.wait_event(m.pair.a, Want::read);
        ended = kit::now();
    });
    go([&] {
        sleep_for(10 * kMillisecond);
        m.put();
        sleep_for(10 * kMillisecond);
        lab04::cancel(other);
    });
    CHECK(m.stand.run() == "");
    CHECK(early);
    INFO("the task that has added the event waits for it");
    CHECK(own_ended >= 10 * kMillisecond);
}

TEST_CASE("5.4 cancel_all returns true if one of the two events existed") {
    INFO("it triggers both; false if there is neither");
    Managed m;
    std::vector<bool> said;
    go([&] {
        for (const Want want : {Want::read, Want::write}) {
            m.manager.add_event(m.pair.a, want, m.note("called"));
            said.push_back(m.manager.cancel_all(m.pair.a));
            said.push_back(m.manager.cancel_all(m.pair.a));
        }
        m.manager.stop();
    });
    CHECK(m.stand.run() == "");
    CHECK(said == std::vector<bool>{true, false, true, false});
    CHECK(m.log == Log{"called", "called"});
}

TEST_CASE("5.4 a manager leaves no descriptor open at its end, and none that its scheduler's source knows") {
    INFO("given: the manager closes the descriptor of its tickles");
    Stand stand;
    const std::set<int> before = open_descriptors();
    for (int i = 0; i < 3; ++i) {
        IOManager manager(stand.source);
        go([&] { manager.stop(); }, "stops");
        CHECK(stand.run() == "");
    }
    CHECK(open_descriptors() == before);
    CHECK(stand.source.registered() == 0);
}
