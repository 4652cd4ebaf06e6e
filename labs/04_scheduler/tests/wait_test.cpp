// Step 4.3: the wait tree, and waking.
#include <memory>
#include <system_error>

#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// A scheduler on simulated events, in virtual time. A test that does not choose between tree and table runs with both.
struct Stand {
    explicit Stand(WaitBy by = GENERATE(WaitBy::tree, WaitBy::table))
        : sched(Settings{.strategy = "producer_consumer", .source = &io, .wait_by = by}) {
        use_virtual_time();
    }

    SimulatedSource io;
    Scheduler sched;
    Log log;

    Handle go_waiter(const char* name, int fd, Want want, std::uint64_t limit = kNever) {
        return go(name, [this, name, fd, want, limit] {
            constexpr const char* kWords[] = {"event", "timeout", "cancelled"};
            const Wake woken = wait_for(fd, want, limit);
            log.push_back(std::string(name) + " " + kWords[static_cast<std::size_t>(woken)]);
        });
    }
};

/// Logs events that no task requested.
struct StraySource : EventSource {
    std::vector<Event> events;
    void watch(int, Want) override {}
    void unwatch(int, Want) override {}
    std::span<Event> wait(std::uint64_t) override { return events; }
    bool expects_any() const override { return true; }
};

}  // namespace

TEST_CASE("4.3 an event wakes the task that waits for it, at the time of the event") {
    EXPECTS(
        "remove takes a task out of the wait tree too: a task that stays there is found for its event again and again");
    INFO("a task that waits is in the wait tree and watched; without a limit it is in no other set");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 12 * kMicrosecond);
    std::uint64_t woken = 0;
    const Handle handle = go("reader", [&] {
        wait_readable(7);
        woken = kit::now();
    });
    run_ready(stand.sched);
    CHECK(handle.task().status() == State::waiting);
    CHECK(english_of(why_not_running(handle.task())) == "waits for fd 7 to be readable");
    CHECK(stand.sched.waiting().size() == 1);
    INFO("without a limit no task is in the sleep tree");
    CHECK(stand.sched.sleeping().empty());
    run_waiters(stand.sched);
    CHECK(woken >= 12 * kMicrosecond);
    CHECK(woken < 13 * kMicrosecond);
}

TEST_CASE("4.3 a task that is parked with a limit is in the sleep tree, and a wake takes it out") {
    INFO("a task parked with a deadline is in the sleep tree, and a wake takes it out");
    Stand stand;
    Log log;
    const auto parks = [&] {
        log.emplace_back(park_for("a sign", 20 * kMicrosecond) == Wake::event ? "woken" : "late");
    };
    const Handle woken = go(parks, "woken"), late = go(parks, "late");
    run_ready(stand.sched);
    CHECK(woken.task().status() == State::waiting);
    CHECK(english_of(why_not_running(woken.task())) == "waits for a sign, until 20.1 µs at most");
    CHECK(stand.sched.sleeping().size() == 2);
    CHECK(stand.sched.waiting().empty());
    CHECK(wake(woken));
    CHECK(stand.sched.sleeping().size() == 1);
    kit::idle_until(21 * kMicrosecond);
    CHECK(stand.sched.expired(kit::now()) == &late.task());
    CHECK(stand.sched.wake(late.task(), Wake::timeout, Cause::deadline));
    run_ready(stand.sched);
    CHECK(log == Log{"woken", "late"});
}

TEST_CASE("4.3 a task that waits with a limit is in two sets, and an event takes it out of both") {
    EXPECTS("whatever ends the wait takes the task out of both trees");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    const Handle handle = stand.go_waiter("reader", 7, Want::read, 20 * kMicrosecond);
    run_ready(stand.sched);
    CHECK(stand.sched.waiting().contains(handle.task()));
    CHECK(stand.sched.sleeping().contains(handle.task()));
    CHECK(english_of(why_not_running(handle.task())) == "waits for fd 7 to be readable, until 20.1 µs at most");
    run_waiters(stand.sched);
    CHECK(stand.log == Log{"reader event"});
    CHECK(stand.sched.waiting().empty());
    CHECK(stand.sched.sleeping().empty());
}

TEST_CASE("4.3 a time-out takes the task out of both sets too, and it may wait again") {
    EXPECTS("a time-out also takes the task out of both trees, before it waits again");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 50 * kMicrosecond);
    std::vector<Wake> woken;
    std::vector<std::uint64_t> times;
    go("impatient", [&] {
        do {
            woken.push_back(wait_readable(7, 20 * kMicrosecond));
            times.push_back(kit::now());
        } while (woken.back() == Wake::timeout);
    });
    run_waiters(stand.sched);
    CHECK(woken == std::vector<Wake>{Wake::timeout, Wake::timeout, Wake::event});
    REQUIRE(times.size() == 3);
    CHECK(times[0] >= 20 * kMicrosecond);
    CHECK(times[0] < 21 * kMicrosecond);
    CHECK(stand.sched.waiting().empty());
    CHECK(stand.sched.sleeping().empty());
}

TEST_CASE("4.3 one task waits for reading and one for writing on one descriptor: each has its own event") {
    EXPECTS("an event is for a task that waits for this direction; skip the others");
    Stand stand;
    stand.io.becomes_ready(7, Want::write, 5 * kMicrosecond);
    stand.io.becomes_ready(7, Want::read, 9 * kMicrosecond);
    stand.go_waiter("reader", 7, Want::read);
    stand.go_waiter("writer", 7, Want::write);
    run_waiters(stand.sched);
    CHECK(stand.log == Log{"writer event", "reader event"});
}

TEST_CASE("4.3 two tasks wait to read one descriptor: the event wakes both, in the order of their arrival") {
    INFO("an event wakes all tasks that wait for it, in the order in which they came");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 5 * kMicrosecond);
    const Handle first = stand.go_waiter("first", 7, Want::read);
    stand.go_waiter("other", 6, Want::read, 30 * kMicrosecond);
    const Handle second = stand.go_waiter("second", 7, Want::read);
    run_ready(stand.sched);
    CHECK(waits_before(first.task(), second.task()));
    CHECK_FALSE(waits_before(second.task(), first.task()));
    run_waiters(stand.sched);
    CHECK(stand.log == Log{"first event", "second event", "other timeout"});
}

TEST_CASE("4.3 an event does not wake a task that began to wait after it was seen") {
    INFO("an event wakes only tasks whose order is smaller than the event's");
    Stand stand;
    const Handle early = stand.go_waiter("early", 7, Want::read);
    run_ready(stand.sched);
    const Event event{7, Want::read, stand.sched.next_order()};
    const Handle late = stand.go_waiter("late", 7, Want::read);
    run_ready(stand.sched);
    CHECK(stand.sched.waiter(event) == &early.task());
    stand.sched.remove(early.task(), Wake::event);
    INFO("otherwise a task that waits again at once would be woken by the same event forever");
    CHECK(stand.sched.waiter(event) == nullptr);
    CHECK(stand.sched.waiting().contains(late.task()));
    stand.sched.make_ready(early.task(), Cause::event);
}

TEST_CASE("4.3 an event for a descriptor that no task waits for wakes no task") {
    INFO("no task may be waiting for an event: waiter then returns null");
    StraySource stray;
    stray.events = {{3, Want::read}, {9, Want::write}, {7, Want::write}};
    Scheduler sched(Settings{.strategy = "producer_consumer", .source = &stray});
    Wake woken = Wake::event;
    const Handle handle = go([&] { woken = wait_readable(7); }, "reader");
    run_ready(sched);
    const auto events = events_of(sched);
    REQUIRE(events.size() == 3);
    for (const Event& event : events) CHECK(sched.waiter(event) == nullptr);
    CHECK(cancel(handle));
    run_ready(sched);
    CHECK(woken == Wake::cancelled);
}

TEST_CASE("4.3 an event from before any task waited is found by a later wait") {
    INFO("the source keeps what is ready: a task that waits later finds it");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 0);
    std::uint64_t waited = kNever;
    bool other_ran = false, after_it = false;
    Wake woken = Wake::timeout;
    later(10 * kMicrosecond, "late", [&] {
        const std::uint64_t before = kit::now();
        go([&] { other_ran = true; }, "ready");
        woken = wait_readable(7);
        waited = kit::now() - before;
        after_it = other_ran;
    });
    run_waiters(stand.sched);
    CHECK(woken == Wake::event);
    INFO("it finds the event at the next look: the tasks that are ready run first");
    CHECK(after_it);
    CHECK(waited < kMicrosecond);
}

TEST_CASE("4.3 cancelling a sleeper wakes it before its time") {
    INFO("cancel takes the task out of its tree and makes it ready with Wake::cancelled");
    Stand stand;
    Wake woken = Wake::timeout;
    std::uint64_t at = 0;
    const Handle sleeper = go("sleeper", [&] {
        woken = sleep_for(1000 * kMicrosecond);
        at = kit::now();
    });
    bool cancelled = false, again = true;
    later(10 * kMicrosecond, "canceller", [&] {
        cancelled = cancel(sleeper);
        again = cancel(sleeper);
    });
    run_waiters(stand.sched);
    CHECK(cancelled);
    INFO("the second cancel finds it ready, and does nothing");
    CHECK_FALSE(again);
    CHECK(woken == Wake::cancelled);
    CHECK(at < 11 * kMicrosecond);
    CHECK_FALSE(cancel(sleeper));
}

TEST_CASE("4.3 cancelling a task that waits with a limit takes it out of both sets") {
    INFO("a task that waits with a limit is in both trees: remove takes it out of both");
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 500 * kMicrosecond);
    const Handle waiter = stand.go_waiter("waiter", 7, Want::read, 1000 * kMicrosecond);
    run_ready(stand.sched);
    CHECK(cancel(waiter));
    CHECK(stand.sched.waiting().empty());
    CHECK(stand.sched.sleeping().empty());
    INFO("a descriptor without waiters must not be watched");
    CHECK_FALSE(stand.io.expects_any());
    run_waiters(stand.sched);
    CHECK(stand.log == Log{"waiter cancelled"});
    CHECK(kit::now() < 2 * kMicrosecond);
}

TEST_CASE("4.3 wake: a parked task continues once, and waking a ready task does nothing") {
    INFO("wake returns false for a task that neither sleeps nor waits");
    Stand stand;
    Log& log = stand.log;
    const Handle parked = go("parked", [&] {
        log.emplace_back(park("a sign") == Wake::event ? "signed" : "?");
        log.emplace_back(park("another sign") == Wake::event ? "signed again" : "?");
    });
    run_ready(stand.sched);
    const bool first = wake(parked), second = wake(parked);
    run_ready(stand.sched);
    CHECK(first);
    CHECK_FALSE(second);
    CHECK(log == Log{"signed"});
    CHECK(wake(parked));
    run_ready(stand.sched);
    CHECK(log == Log{"signed", "signed again"});
    CHECK_FALSE(wake(parked));
}

TEST_CASE("4.3 join waits for the end, and returns at once if the task has ended") {
    INFO("join parks until the task has ended, and returns at once if it has");
    Stand stand;
    Log& log = stand.log;
    const Handle worker = later(20 * kMicrosecond, "worker", [&] { log.emplace_back("worker ends"); });
    for (int i = 0; i < 2; ++i)
        go("joiner", [&] {
            join(worker);
            log.emplace_back("joined");
            join(worker);
        });
    run_waiters(stand.sched);
    CHECK(log == Log{"worker ends", "joined", "joined"});
}

TEST_CASE("4.3 waiting for an invalid descriptor is an error, and no task waits for it") {
    INFO("a wait for a negative descriptor is an error, before the task leaves");
    Stand stand;
    bool refused = false;
    go("careless", [&] {
        try {
            wait_readable(-1, 10);
        } catch (const std::system_error& error) {
            refused = error.code() == std::errc::bad_file_descriptor;
        }
    });
    run_ready(stand.sched);
    CHECK(refused);
}

namespace {

/// 37 waiters: some get their event, some time out, one is cancelled.
void run_many_waiters(WaitBy by) {
    Stand stand(by);
    Handle cancelled;
    for (int fd = 3; fd < 40; ++fd) {
        if (fd % 3 == 0) stand.io.becomes_ready(fd, Want::read, static_cast<std::uint64_t>(fd) * 300);
        const Handle one =
            stand.go_waiter("waiter", fd, Want::read, (8 + static_cast<std::uint64_t>(fd) % 7) * kMicrosecond);
        if (fd == 20) cancelled = one;
    }
    go([&] { cancel(cancelled); }, "canceller");
    run_waiters(stand.sched);
}

}  // namespace

TEST_CASE("4.3 the wait tree in the trace: in two sets at once, out of both, by event, time-out and cancel") {
    INFO("the trace shows the task in both trees, and out of both");
    const WaitBy by = GENERATE(WaitBy::tree, WaitBy::table);
    const trace::Trace recorded = trace_of("waiting", [by] { run_many_waiters(by); });
    CHECK((count(recorded, trace::Kind::link, "waiting") > 0) == (by == WaitBy::tree));
    CHECK(count(recorded, trace::Kind::insert, "waiting") == 37);
    CHECK(count(recorded, trace::Kind::remove, "waiting") == 37);
    CHECK(count(recorded, trace::Kind::remove, "sleeping") == 37);
}

TEST_CASE("4.3 a join keeps waiting when its task is woken for another reason") {
    INFO("given: a wake may have been meant for another wait: join checks whether the task has ended, and waits again");
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

TEST_CASE("4.3 tasks that join each other are released with their scheduler, and their captures too") {
    const auto held = std::make_shared<int>(1);
    {
        Scheduler sched;
        Handle first, second;
        first = go([held, &second] { join(second); });
        second = go([held, &first] { join(first); });
        run_ready(sched);
    }
    INFO("given: a joining task is kept alive by the other one's list; a scheduler that ends empties these lists");
    CHECK(held.use_count() == 1);
}
