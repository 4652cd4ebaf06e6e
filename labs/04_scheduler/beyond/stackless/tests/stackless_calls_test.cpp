// Step 4.18: calls: how they begin, end and fail.
#include <stdexcept>

#include "labs/04_scheduler/beyond/stackless/tests/stackless.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

Async<void> runs(Log& log, TellsItsEnd) {
    log.emplace_back("runs");
    co_return;
}

}  // namespace

TEST_CASE("4.18 a function without calls starts at its first turn, and ends on its machine") {
    Log log;
    Scheduler sched;
    {
        EXPECTS("Begin::await_ready is false: a function starts when it is awaited, or at its task's first turn");
        stackless::go(runs(log, TellsItsEnd(log, "the frame goes")));
        REQUIRE(log.empty());
    }
    EXPECTS(
        "a first frame that has ended stays, for the machine to look at and destroy: End does not destroy it; "
        "without a caller End::await_suspend returns noop_coroutine; then go_on returns, and innermost is null");
    CHECK(sched.run().empty());
    CHECK(log == Log{"runs", "the frame goes"});
}

namespace {

Async<int> doubles(Log& log, int n) {
    log.push_back("callee " + std::to_string(n));
    co_return 2 * n;
}

Async<void> calls_twice(Log& log) {
    Async<int> call = doubles(log, 1);
    log.emplace_back("called");
    const int two = co_await std::move(call);
    log.push_back("caller " + std::to_string(co_await doubles(log, two)));
}

}  // namespace

TEST_CASE("4.18 a call starts when it is awaited, and its caller continues with the result") {
    EXPECTS(
        "Begin::await_ready is false: the callee starts when it is awaited; enter stores the caller and continues "
        "with the callee, which it returns and does not resume; End::await_suspend continues with the caller; the "
        "frame that has ended stays until await_resume, which is given, has taken the result and destroys it");
    Log log;
    Scheduler sched;
    stackless::go(calls_twice(log));
    CHECK(log.empty());
    CHECK(sched.run().empty());
    CHECK(log == Log{"called", "callee 1", "callee 2", "caller 4"});
}

namespace {

Async<int> goes_down(Log& log, int depth) {
    log.push_back("down " + std::to_string(depth));
    if (depth == 0) co_return 1;
    const int below = co_await goes_down(log, depth - 1);
    log.push_back("up " + std::to_string(depth));
    co_return 2 * below;
}

Async<void> goes_down_and_up(Log& log) {
    const int result = co_await goes_down(log, 2);
    log.push_back("result " + std::to_string(result));
}

}  // namespace

TEST_CASE("4.18 each call of a chain returns to the frame that awaits it") {
    EXPECTS("the caller of a frame is the frame that awaits it, not the task's first; the end continues there");
    Log log;
    Scheduler sched;
    stackless::go(goes_down_and_up(log));
    CHECK(sched.run().empty());
    CHECK(log == Log{"down 2", "down 1", "down 0", "up 1", "up 2", "result 4"});
}

// ---- failures -------------------------------------------------------------------------------------------------------

namespace {

Async<int> fails(const char* why) {
    co_await stackless::yield();
    throw std::runtime_error(why);
    co_return 0;
}

Async<int> passes_on(const char* why) { co_return 1 + co_await fails(why); }

Async<void> catches(Log& log) {
    try {
        log.push_back(std::to_string(co_await passes_on("no such room")));
    } catch (const std::runtime_error& failure) {
        log.emplace_back(failure.what());
    }
    co_await stackless::yield();
    log.emplace_back("goes on");
    static_cast<void>(co_await passes_on("no such house"));
}

}  // namespace

TEST_CASE("4.18 an exception propagates through each co_await, until a caller catches it") {
    EXPECTS(
        "unhandled_exception stores the exception in the frame, and finish rethrows it in the caller; without a "
        "caller, the machine finds it in the frame: go_on throws nothing");
    Log log;
    Scheduler sched;
    stackless::go(catches(log), {.name = "a"});
    const std::vector<Failure> failures = sched.run();
    CHECK(log == Log{"no such room", "goes on"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].task == "a");
    CHECK(failures[0].what == "no such house");
}

namespace {

Async<std::string> asks_elsewhere() {
    try {
        co_return std::to_string(co_await passes_on("no such room"));
    } catch (const std::runtime_error&) {
    }
    co_return "elsewhere";
}

Async<void> notes_where(Log& log) { log.push_back(co_await asks_elsewhere()); }

}  // namespace

TEST_CASE("4.18 an exception that a caller has caught is not the caller's own failure") {
    EXPECTS("an exception is stored in the frame that threw it, and in no other: its caller may catch it, and succeed");
    Log log;
    Scheduler sched;
    stackless::go(notes_where(log));
    CHECK(sched.run().empty());
    CHECK(log == Log{"elsewhere"});
}

namespace {

struct NoRoom {  // not a std::exception
    int number;
};

Async<void> throws_itself(bool known) {
    if (known) throw std::out_of_range("the house has 3 rooms");
    throw NoRoom{4};
    co_return;
}

Async<void> throws_below(bool known) { co_await throws_itself(known); }

Async<void> catches_by_type(Log& log) {
    try {
        co_await throws_below(true);
    } catch (const std::out_of_range& failure) {
        log.emplace_back(failure.what());
    }
    try {
        co_await throws_below(false);
    } catch (const NoRoom& failure) {
        log.push_back("no room " + std::to_string(failure.number));
    }
}

}  // namespace

TEST_CASE("4.18 exceptions reach the callers unchanged, whatever their type") {
    EXPECTS(
        "unhandled_exception stores the original exception, std::current_exception(), and not a copy of a known type");
    Log log;
    Scheduler sched;
    stackless::go(catches_by_type(log));
    CHECK(sched.run().empty());
    CHECK(log == Log{"the house has 3 rooms", "no room 4"});
}
