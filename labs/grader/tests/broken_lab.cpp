// Tests that are broken on purpose, each in a way that students' code breaks; the grader must survive all of them and
// say in words what happened. Never run together in one process.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>

#include "labs/kit/fault/expected.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/sets/recorded_set.h"
#include "labs/kit/testing/left_out.h"
#include "testing/catch.h"

namespace kit = fiberscope::kit;
namespace trace = fiberscope::trace;

namespace {

volatile int sink = 0;

// Not a tail call: every level keeps its array. `sink` never becomes negative, which the compiler cannot know.
int recurse(int depth) {
    if (sink < 0) return 0;
    volatile char room[1024];
    room[depth % 1024] = static_cast<char>(depth);
    const int below = recurse(depth + 1);
    return below + room[depth % 1024];
}

/// Uses at least this much processor time. A fifth of the kernel's time counts, so a test may work for longer than it
/// may be idle.
void work_in_the_kernel(std::chrono::milliseconds least) {
    static char zeros[1 << 20];
    const int zero = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
    const std::clock_t enough = std::clock() + CLOCKS_PER_SEC * least.count() / 1000;
    while (std::clock() < enough)
        if (::read(zero, zeros, sizeof zeros) < 0) ::_exit(1);
    ::close(zero);
}

/// A coroutine that never runs. Without a coroutine a trace would show nothing.
struct Worker : kit::Owner<int> {
    Worker() : Owner(trace::CoKind::task, trace::Backend::asm_, kit::Stack(kit::kDefaultStackSize), "worker") {}
};

}  // namespace

TEST_CASE("1.1 passes") {
    kit::note("one step");
    CHECK(1 + 1 == 2);
}

TEST_CASE("1.2 an assertion fails, with values and a message") {
    const Worker worker;
    kit::note("before the assertion");
    const int saved = 41;
    INFO("a switch keeps every frame of both stacks");
    CHECK(saved == 42);
}

TEST_CASE("1.3 uses a null pointer") {
    EXPECTS("yield leaves a pointer that is not null");
    const Worker worker;
    kit::note("about to use a null pointer");
    int* volatile nowhere = nullptr;
    sink = *nowhere;
    CHECK(sink == 0);
}

TEST_CASE("1.4 recurses without end") {
    kit::note("about to recurse");
    CHECK(recurse(0) == 0);
}

TEST_CASE("1.5 hangs") {
    EXPECTS("resume comes back at the next yield");
    kit::note("about to wait for ever");
    CHECK(true);
    for (;;) ::pause();
}

TEST_CASE("1.6 leaves with success in the middle") {
    CHECK(true);
    ::_exit(0);
}

TEST_CASE("1.8 prints without end") {
    CHECK(true);
    for (;;) std::printf("the same line again and again\n");
}

TEST_CASE("1.9 aborts") {
    std::printf("my own words before the end\n");
    std::fflush(stdout);
    std::abort();
}

TEST_CASE("1.10 lets an exception out") {
    CHECK(true);
    throw std::runtime_error("fd 7 is not open");
}

TEST_CASE("1.11 is not implemented") { kit::not_implemented("1.11", "resume(): enter the coroutine"); }

TEST_CASE("1.12 needs an earlier step, called from assembly") {
    fiberscope_not_implemented("1.2 _switch(next, current)");
}

TEST_CASE("1.13 asserts nothing") { sink = 1; }

TEST_CASE("1.14 leaves children behind that hold its output") {
    if (::fork() == 0) {
        ::sleep(60);
        ::_exit(0);
    }
    CHECK(true);
}

TEST_CASE("1.15 ignores SIGTERM and hangs") {
    std::signal(SIGTERM, SIG_IGN);
    CHECK(true);
    for (;;) ::pause();
}

TEST_CASE("1.16 names with [brackets], \"quotes\", commas and *stars*") { CHECK(true); }

TEST_CASE("1.17 throws in a second thread") {
    CHECK(true);
    std::thread([] { throw 7; }).join();
}

TEST_CASE("1.18 sleeps for longer than its limit, with work in between") {
    for (int i = 0; i < 6; ++i) {
        ::usleep(100'000);
        const std::clock_t enough = std::clock() + CLOCKS_PER_SEC / 30;
        while (std::clock() < enough) sink = 0;
    }
    CHECK(true);
}

TEST_CASE("1.20 comes to a function of a later step") { kit::not_implemented("1.21", "finish(): leave it"); }

TEST_CASE("1.21 fails, and then comes to a stub") {
    CHECK(sink == 1);
    kit::not_implemented("1.21", "finish(): leave it");
}

TEST_CASE("1.22 hangs when it is run for the first time") {
    const bool first = std::fopen("1.22_was_here", "r") == nullptr;
    if (first && std::fopen("1.22_was_here", "w") != nullptr)
        for (;;) ::pause();
    CHECK(!first);
}

TEST_CASE("1.23 throws into a handler that a later step writes") {
    try {
        throw std::runtime_error("yield outside a coroutine");
    } catch (...) {
        kit::not_implemented("1.24", "run(): keep what was thrown");
    }
}

TEST_CASE("1.24 waits for a child that works for longer than a test may be idle") {
    const pid_t child = ::fork();
    if (child == 0) {
        work_in_the_kernel(std::chrono::milliseconds(650));
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
}

TEST_CASE("1.25 fails, and then leaves in the middle") {
    INFO("write calls the next function after this program's");
    CHECK(false);
    ::_exit(3);
}

TEST_CASE("1.27 dies of a signal that no handler tells of") {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
}

TEST_CASE("1.28 fails, and what comes of it fails too") {
    INFO("the first note is about a check before the second");
    for (int n = 1; n <= 3; ++n) {
        INFO("the bread is sold once");
        CHECK(sink == n);
    }
    INFO("the oven is cold at the end");
    CHECK(sink == 1);
}

TEST_CASE("1.29 notes without end") {
    CHECK(true);
    for (;;) kit::note("once more");
}

TEST_CASE("1.30 fails, and has filled a set without any coroutine") {
    trace::CausalStamp touch;
    kit::RecordedSet set("timers", trace::Role::timer, trace::Structure::heap);
    if (trace::recording()) set.inserted({1, &touch, true}, "5", 0);
    CHECK(sink == 1);
}

TEST_CASE("1.32 is left out") { kit::testing::leave_out("this kernel refuses it"); }

TEST_CASE("1.31 fails within an assertion, and ends there") {
    const auto sold = [] {
        INFO("the bread is sold before it is counted");
        REQUIRE(sink == 1);
        return true;
    };
    INFO("the bread is counted");
    CHECK(sold());
}
