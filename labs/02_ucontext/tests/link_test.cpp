// Step 2.3: what the end of a function goes back to, and the signal mask.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "labs/02_ucontext/given/system_calls.h"
#include "labs/02_ucontext/jump.h"
#include "labs/02_ucontext/tests/raw.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::State;
using trace::Why;

TEST_CASE("2.3 the end of a function goes to the context that was given as after") {
    EXPECTS("set uc_link before makecontext, and to `after` itself: control goes on where `after` was last saved");
    bool ran = false;
    RawContext worker(
        "worker", [](void* told) { *static_cast<bool*>(told) = true; }, &ran, &main_context());
    swap_to(worker, Why::start);
    CHECK(ran);
    CHECK(worker.state() == State::dead);
    CHECK(main_context().state() == State::running);
}

TEST_CASE("2.3 a context that is made again has the after of the second time") {
    INFO("make writes uc_link each time: to the context after it, or to null");
    static std::byte stack[64 * 1024];
    Context home, made;
    made.make(
        stack, sizeof stack, [](void*) {}, nullptr, &home);
    CHECK(made.raw().uc_link == &home.raw());
    made.make(
        stack, sizeof stack, [](void*) {}, nullptr);
    INFO("without an after uc_link is null, also if an earlier make has set it");
    CHECK(made.raw().uc_link == nullptr);
}

TEST_CASE("2.3 after need not be the context that entered it") {
    struct Told {
        std::string order;
        kit::Core* origin;
        RawContext* inner = nullptr;
    } told{{}, &main_context()};
    RawContext inner(
        "inner", [](void* argument) { static_cast<Told*>(argument)->order += "inner "; }, &told, &main_context());
    told.inner = &inner;
    RawContext outer(
        "outer",
        [](void* argument) {
            auto& mine = *static_cast<Told*>(argument);
            mine.order += "outer ";
            swap_to(*mine.inner, Why::start);
            mine.order += "outer again ";
            swap_to(*mine.origin);
            std::abort();
        },
        &told);
    swap_to(outer, Why::start);
    INFO("outer entered inner, but inner ends in main: uc_link was fixed when it was made");
    CHECK(told.order == "outer inner ");
    CHECK(outer.state() == State::suspended);
}

TEST_CASE("2.3 the way of uc_link stands in the trace") {
    INFO("a function that returns leaves by uc_link: one start, one exit, and no switch of your own");
    const trace::Trace recorded = kit::testing::trace_of("uc_link", [] {
        RawContext worker(
            "worker", [](void*) {}, nullptr, &main_context());
        swap_to(worker, Why::start);
    });
    CHECK(kit::testing::whys_of(recorded) == std::vector<std::string>{"start", "exit"});
}

namespace {

void end_with_nothing_after() {
    // It leaves at once, with the status that exit was given: a sanitizer's own handlers are not made for this stack.
    on_exit(
        [](int status, void*) {
            static_cast<void>(!write(STDERR_FILENO, "exit handlers ran", 17));
            _exit(status);
        },
        nullptr);
    RawContext last(
        "last", [](void*) {}, nullptr);
    swap_to(last, Why::start);
    _exit(42);  // never: control does not come back here
}

}  // namespace

TEST_CASE("2.3 with nothing after it the end of a function ends the process, by exit(0)") {
    INFO("with a null uc_link the end of the function ends the process, as a call of exit(0) would");
    const auto file = kit::testing::scratch_trace("no_link");
    const kit::ChildEnd end = kit::run_in_child(file, end_with_nothing_after);
    std::filesystem::remove(file);
    CHECK(end.signal == 0);
    CHECK(end.status == 0);
    CHECK(end.errors.find("exit handlers ran") != std::string::npos);
}

TEST_CASE("2.3 the same on a second thread ends the whole process in glibc, not the thread") {
    INFO("with a null uc_link the end of the function ends the process, on whichever thread it ran");
    const auto file = kit::testing::scratch_trace("no_link_thread");
    const kit::ChildEnd end = kit::run_in_child(file, [] {
        std::thread other(end_with_nothing_after);
        other.join();
        _exit(43);  // never: main does not outlive it
    });
    std::filesystem::remove(file);
    CHECK(end.signal == 0);
    CHECK(end.status == 0);
}

namespace {

bool blocked(int signal) {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return sigismember(&now, signal) == 1;
}

void block(int signal) {
    sigset_t more;
    sigemptyset(&more);
    sigaddset(&more, signal);
    pthread_sigmask(SIG_BLOCK, &more, nullptr);
}

struct Masks {
    kit::Core* back;
    std::vector<bool> inside;
};

}  // namespace

TEST_CASE("2.3 the signal mask travels with a context") {
    INFO("swapcontext saves the signal mask and loads that of the other: a mask belongs to its context");
    Masks masks{&main_context(), {}};
    RawContext careful(
        "careful",
        [](void* argument) {
            auto& mine = *static_cast<Masks*>(argument);
            mine.inside.push_back(blocked(SIGUSR1));
            block(SIGUSR1);
            swap_to(*mine.back);
            mine.inside.push_back(blocked(SIGUSR1));
        },
        &masks, &main_context());
    swap_to(careful, Why::start);
    const bool outside = blocked(SIGUSR1);
    swap_to(careful);
    const bool after_the_end = blocked(SIGUSR1);
    CHECK(masks.inside == std::vector<bool>{false, true});
    CHECK_FALSE(outside);
    CHECK_FALSE(after_the_end);
}

TEST_CASE("2.3 a new context has the signal mask of the one that made it") {
    EXPECTS("getcontext takes the mask of the maker: make must not change it");
    Masks masks{&main_context(), {}};
    block(SIGUSR1);
    RawContext child(
        "child", [](void* argument) { static_cast<Masks*>(argument)->inside.push_back(blocked(SIGUSR1)); }, &masks,
        &main_context());
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    swap_to(child, Why::start);
    CHECK(masks.inside == std::vector<bool>{true});
    CHECK_FALSE(blocked(SIGUSR1));
}

namespace {

Context origin, away;

void bounce(void*) {
    for (;;) origin.swap_to_me(&away);
}

}  // namespace

TEST_CASE("2.3 every swap asks the kernel for the signal mask") {
    static std::byte stack[256 * 1024];
    const auto trips = [](std::uint64_t n) {
        return count_system_calls(SYS_rt_sigprocmask, [n] {
            away.make(stack, sizeof stack, bounce, nullptr);
            for (std::uint64_t i = 0; i < n; ++i) away.swap_to_me(&origin);
        });
    };
    // Also when nothing can be counted here, the functions must be there.
    away.make(stack, sizeof stack, bounce, nullptr);
    away.swap_to_me(&origin);
    const auto few = trips(10), more = trips(60);
    if (!few || !more) {
        WARN("this machine does not let a process be traced: nothing was counted");
        SUCCEED();
        return;
    }
#if defined(__x86_64__)
    constexpr std::uint64_t kCallsOfASwap = 1;
#else
    constexpr std::uint64_t kCallsOfASwap = 2;  // glibc asks for the old mask first and sets the new one then
#endif
    INFO("50 round trips more are 100 swaps more");
    CHECK(*more - *few == 100 * kCallsOfASwap);
}

TEST_CASE("2.3 by uc_link a switch takes as much virtual time as any other, and changes as much") {
    kit::testing::use_virtual_time();
    RawContext worker(
        "worker", [](void*) {}, nullptr, &main_context());
    const std::uint64_t before = kit::now();
    swap_to(worker, Why::start);
    INFO("given: the kit counts the C library's own switch too, so that nothing on a timeline has no width");
    CHECK(kit::now() - before == 2 * kit::kVirtualSwitchCost);
    CHECK(kit::this_thread().current == &main_context());
}
