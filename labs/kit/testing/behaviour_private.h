// Coroutines with a private stack: they may change the thread, their stack is released with them, and an overflow
// report names them. See behaviour.h for how to include this.
#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/behaviour.h"

#include <signal.h>

namespace {

[[gnu::noinline]] const void* address_of_errno() {
    asm volatile("");
    return &errno;
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME
          " a coroutine started on one thread and resumed on another keeps nothing of the first thread") {
    EXPECTS("call kit::this_thread() again after every switch: the coroutine may be on another thread");
    std::vector<const void*> threads, errnos;
    Coroutine& co = forever([&] {
        for (;;) {
            threads.push_back(kit::this_thread().own);
            errnos.push_back(address_of_errno());
            yield();
        }
    });
    co.resume();
    const void* second = nullptr;
    bool came_back = false;
    std::thread other([&] {
        second = kit::this_thread().own;
        co.resume();
        came_back = kit::this_thread().callers.depth() == 0 && kit::this_thread().current == second;
    });
    other.join();
    INFO("a yield must return to the thread that resumed it last: call kit::this_thread() again after every switch");
    REQUIRE(came_back);
    CHECK(kit::this_thread().callers.depth() == 0);
    co.resume();
    REQUIRE(threads.size() == 3);
    CHECK(threads[0] == kit::this_thread().own);
    CHECK(threads[1] == second);
    CHECK(threads[2] == kit::this_thread().own);
    CHECK(errnos[0] != errnos[1]);
    CHECK(errnos[0] == errnos[2]);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME
          " a coroutine that runs or waits on one thread is refused on another, and nothing changes there") {
    EXPECTS("its state says whether it may be resumed: it may be on the stack of callers of another thread");
    std::optional<Misuse> runs, waits;
    bool unchanged = false;
    Coroutine* outer = nullptr;
    Coroutine& inner = forever([&] {
        auto& self = *running();
        std::thread other([&] {
            const kit::CallerStack& callers = kit::this_thread().callers;
            runs = misuse_of([&] { self.resume(); });
            waits = misuse_of([&] { outer->resume(); });
            unchanged = callers.depth() == 0 && callers.top() == kit::this_thread().own;
        });
        other.join();
        yield_for_ever();
    });
    outer = &forever([&] {
        inner.resume();
        yield_for_ever();
    });
    outer->resume();
    REQUIRE(runs.has_value());
    CHECK(runs->kind() == MisuseKind::resume_of_running);
    REQUIRE(waits.has_value());
    CHECK(waits->kind() == MisuseKind::resume_of_running);
    INFO("a refused resume must leave the stack of callers unchanged");
    CHECK(unchanged);
}

TEST_CASE(FIBERSCOPE_STEP_END " the stack of a dead coroutine is released") {
    INFO("each coroutine takes one stack when it is created");
    const std::size_t before = kit::stacks_in_use();
    std::vector<std::unique_ptr<Coroutine>> all;
    for (int i = 0; i < 50; ++i) all.push_back(std::make_unique<Coroutine>([] { yield(); }));
    CHECK(kit::stacks_in_use() == before + 50);
    for (int round = 0; round < 2; ++round)
        for (auto& co : all) co->resume();
    INFO("when a coroutine is dead, its resumer releases its stack: release_stack()");
    CHECK(kit::stacks_in_use() == before);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " a coroutine that ends by an exception releases its stack at once") {
    INFO("resume rethrows the function's exception");
    const std::size_t before = kit::stacks_in_use();
    Coroutine co([] { throw 42; });
    CHECK_THROWS(co.resume());
    INFO("release_stack() comes before the exception is rethrown");
    CHECK(kit::stacks_in_use() == before);
}

TEST_CASE(FIBERSCOPE_STEP_END " a coroutine may start on one thread and end on another") {
    EXPECTS("the exit goes to the thread that resumed it last: call kit::this_thread() again after every switch");
    bool ended_there = false;
    Coroutine ends_here([] {});  // initialises any state kept between ends on this thread
    ends_here.resume();
    Coroutine co([] { yield(); });
    co.resume();
    std::thread other([&] {
        co.resume();
        ended_there = co.done() && kit::this_thread().callers.depth() == 0;
    });
    other.join();
    CHECK(ended_there);
}
