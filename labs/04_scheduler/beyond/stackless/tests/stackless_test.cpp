// Step 4.18: C++20 coroutines as tasks: leaving, and the destruction of unfinished ones.
#include "labs/04_scheduler/beyond/stackless/tests/stackless.h"

#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/report/notes.h"
#include "traces/read/printable.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.18 two tasks take turns on one loop with a native one, each at its own position") {
    EXPECTS(
        "Leave::suspend stores the frame in the coroutine, and go_on continues there; when the first function has "
        "ended, innermost is null");
    Log log;
    Scheduler sched;
    stackless::go(counts(log, "a", 2));
    go([&] {
        log.emplace_back("native");
        yield();
        log.emplace_back("native");
    });
    stackless::go(counts(log, "b", 1));
    CHECK(sched.run().empty());
    CHECK(log == Log{"a 0", "native", "b 0", "a 1", "native"});
}

TEST_CASE("4.18 a chain of calls yields in its innermost frame, and continues there") {
    EXPECTS(
        "the frame that leaves is the innermost one, not the first: the callers wait for it; go_on resumes it "
        "once, and does not access a frame afterwards: it may have ended");
    Log log;
    Scheduler sched;
    const auto measures = [](Log& into) -> Async<void> {
        into.push_back("depth " + std::to_string(co_await descends(50)));
        into.push_back("depth " + std::to_string(co_await descends(3)));
    };
    stackless::go(measures(log));
    stackless::go(counts(log, "other", 1));
    CHECK(sched.run().empty());
    CHECK(log == Log{"other 0", "depth 50", "depth 3"});
}

namespace {

Async<void> sleeps_and_parks(Log& log) {
    const std::uint64_t before = kit::now();
    const Wake slept = co_await stackless::sleep_for(5 * kMicrosecond);
    log.emplace_back(slept == Wake::timeout && kit::now() >= before + 5 * kMicrosecond ? "has slept" : "woken early");
    const Wake woken = co_await stackless::park("a sign");
    log.emplace_back(woken == Wake::event ? "woken" : "not woken");
}

Async<void> joins(Log& log, Handle other) {
    co_await stackless::join(other);
    log.push_back(other.name() + " has ended");
}

}  // namespace

TEST_CASE("4.18 tasks sleep, park and join like native tasks, and together with them") {
    EXPECTS("a frame that leaves is in co.innermost: the coroutine has not ended");
    Log log;
    Scheduler sched;
    const Handle a = stackless::go(sleeps_and_parks(log), {.name = "a"});
    stackless::go(joins(log, a));
    go([&] {
        sleep_for(20 * kMicrosecond);
        log.emplace_back(english_of(why_not_running(a.task())));
        wake(a);
        join(a);
        log.emplace_back("joined");
    });
    CHECK(sched.run().empty());
    CHECK(log == Log{"has slept", "waits for a sign", "woken", "a has ended", "joined"});
}

TEST_CASE("4.18 on each loop and on several machines, together with native tasks, each task runs to its end") {
    EXPECTS("no state of a coroutine may stay in the machine that it has left");
    for (const char* strategy : {"producer_consumer", "multi_state", "sylar", "netco", "go"}) {
        INFO(kit::told(message("the strategy is {0}", strategy)));
        std::atomic<int> ended{0};
        const auto one = [&ended]() -> Async<void> {
            for (int i = 1; i <= 3; ++i) {
                kit::work(kMicrosecond);
                ended += co_await descends(i) == i ? 1 : 100;
                co_await stackless::sleep_for(kMicrosecond);
            }
        };
        Scheduler sched(Settings{.strategy = strategy, .machines = std::string_view(strategy).size() < 6 ? 2U : 1U});
        go([&] {
            for (int i = 0; i < 20; ++i) {
                stackless::go(one());
                go([] { yield(); });
            }
        });
        CHECK(sched.run().empty());
        CHECK(ended == 60);
    }
}

// ---- unfinished coroutines ------------------------------------------------------------------------------------------

namespace {

Async<void> never_ends(Log& log, int depth) {
    const TellsItsEnd local(log, "frame " + std::to_string(depth));
    if (depth == 0)
        co_await stackless::park("a wake that never comes");
    else
        co_await never_ends(log, depth - 1);
}

Async<void> never_begins(TellsItsEnd) { co_return; }

}  // namespace

TEST_CASE("4.18 if the scheduler ends before a task, each of its frames is destroyed, the innermost first") {
    EXPECTS(
        "free_frames destroys the innermost frame, then its caller, and so on, each once; a destroyed frame no "
        "longer names its caller; in the end innermost is null");
    Log log;
    {
        Scheduler sched;
        stackless::go(never_ends(log, 3), {.name = "a"});
        CHECK_THROWS_AS(sched.run(), Stuck);
        CHECK(log.empty());
    }
    CHECK(log == Log{"frame 0", "frame 1", "frame 2", "frame 3"});
}

TEST_CASE("4.18 a task that never ran frees its frame, and so does a call that was never awaited") {
    EXPECTS("free_frames: a coroutine that has not started has one frame");
    Log log;
    {
        static_cast<void>(never_begins(TellsItsEnd(log, "not awaited")));
        Scheduler sched;
        stackless::go(never_begins(TellsItsEnd(log, "no turn")));
    }
    CHECK(log == Log{"not awaited", "no turn"});
}

// ---- channels -------------------------------------------------------------------------------------------------------

namespace {

Async<void> sends(Channel<int>& channel, int count) {
    for (int i = 1; i <= count; ++i) static_cast<void>(co_await stackless::send(channel, i));
    channel.close();
}
Async<void> receives(Channel<int>& channel, int& sum) {
    for (;;) {
        const Received<int> value = co_await stackless::receive(channel);
        if (!value) co_return;
        sum += *value;
    }
}

}  // namespace

TEST_CASE("4.18 a frame that waits at a channel leaves its queue when it is destroyed") {
    EXPECTS("free_frames destroys the waiting frame, which takes it out of the queue");
    int sum = 0;
    Channel<int> channel("c");
    {
        Scheduler sched;
        stackless::go(receives(channel, sum));
        CHECK_THROWS_AS(sched.run(), Stuck);
    }
    Scheduler sched;
    stackless::go(receives(channel, sum));
    stackless::go(sends(channel, 3));
    CHECK(sched.run().empty());
    CHECK(sum == 6);
}

// ---- on several machines --------------------------------------------------------------------------------------------

namespace {

Async<void> descends_often(int times, std::atomic<int>& ended) {
    for (int i = 0; i < times; ++i) ended += co_await descends(2) == 2 ? 1 : 1000;
}

}  // namespace

TEST_CASE("4.18 very many tasks on real threads: each runs to its end") {
    EXPECTS("all state of a coroutine is in the coroutine, and nowhere else: machines run at the same time");
    record_nothing(kRealTime);
    constexpr int kTasks = kit::kUnderSanitizer ? 100 : 2000, kTimes = kit::kUnderSanitizer ? 30 : 100;
    for (const unsigned machines : {2U, 4U}) {
        std::atomic<int> ended{0};
        Scheduler sched(Settings{.strategy = "go", .machines = machines});
        for (int i = 0; i < kTasks; ++i) stackless::go(descends_often(kTimes, ended));
        CHECK(sched.run().empty());
        CHECK(ended == kTasks * kTimes);
    }
}
