// Step 6.5: the loop's timeout, and alarms within lab 04's scheduler.
#include "labs/06_timers/loop.h"

#include <sys/socket.h>
#include <unistd.h>

#include <climits>
#include <stdexcept>

#include "labs/04_scheduler/event_loop.h"
#include "labs/06_timers/heap_store.h"
#include "labs/06_timers/tests/support.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;
using lab04::Wake;

namespace {

/// A scheduler that sleeps in epoll and serves alarms. The scheduler is destroyed first.
struct Stage {
    explicit Stage(kit::ClockKind clock = kVirtualTime) { kit::choose_clock(clock); }

    HeapStore store;
    TimerManager manager{store};
    TimerService service{manager};
    TimedSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};
    Log log;

    Callback write(const char* word) {
        return [this, word] { log.emplace_back(word); };
    }
};

/// Both ends of a connection, closed by the destructor.
struct Connection {
    int ends[2] = {-1, -1};
    Connection() {
        INFO("the system gives the test no pair of sockets; your code is not at fault");
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    }
    ~Connection() {
        for (const int end : ends) close(end);
    }
    void send() const { static_cast<void>(!write(ends[0], "x", 1)); }
    void receive() const {
        char byte;
        static_cast<void>(!read(ends[1], &byte, 1));
    }
};

}  // namespace

TEST_CASE("6.5 the timeout is rounded up, and fits into an int") {
    INFO("-1 waits without a limit, 0 only polls; otherwise whole milliseconds, with as few wake-ups as possible");
    CHECK(timeout_for(5, kNever) == -1);
    CHECK(timeout_for(5 * kSecond, 5 * kSecond) == 0);
    CHECK(timeout_for(5 * kSecond, 4 * kSecond) == 0);
    {
        INFO("a whole number of milliseconds needs one wait: a shorter one wakes in vain, a longer one is late");
        CHECK(timeout_for(5 * kSecond, 5 * kSecond + 20 * kMillisecond) == 20);
    }
    INFO("a wait that is too short ends before the deadline, and the loop spins for the rest of it");
    CHECK(timeout_for(0, 1) == 1);
    CHECK(timeout_for(0, kMillisecond + 1) == 2);
    CHECK(timeout_for(999'999, kMillisecond) == 1);
    CHECK(timeout_for(0, 30 * kDay) == INT_MAX);
    CHECK(timeout_for(0, kNever - 1) == INT_MAX);
}

TEST_CASE("6.5 under the virtual clock a wait ends exactly at its deadline, even after months") {
    TimedSource source;
    EXPECTS("a wait may end early: look again until there is an event or the time has come, to the nanosecond");
    CHECK(source.wait(1'234'567).empty());
    CHECK(kit::now() == 1'234'567);
    CHECK(source.wait(100 * kDay).empty());
    CHECK(kit::now() == 100 * kDay);
    INFO("a wait until 0 only polls");
    CHECK(source.wait(0).empty());
    CHECK(kit::now() == 100 * kDay);
}

TEST_CASE("6.5 an event ends a wait before its deadline") {
    INFO("wait returns the poller's events, at the event or at the deadline, whichever is first");
    record_nothing(kRealTime);
    const Connection connection;
    TimedSource source;
    source.watch(connection.ends[1], lab04::Want::read);
    CHECK(source.expects_any());
    connection.send();
    const auto events = source.wait(kit::now() + 100 * kSecond);
    REQUIRE(events.size() == 1);
    CHECK(events[0].fd == connection.ends[1]);
    CHECK(events[0].want == lab04::Want::read);
    {
        INFO("look once in any case: pending events are returned even if the time has come, or the loop is late");
        CHECK(source.wait(0).size() == 1);
    }
    source.unwatch(connection.ends[1], lab04::Want::read);
    CHECK_FALSE(source.expects_any());
    CHECK(source.wait(0).empty());
}

TEST_CASE("6.5 when the last writer of a pipe closes, the task that waits to read is woken") {
    INFO("given: epoll reports that as EPOLLHUP alone, without EPOLLIN");
    record_nothing(kRealTime);
    int ends[2] = {-1, -1};
    REQUIRE(pipe(ends) == 0);
    TimedSource source;
    source.watch(ends[0], lab04::Want::read);
    const std::size_t before = source.wait(0).size();
    close(ends[1]);
    const auto events = source.wait(0);
    const bool told = !events.empty() && events[0].fd == ends[0] && events[0].want == lab04::Want::read;
    source.unwatch(ends[0], lab04::Want::read);
    close(ends[0]);
    CHECK(before == 0);
    CHECK(told);
}

TEST_CASE("6.5 sleepers and a reader share the loop: no task wakes early, with only a few calls of epoll") {
    INFO("the loop waits until the earliest deadline: not shorter for a sleeper, and not longer for a reader");
    record_nothing();
    const Connection connection;
    Stage stage(kRealTime);
    int early = 0;
    Wake read = Wake::cancelled, limit = Wake::cancelled;
    for (const std::uint64_t us : {800U, 2'100U, 3'300U, 4'700U})
        lab04::go([&early, us] {
            const std::uint64_t until = kit::now() + us * kMicrosecond;
            lab04::sleep_for(us * kMicrosecond);
            early += kit::now() < until ? 1 : 0;
        });
    lab04::go([&] {
        read = lab04::wait_readable(connection.ends[1], 100 * kSecond);
        connection.receive();
        limit = lab04::wait_readable(connection.ends[1], 2 * kMillisecond);
    });
    lab04::go([&] {
        stage.service.sleep_for(1'500 * kMicrosecond);
        connection.send();
    });
    CHECK(stage.sched.run().empty());
    CHECK(early == 0);
    CHECK(read == Wake::event);
    CHECK(limit == Wake::timeout);
    INFO("seven waits, with a round or two for each; a loop that spins calls the kernel hundreds of times");
    CHECK(stage.source.looks() <= 30);
}

TEST_CASE("6.5 alarms are called at their time, while tasks sleep and yield") {
    Stage stage;
    std::vector<std::uint64_t> at;
    for (const std::uint64_t ms : {7U, 3U, 5U})
        stage.manager.add(ms * kMillisecond, [&at] { at.push_back(kit::now() / kMillisecond); });
    bool stop = false;
    lab04::go([&stop] {
        while (!stop) {
            kit::work(100 * kMicrosecond);
            lab04::yield();
        }
    });
    lab04::go([&] {
        lab04::sleep_for(10 * kMillisecond);
        stop = true;
    });
    INFO("the service calls due alarms and sleeps until the next deadline; the other tasks run meanwhile");
    CHECK(stage.sched.run().empty());
    CHECK(at == std::vector<std::uint64_t>{3, 5, 7});
}

TEST_CASE("6.5 alarms without a delay, each set by the previous one, do not starve a task") {
    INFO("the scheduler's run ends when no task and no alarm is left");
    Stage stage;
    int called = 0;
    bool ran = false;
    Callback again = [&] {
        if (!ran && ++called < 100) stage.manager.add(0, again);
    };
    stage.manager.add(0, again);
    lab04::go([&ran] {
        lab04::yield();
        ran = true;
    });
    CHECK(stage.sched.run().empty());
    CHECK(called > 0);
    INFO("the service must let other tasks run between two calls of run_expired");
    CHECK(called < 10);
}

TEST_CASE("6.5 an earlier alarm wakes the serving task, and cancelling the last one ends it") {
    Stage stage;
    std::uint64_t rang = 0;
    lab04::go([&] {
        const AlarmHandle far = stage.manager.add(kDay, stage.write("far"));
        lab04::sleep_for(kMillisecond);
        stage.manager.add(kMillisecond, [&rang] { rang = kit::now(); });
        lab04::sleep_for(5 * kMillisecond);
        stage.manager.cancel(far);
    });
    INFO("an alarm that becomes the first wakes the service, which is sleeping until a later one");
    CHECK(stage.sched.run().empty());
    CHECK(rang / kMillisecond == 2);
    INFO("a cancelled alarm must not keep the scheduler running for a day");
    CHECK(kit::now() < 10 * kMillisecond);
    CHECK(stage.log.empty());
    REQUIRE(stage.service.task());
    CHECK(stage.service.task().done());
}

TEST_CASE("6.5 when no alarm is set there is no task; the next alarm starts one again") {
    Stage stage;
    lab04::go([&] {
        for (int i = 0; i < 3; ++i) {
            stage.service.sleep_for(kMillisecond);
            stage.log.emplace_back("slept");
            lab04::sleep_for(kMillisecond);
        }
    });
    INFO("when nothing is set the task of the service ends; the next alarm starts another");
    CHECK_FALSE(stage.service.task());
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"slept", "slept", "slept"});
    stage.manager.add(kMillisecond, stage.write("alarm"));
    CHECK(stage.sched.run().empty());
    CHECK(stage.log.back() == "alarm");
}

TEST_CASE("6.5 an alarm without a deadline starts no task, neither when it is set nor when it is cancelled") {
    INFO("first_changed is also called when the last alarm is gone: check whether one is set before you start a task");
    Stage stage;
    const AlarmHandle never = stage.manager.add(kNever, stage.write("alarm"));
    CHECK_FALSE(stage.service.task());
    stage.manager.cancel(never);
    CHECK_FALSE(stage.service.task());
    stage.manager.add(kMillisecond, stage.write("has a deadline"));
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"has a deadline"});
}

TEST_CASE("6.5 an alarm that throws is reported, and the others are called") {
    Stage stage;
    stage.manager.add(kMillisecond, [] { throw std::runtime_error("broken"); });
    stage.manager.add(kMillisecond, stage.write("with it"));
    stage.manager.add(2 * kMillisecond, stage.write("later"));
    const auto failures = stage.sched.run();
    INFO("let a callback's exception leave serve: the task then fails, and the given begin() starts another");
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].task == "alarm service");
    CHECK(failures[0].what == "broken");
    CHECK(stage.log == Log{"with it", "later"});
}

TEST_CASE("6.5 the rest of a run that has thrown is called, even if nothing else is set") {
    Stage stage;
    stage.manager.add(kMillisecond, [] { throw std::runtime_error("broken"); });
    stage.manager.add(kMillisecond, stage.write("with it"));
    INFO("it is in due_ and not in the store, so there is no next deadline: call due alarms before you check for that");
    CHECK(stage.sched.run().size() == 1);
    CHECK(stage.log == Log{"with it"});
}

TEST_CASE("6.5 a task that sleeps by an alarm can be woken earlier, and the alarm is then gone") {
    INFO("a cancelled sleep cancels its alarm, which would otherwise end the task's next wait");
    Stage stage;
    std::vector<Wake> woken;
    const lab04::Handle sleeper = lab04::go([&] {
        woken.push_back(stage.service.sleep_for(kDay));
        woken.push_back(stage.service.sleep_for(kMillisecond));
    });
    lab04::go([&] {
        lab04::sleep_for(kMillisecond);
        lab04::cancel(sleeper);
    });
    CHECK(stage.sched.run().empty());
    CHECK(woken == std::vector<Wake>{Wake::cancelled, Wake::timeout});
    CHECK(kit::now() < kSecond);
    CHECK(stage.manager.size() == 0);
}

TEST_CASE("6.5 a callback that runs past the next alarm does not delay that alarm further") {
    Stage stage;
    stage.manager.add(kMillisecond, [] { kit::work(5 * kMillisecond); });
    stage.manager.add(2 * kMillisecond, stage.write("next"));
    lab04::go([] { lab04::sleep_for(3 * kMillisecond); });
    INFO("the deadline has already passed: the service must not sleep for the difference, which is negative");
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"next"});
    CHECK(kit::now() < kSecond);
}

TEST_CASE("6.5 at the end of the scheduler the service's task ends too, and starts no other one") {
    HeapStore store;
    TimerManager manager{store};
    TimerService service{manager};
    lab04::Handle served;
    {
        lab04::Scheduler sched{lab04::Settings{.strategy = "libco"}};
        lab04::event_loop_of(sched).on_round([rounds = 0]() mutable { return ++rounds < 2 ? 0 : -1; });
        lab04::go([&] { manager.add(kSecond, [] {}); });
        static_cast<void>(sched.run());
        served = service.task();
        INFO("the service's task sleeps until its alarm is due");
        REQUIRE(served);
        CHECK_FALSE(served.done());
    }
    INFO("given: unwinding the service's task is not an error of a callback: there is nothing left to serve");
    CHECK(served.done());
    CHECK(&service.task().task() == &served.task());
}

TEST_CASE("6.5 the duration of a callback does not count as sleep") {
    INFO("read the clock after the callbacks, not before: otherwise the next alarm is late by their duration");
    Stage stage;
    stage.manager.add(10 * kMillisecond, [] { kit::work(5 * kMillisecond); });
    std::uint64_t called = 0;
    stage.manager.add(30 * kMillisecond, [&] { called = kit::now(); });
    CHECK(stage.sched.run().empty());
    CHECK(called >= 30 * kMillisecond);
    CHECK(called < 31 * kMillisecond);
}

TEST_CASE("6.5 alarms without a deadline do not keep the service when the others have been called") {
    INFO("the service ends when there is no next deadline, however many alarms there are");
    Stage stage;
    stage.manager.add(kNever, stage.write("never"));
    stage.manager.add(kMillisecond, stage.write("soon"));
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"soon"});
    CHECK(kit::now() < kSecond);
    CHECK(stage.manager.size() == 1);
}

TEST_CASE("6.5 an alarm set by a callback is served by the running task, not by a second one") {
    INFO("wake returns false for the running task, which checks the next deadline itself and needs no second task");
    Stage stage;
    AlarmHandle far;
    stage.manager.add(kMillisecond, [&] { far = stage.manager.add(kDay, [] {}); });
    lab04::go([&] {
        lab04::sleep_for(5 * kMillisecond);
        stage.manager.cancel(far);
    });
    CHECK(stage.sched.run().empty());
    CHECK(kit::now() >= 5 * kMillisecond);
    CHECK(kit::now() < kSecond);
}
