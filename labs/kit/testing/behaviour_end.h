// The end of coroutines by return, exception or destruction. See behaviour.h for how to include this.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/behaviour.h"

TEST_CASE(FIBERSCOPE_STEP_END " a coroutine that returns from its function is dead, and its resumer continues") {
    EXPECTS("when the function returns, the coroutine is dead, off the stack of callers, and its resumer continues");
    bool ran = false;
    Coroutine co([&] { ran = true; });
    co.resume();
    CHECK(ran);
    CHECK(co.state() == State::dead);
    CHECK(kit::this_thread().callers.depth() == 0);
    CHECK(kit::this_thread().own->state() == State::running);
}

TEST_CASE(FIBERSCOPE_STEP_END " resuming a dead coroutine is a typed error") {
    INFO("resume must refuse a dead coroutine, before anything changes");
    Coroutine co([] {}, named("short-lived"));
    co.resume();
    const auto misuse = misuse_of([&] { co.resume(); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::resume_of_dead);
    CHECK(misuse->name() == "short-lived");
    CHECK(misuse->state() == State::dead);
    INFO("a refused resume must leave the stack of callers unchanged");
    CHECK(kit::this_thread().callers.depth() == 0);
}

TEST_CASE(FIBERSCOPE_STEP_END " the end returns to the coroutine that resumed it last") {
    INFO("the exit goes to the last resumer, not to the first one and not to the thread");
    std::string order;
    Coroutine co([&] {
        order += '1';
        yield();
        order += '2';
    });
    co.resume();
    order += 'm';
    Coroutine other([&] {
        co.resume();
        order += 'o';
    });
    other.resume();
    CHECK(order == "1m2o");
    CHECK(co.done());
    CHECK(other.done());
}

// ---- 1.5 exceptions and destruction -----------------------------------------------------------------------------

namespace {
struct CountsDown {
    int& alive;
    explicit CountsDown(int& n) : alive(n) { ++alive; }
    ~CountsDown() { --alive; }
    CountsDown(const CountsDown&) = delete;
};
}  // namespace

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS
          " an exception that leaves the function is rethrown by resume, and the coroutine is dead") {
    EXPECTS("keep it by std::current_exception(), as a copy loses its type; after the exit, rethrow it from resume");
    Coroutine co([] {
        yield();
        throw std::runtime_error("from inside");
    });
    co.resume();
    CHECK_THROWS_WITH(co.resume(), "from inside");
    CHECK(co.done());
    CHECK(kit::this_thread().callers.depth() == 0);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " an exception goes through nested coroutines until a function catches it") {
    INFO("each resume rethrows its coroutine's exception, until a function catches it");
    std::string caught;
    Coroutine inner([] { throw std::runtime_error("deep"); });
    Coroutine middle([&] { inner.resume(); });
    Coroutine outer([&] {
        try {
            middle.resume();
        } catch (const std::exception& error) {
            caught = error.what();
        }
    });
    outer.resume();
    CHECK(caught == "deep");
    CHECK(inner.done());
    CHECK(middle.done());
    CHECK(outer.done());
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " destroying a suspended coroutine runs the destructors of its locals") {
    EXPECTS(
        "a destroyed coroutine is unwound: its destructors run, the code after its yield does not, and the Unwind "
        "exception ends in run, below which no function catches it");
    int alive = 0;
    const Coroutine first([] {});  // allocates everything that is allocated once
    const std::size_t stacks = kit::stacks_in_use();
    {
        Coroutine co([&] {
            CountsDown outer(alive);
            try {
                CountsDown inner(alive);
                yield();
                alive = -100;  // must never continue after the yield
            } catch (const std::exception&) {
                alive = -200;  // Unwind is not a std::exception
            }
        });
        co.resume();
        CHECK(alive == 2);
    }
    CHECK(alive == 0);
    CHECK(kit::stacks_in_use() == stacks);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " destroying a coroutine that never ran runs nothing") {
    INFO("a coroutine that never ran has nothing to unwind");
    bool ran = false;
    {
        Coroutine co([&] { ran = true; });
    }
    Coroutine ended([&] { throw std::runtime_error("needs step 1.5"); });
    CHECK_THROWS_WITH(ended.resume(), "needs step 1.5");
    CHECK_FALSE(ran);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " destroying a coroutine from inside another leaves the other one running") {
    INFO("the unwinding returns to the coroutine that destroys, which then continues");
    int alive = 0;
    std::string order;
    Coroutine outer([&] {
        auto inner = std::make_unique<Coroutine>([&] {
            CountsDown local(alive);
            yield();
            alive = -100;  // must never continue after the yield
        });
        inner->resume();
        inner.reset();
        order += alive == 0 ? "unwound" : "left alive";
        yield();
        order += ", went on";
    });
    outer.resume();
    outer.resume();
    CHECK(order == "unwound, went on");
}
