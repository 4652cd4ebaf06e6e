// Step 5.4: the idle task of sylar's IO manager: wake-ups, their number, the order of functions; timers.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "labs/05_epoll_io/tests/support/managed.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.4 functions from other threads: a tickle wakes the idle task") {
    INFO("a function from another thread wakes the idle task by a tickle");
    Managed m(kRealTime);
    int ran = 0;
    std::thread other([&] {
        for (int i = 0; i < 100; ++i) {
            m.manager.schedule([&] { ++ran; });
            if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        m.manager.stop();
    });
    const std::string failed = m.stand.run();
    other.join();
    CHECK(failed == "");
    CHECK(ran == 100);
}

TEST_CASE("5.4 an idle manager sleeps in epoll, also on several machines") {
    EXPECTS("scheduling while all machines sleep in epoll tickles one of them: no machine looks at the list there");
    for (const unsigned machines : {1U, 3U}) {
        const trace::Trace recorded = trace_of("idle_manager", [=] {
            use_real_time();
            EpollSource source;
            lab04::Scheduler sched(lab04::Settings{.strategy = "sylar", .source = &source, .machines = machines});
            IOManager manager(source);
            std::thread other([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                manager.schedule([&] { manager.stop(); });
            });
            const bool well = sched.run().empty();
            other.join();
            if (!well) std::abort();
        });
        const std::size_t waits = count(recorded, trace::Kind::poll, trace::PollPhase::leave);
        INFO(kit::told(
            message("{0} machines; one waits for all until the tickle, and then until the last tickle", machines)));
        CHECK(waits >= 1);
        CHECK(waits <= 5);
    }
}

TEST_CASE("5.4 functions begin in the order in which they were scheduled") {
    INFO(
        "schedule appends the function to the list, and the idle task starts all functions in the list, the first "
        "one first, including those that it finds together with the stop");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        for (const char* word : {"first", "second", "third"}) m.manager.schedule(m.note(word));
        sleep_for(10 * kMicrosecond);
        for (const char* word : {"fourth", "fifth"}) m.manager.schedule(m.note(word));
        m.manager.stop();
    }) == "");
    CHECK(m.log == Log{"first", "second", "third", "fourth", "fifth"});
}

namespace {

/// Returns how often the idle task was resumed while a task did this, with one event pending that never occurs.
std::size_t turns_of_idle(void (*act)(Managed&)) {
    const trace::Trace recorded = trace_of("turns_of_idle", [=] {
        Managed m;
        const Pair silent = Pair::sockets();
        go("user", [&] {
            m.manager.add_event(silent.a, Want::read, [] {});
            sleep_for(10 * kMicrosecond);
            if (m.manager.pending() != 1) std::abort();
            act(m);
            m.manager.stop();
            m.manager.delete_event(silent.a, Want::read);
        });
        if (!m.stand.run().empty()) std::abort();
    });
    std::size_t turns = 0;
    for (const trace::Event& e : all_of(recorded, trace::Kind::switch_))
        turns += recorded.name(e.other) == "idle" ? 1U : 0U;
    return turns;
}

}  // namespace

TEST_CASE("5.4 a tickle makes the idle task check once, and then it sleeps again") {
    const std::size_t turns = turns_of_idle([](Managed& m) {
        m.manager.tickle();
        sleep_for(kMillisecond);
    });
    INFO(
        "its first turn, the tickle, the stop; an eventfd that is not drained stays readable, and each wait ends "
        "at once");
    CHECK(turns <= 4);
}

namespace {

std::atomic<bool> stopping{false};

/// The tickle of a stop gives the idle task time to look and to go to sleep again.
ssize_t write_slowly(int fd, const void* bytes, std::size_t size) {
    const ssize_t written = Replaced<&SystemCalls::write>::before()(fd, bytes, size);
    if (stopping) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return written;
}

}  // namespace

namespace {

IOManager* to_be_given = nullptr;  // function to schedule at the next read of a tickle
Log* written_into = nullptr;

ssize_t read_when_given(int fd, void* buffer, std::size_t size) {
    if (size == sizeof(std::uint64_t) && to_be_given != nullptr)
        std::exchange(to_be_given, nullptr)->schedule([] { written_into->emplace_back("scheduled"); });
    return Replaced<&SystemCalls::read>::before()(fd, buffer, size);
}

}  // namespace

TEST_CASE("5.4 a tickle is read after a wait, and after the read the idle task looks again") {
    INFO(
        "wait, then read the tickle, then look: otherwise a function between the look and the read would lose its "
        "tickle");
    Managed m;
    Log in_time;
    to_be_given = &m.manager;
    written_into = &m.log;
    const Replaced<&SystemCalls::read> given(read_when_given);
    m.manager.tickle();
    go([&] {
        sleep_for(kMillisecond);
        if (std::exchange(to_be_given, nullptr) != nullptr) {  // it is read with another function
            m.manager.schedule(m.note("scheduled"));
            sleep_for(kMillisecond);
        }
        in_time = m.log;
        m.manager.stop();
    });
    CHECK(m.stand.run() == "");
    CHECK(in_time == Log{"scheduled"});
}

TEST_CASE("5.4 a stop from another thread is recorded before its tickle, so that the idle task sees it") {
    INFO("set the flag, and then wake the task that has to see it");
    record_nothing();
    Managed m(kRealTime);
    const Replaced<&SystemCalls::write> slow(write_slowly);
    bool late = false;
    std::atomic<bool> asked{false};
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        asked = stopping = true;
        m.manager.stop();
        stopping = false;
    });
    lab04::go_system([&] {  // otherwise it would hang
        sleep_for(10 * kSecond);
        late = true;
        m.manager.tickle();
    });
    const std::string failed = m.stand.run();
    const bool until_the_stop = asked;
    other.join();
    CHECK(failed == "");
    CHECK(until_the_stop);
    CHECK_FALSE(late);
}

TEST_CASE("5.4 an event does not tickle while others are pending") {
    const std::size_t turns = turns_of_idle([](Managed& m) {
        for (int i = 0; i < 50; ++i) {
            if (!m.manager.add_event(m.pair.a, Want::read, [&m] { m.take(); })) std::abort();
            m.put();
            sleep_for(10 * kMicrosecond);
            if (m.manager.pending() != 1) std::abort();
        }
    });
    INFO(
        "50 events occurred, and one is pending all the time: only the last event of a manager concerns the idle "
        "task");
    CHECK(turns <= 4);
}

TEST_CASE("5.4 a stopped manager ends with its last event, even if that is deleted") {
    INFO("the last event tickles when it is removed: triggered, cancelled or deleted");
    Managed m;
    std::size_t alive_before = 0, alive_after = 0;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_event(m.pair.a, Want::read, m.note("?"));
        m.manager.stop();
        sleep_for(kMillisecond);
        alive_before = m.stand.sched.alive();
        m.manager.delete_event(m.pair.a, Want::read);
        sleep_for(kMillisecond);
        alive_after = m.stand.sched.alive();
        m.manager.tickle();
    }) == "");
    CHECK(alive_before == 2);
    CHECK(alive_after == 1);
    CHECK(m.log.empty());
}

TEST_CASE("5.4 a timer starts a task on time, even if nothing else happens") {
    INFO("the idle task waits until the first deadline of the timers");
    Managed m;
    std::uint64_t early = 0, late = 0;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_timer(50 * kMicrosecond, [&] {
            late = kit::now();
            m.manager.stop();
        });
        m.manager.add_timer(20 * kMicrosecond, [&] { early = kit::now(); });
    }) == "");
    INFO("the second one is before the first: the idle task, which is already waiting, must be woken");
    CHECK(early >= 20 * kMicrosecond);
    CHECK(early < 30 * kMicrosecond);
    CHECK(late >= 50 * kMicrosecond);
    CHECK(late < 60 * kMicrosecond);
}

TEST_CASE("5.4 a cancelled timer starts nothing, and does not keep the manager alive") {
    INFO("a cancelled timer is removed, and the second cancel returns false");
    Managed m;
    std::uint64_t ended = 0;
    CHECK(m.stand.run("user", [&] {
        const TimerKey timer = m.manager.add_timer(kMillisecond, m.note("?"));
        m.manager.add_timer(5 * kMicrosecond, m.note("the other"));
        m.manager.stop();
        sleep_for(10 * kMicrosecond);
        m.log.emplace_back(m.manager.cancel_timer(timer) && !m.manager.cancel_timer(timer) ? "cancelled" : "?");
    }) == "");
    ended = kit::now();
    INFO("only the other one starts its callback; a stopped manager waits for that one: timers_ is not empty");
    CHECK(m.log == Log{"the other", "cancelled"});
    INFO("the manager has not waited for it");
    CHECK(ended < kMillisecond);
}

TEST_CASE("5.4 a manager that is stopped still waits for its timers") {
    INFO("a timer is pending work: stop waits for it");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_timer(20 * kMicrosecond, m.note("timer"));
        m.manager.stop();
    }) == "");
    CHECK(m.log == Log{"timer"});
}

TEST_CASE("5.4 a cancelled wait deletes its own event, and not one that another task has added since") {
    INFO("after the wait check again whose event it is: yours may have occurred, and there may be another");
    Managed managed;
    IOManager& manager = managed.manager;
    const int fd = managed.pair.a;
    Wake told = Wake::event;
    const Handle owner = go([&] {
        manager.add_event(fd, Want::read);
        told = manager.wait_event(fd, Want::read);
    });
    std::size_t pending = 0;
    go([&] {
        sleep_for(kMillisecond);
        lab04::cancel(owner);
        manager.cancel_event(fd, Want::read);
        manager.add_event(fd, Want::read, managed.note("called"));
        sleep_for(kMillisecond);
        pending = manager.pending();
        managed.put();
        sleep_for(kMillisecond);
        manager.delete_event(fd, Want::read);
        manager.stop();
    });
    CHECK(managed.stand.run() == "");
    CHECK(told == Wake::cancelled);
    CHECK(pending == 1);
    CHECK(managed.log == Log{"called"});
}
