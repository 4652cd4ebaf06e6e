// Step 5.4: the idle task of sylar's IO manager: what wakes it, how often, in which order it begins functions; timers.
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
    INFO("a function that comes from another thread wakes the idle task by a tickle");
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
    EXPECTS("what is scheduled while all machines sleep in epoll tickles one: no machine looks at the list there");
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
            message("{0} machines; one waits for all, until the tickle, and again until the last one", machines)));
        CHECK(waits >= 1);
        CHECK(waits <= 5);
    }
}

TEST_CASE("5.4 functions begin in the order in which they were scheduled") {
    INFO(
        "schedule puts the function at the end of the list, and the idle task begins all that stand there, the first "
        "one first, also those that it finds together with the stop");
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

/// How often the idle task was resumed while a task did this, with one event pending that never comes.
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

TEST_CASE("5.4 a tickle lets the idle task look around once, and then it sleeps again") {
    const std::size_t turns = turns_of_idle([](Managed& m) {
        m.manager.tickle();
        sleep_for(kMillisecond);
    });
    INFO(
        "its first turn, the tickle, the stop; an eventfd that is not read stays readable, and each wait ends at once");
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

IOManager* to_be_given = nullptr;  // a function, at the next read of a tickle
Log* written_into = nullptr;

ssize_t read_when_given(int fd, void* buffer, std::size_t size) {
    if (size == sizeof(std::uint64_t) && to_be_given != nullptr)
        std::exchange(to_be_given, nullptr)->schedule([] { written_into->emplace_back("scheduled"); });
    return Replaced<&SystemCalls::read>::before()(fd, buffer, size);
}

}  // namespace

TEST_CASE("5.4 a tickle that is read is one that was waited for, and after the read the idle task looks again") {
    INFO("wait, then read the tickle, then look: what comes between a look and the read would have lost its tickle");
    Managed m;
    Log in_time;
    to_be_given = &m.manager;
    written_into = &m.log;
    const Replaced<&SystemCalls::read> given(read_when_given);
    m.manager.tickle();
    go([&] {
        sleep_for(kMillisecond);
        if (std::exchange(to_be_given, nullptr) != nullptr) {  // it reads by another function
            m.manager.schedule(m.note("scheduled"));
            sleep_for(kMillisecond);
        }
        in_time = m.log;
        m.manager.stop();
    });
    CHECK(m.stand.run() == "");
    CHECK(in_time == Log{"scheduled"});
}

TEST_CASE("5.4 a stop from another thread is said before the tickle, so that the idle task finds it") {
    INFO("write down that the manager stops, and then wake the one that is to see it");
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
    lab04::go_system([&] {  // else it would hang
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
    INFO("50 events came, and one is pending all the time: only the last event of a manager concerns the idle task");
    CHECK(turns <= 4);
}

TEST_CASE("5.4 a manager that was stopped ends with its last event, also when that is deleted") {
    INFO("the last event that goes tickles, however it goes: triggered, cancelled or deleted");
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

TEST_CASE("5.4 a timer begins a task at its time, though nothing else happens") {
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
    INFO("the second one stands before the first: the idle task, which waits already, must be told");
    CHECK(early >= 20 * kMicrosecond);
    CHECK(early < 30 * kMicrosecond);
    CHECK(late >= 50 * kMicrosecond);
    CHECK(late < 60 * kMicrosecond);
}

TEST_CASE("5.4 a timer that was cancelled begins nothing, and keeps no manager alive") {
    INFO("a cancelled timer is taken out, and the second cancel says false");
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
    INFO("only the other one begins its callback; for that one a manager waits that was stopped: timers_ is not empty");
    CHECK(m.log == Log{"the other", "cancelled"});
    INFO("the manager has not waited for it");
    CHECK(ended < kMillisecond);
}

TEST_CASE("5.4 a manager that is stopped still waits for its timers") {
    INFO("a timer is something pending: stop waits for it");
    Managed m;
    CHECK(m.stand.run("user", [&] {
        m.manager.add_timer(20 * kMicrosecond, m.note("timer"));
        m.manager.stop();
    }) == "");
    CHECK(m.log == Log{"timer"});
}

TEST_CASE("5.4 a wait that is cancelled deletes its own event, and not what another has added since") {
    INFO("after the wait ask once more whose event it is: yours may have come, and there may be another");
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
