// Step 5.4: sylar's IO manager.
#include <algorithm>
#include <memory>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests/support/managed.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.4 an event starts a task for its callback, once") {
    INFO("triggering removes the event, and starts a task for its callback");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_event(m.pair.a, Want::read, m.note("readable"));
        sleep_for(10 * kMicrosecond);
        m.log.emplace_back(m.manager.pending() == 1 ? "pending" : "?");
        m.put();
        sleep_for(10 * kMicrosecond);
        m.log.emplace_back(m.manager.pending() == 0 ? "triggered" : "?");
        sleep_for(10 * kMicrosecond);
        m.manager.stop();
    }) == "");
    INFO("it is still readable, but the event was a single one");
    CHECK(m.log == Log{"pending", "readable", "triggered"});
}

TEST_CASE("5.4 without a callback the task itself is woken") {
    INFO(
        "without a callback the event wakes the task that has added it, and then has no owner: otherwise the end "
        "of its wait deletes it a second time");
    Managed m;
    go("waits", [&] {
        m.manager.add_event(m.pair.a, Want::read);
        m.log.emplace_back(m.manager.wait_event(m.pair.a, Want::read) == Wake::event ? "woken" : "?");
        m.manager.stop();
    });
    go("writes", [&] {
        m.log.emplace_back("writes");
        m.put();
    });
    CHECK(m.stand.run() == "");
    CHECK(m.log == Log{"writes", "woken"});
}

TEST_CASE("5.4 reading and writing are two events; the same one cannot be added twice") {
    INFO("a context has one slot for reading and one for writing: an occupied slot is refused, and keeps its callback");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        const bool first = m.manager.add_event(m.pair.a, Want::read, m.note("readable"));
        const bool other = m.manager.add_event(m.pair.a, Want::write, m.note("writable"));
        const bool again = m.manager.add_event(m.pair.a, Want::read, m.note("?"));
        m.log.emplace_back(first && other && !again ? "two" : "?");
        sleep_for(10 * kMicrosecond);
        m.put();
        m.manager.stop();
    }) == "");
    CHECK(m.log == Log{"two", "writable", "readable"});
}

TEST_CASE("5.4 a callback may add its event again") {
    INFO("remove the event before you start its callback");
    Managed m;
    IOManager::Callback again = [&] {
        m.take();
        m.log.emplace_back("read");
        if (m.log.size() < 3)
            m.manager.add_event(m.pair.a, Want::read, again);
        else
            m.manager.stop();
    };
    CHECK(m.stand.run("user", [&] {
        m.manager.add_event(m.pair.a, Want::read, again);
        for (int i = 0; i < 3; ++i) {
            m.put();
            sleep_for(10 * kMicrosecond);
        }
    }) == "");
    CHECK(m.log == Log{"read", "read", "read"});
}

TEST_CASE("5.4 delete removes an event, cancel triggers it, cancel_all triggers both") {
    INFO("delete removes the event, cancel triggers it, cancel_all triggers both; false if there is none");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_event(m.pair.a, Want::read, m.note("deleted"));
        const bool deleted = m.manager.delete_event(m.pair.a, Want::read);
        const bool twice = m.manager.delete_event(m.pair.a, Want::read);
        m.log.emplace_back(deleted && !twice && m.manager.pending() == 0 ? "deleted" : "?");
        m.put();
        m.manager.add_event(m.pair.b, Want::read, m.note("cancelled"));
        m.log.emplace_back(m.manager.cancel_event(m.pair.b, Want::read) ? "cancel" : "?");
        sleep_for(kMicrosecond);
        m.manager.add_event(m.pair.b, Want::read, m.note("all: read"));
        m.manager.add_event(m.pair.b, Want::write, m.note("all: write"));
        m.log.emplace_back(m.manager.cancel_all(m.pair.b) && !m.manager.cancel_all(m.pair.b) ? "cancel all" : "?");
        m.manager.stop();
    }) == "");
    CHECK(m.log == Log{"deleted", "cancel", "cancelled", "cancel all", "all: read", "all: write"});
}

namespace {
/// Both events of `fd`, which epoll refuses, are triggered at once.
void check_always_ready(int fd) {
    Managed m;
    go("user", [&] {
        m.manager.add_event(fd, Want::read, m.note("callback"));
        m.manager.add_event(fd, Want::write);
        m.log.emplace_back(m.manager.wait_event(fd, Want::write) == Wake::event ? "waited" : "?");
        m.manager.stop();
    });
    INFO("a descriptor that epoll refuses is always ready: its event is triggered when it is added");
    CHECK(m.stand.run() == "");
    CHECK(m.log == Log{"waited", "callback"});
    CHECK(m.manager.pending() == 0);
}
}  // namespace

TEST_CASE("5.4 a file is always ready: its event is triggered at once") {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    check_always_ready(file);
    system_calls().close(file);
}

TEST_CASE("5.4 an event of a number that is not open is triggered at once: the call itself reports the error") {
    check_always_ready(250);
    check_always_ready(-1);
}

TEST_CASE("5.4 a close triggers all events of the descriptor: the callback starts, the owner is woken") {
    INFO("the close hook calls cancel_all before the number is free");
    Managed m;
    m.pair.fill();
    Log woken;
    std::size_t pending = 99;
    go("owner", [&] {
        m.manager.add_event(m.pair.b, Want::read, [&] { woken.emplace_back("callback"); });
        m.manager.add_event(m.pair.b, Want::write);
        if (m.manager.wait_event(m.pair.b, Want::write) == Wake::event) woken.emplace_back("owner");
    });
    later(kMillisecond, "closes", [&] {
        m.log = woken;
        io::close(std::exchange(m.pair.b, -1));
        pending = m.manager.pending();
        m.manager.stop();
    });
    CHECK(m.stand.run() == "");
    INFO("before the close neither had been triggered");
    CHECK(m.log.empty());
    CHECK(pending == 0);
    std::sort(woken.begin(), woken.end());
    CHECK(woken == Log{"callback", "owner"});
}

TEST_CASE("5.4 the manager lives until it is stopped and nothing is pending") {
    INFO("the idle task ends when stop was called and nothing is pending");
    Managed m;
    go("user", [&] {
        m.manager.add_event(m.pair.a, Want::read, m.note("at last"));
        m.manager.stop();
    });
    later(kMillisecond, "writer", [&] { m.put(); });
    CHECK(m.stand.run() == "");
    CHECK(m.log == Log{"at last"});
}

TEST_CASE("5.4 an event that is added after the stop is also waited for") {
    INFO("check whether an event is pending each time, not once when stop is called");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        m.manager.stop();
        sleep_for(kMillisecond);
        m.manager.add_event(m.pair.a, Want::read, m.note("late"));
        sleep_for(kMillisecond);
        m.put();
    }) == "");
    CHECK(m.log == Log{"late"});
}

TEST_CASE("5.4 an owner whose second event occurs before it waits is not woken out of another wait") {
    INFO("an event wakes its owner only while the owner waits for it in wait_event");
    Managed m;
    std::vector<Wake> ends;
    int added = 0;
    go("owner", [&] {
        for (int event = 0; event < 2; ++event) {
            added += m.manager.add_event(m.pair.a, Want::read) ? 1 : 0;
            if (event == 1) ends.push_back(sleep_for(50 * kMicrosecond));
            ends.push_back(m.manager.wait_event(m.pair.a, Want::read));
            m.take();
        }
        m.manager.stop();
    });
    go("writer", [&] {
        for (int event = 0; event < 2; ++event) {
            sleep_for(20 * kMicrosecond);
            m.put();
        }
    });
    CHECK(m.stand.run() == "");
    INFO("a context is reused for the next event: add_event must record again that its owner does not wait yet");
    CHECK(added == 2);
    CHECK(ends == std::vector{Wake::event, Wake::timeout, Wake::event});
}

TEST_CASE("5.4 callbacks of deleted and cancelled events are released") {
    INFO("clear the callback of the context when its event is removed");
    Managed m;
    const auto token = std::make_shared<int>(0);
    long of_added = 0, of_deleted = 0, of_cancelled = 0;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_event(m.pair.a, Want::read, [token] {});
        of_added = token.use_count();
        m.manager.delete_event(m.pair.a, Want::read);
        of_deleted = token.use_count();
        m.manager.add_event(m.pair.a, Want::read, [token] {});
        m.manager.cancel_event(m.pair.a, Want::read);
        sleep_for(10 * kMicrosecond);
        of_cancelled = token.use_count();
        m.manager.stop();
    }) == "");
    INFO("a callback that stays in its context keeps all its captures alive");
    CHECK(of_added == 2);
    CHECK(of_deleted == 1);
    CHECK(of_cancelled == 1);
}

TEST_CASE("5.4 after a delete there is nothing to wait for, and the task that had added the event is released") {
    INFO("a deleted event has neither a callback nor an owner");
    Managed m;
    Wake woken = Wake::timeout;
    bool added = false;
    unsigned kept = 0;
    const Handle owner = go("owner", [&] {
        added = m.manager.add_event(m.pair.a, Want::read);
        m.manager.delete_event(m.pair.a, Want::read);
        kept = lab04::running_task().holders.load();
        woken = m.manager.wait_event(m.pair.a, Want::read);
        m.manager.stop();
    });
    later(10 * kMicrosecond, "ends a wait that should not have begun", [&] { lab04::cancel(owner); });
    CHECK(m.stand.run() == "");
    CHECK(added);
    INFO("wait_event returns at once if this task has no event there");
    CHECK(woken == Wake::event);
    INFO("the scheduler and this test hold the task, the deleted event does not");
    CHECK(kept == 2);
}
