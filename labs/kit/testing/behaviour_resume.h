// resume and yield of the coroutines of every lab. See behaviour.h for how to include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/behaviour.h"

TEST_CASE(FIBERSCOPE_STEP_RESUME " resume runs a coroutine until it yields, and then continues after the yield") {
    INFO("resume returns at the yield, with the coroutine suspended; the next resume continues after that yield");
    std::vector<std::string> order;
    Coroutine& co = forever([&] {
        order.push_back("first");
        yield();
        order.push_back("second");
        yield_for_ever();
    });
    CHECK(co.state() == State::new_);
    co.resume();
    order.push_back("main");
    CHECK(co.state() == State::suspended);
    co.resume();
    CHECK(order == std::vector<std::string>{"first", "main", "second"});
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " A resumes B resumes C, and each yields to its resumer") {
    INFO("a yield goes to the last resumer, which is then on top of the stack of callers");
    std::string order;
    Coroutine& c = forever(
        [&] {
            order += 'c';
            yield_for_ever();
        },
        named("C"));
    Coroutine& b = forever(
        [&] {
            order += 'b';
            c.resume();
            order += 'B';
            yield_for_ever();
        },
        named("B"));
    Coroutine& a = forever(
        [&] {
            order += 'a';
            b.resume();
            order += 'A';
            yield_for_ever();
        },
        named("A"));
    a.resume();
    CHECK(order == "abcBA");
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " a coroutine that waits for another is normal, and only the innermost is running") {
    INFO("the resumer stays `normal` while the other coroutine runs; only the innermost is `running`");
    std::vector<State> seen;
    Coroutine* outer = nullptr;
    Coroutine& inner = forever([&] {
        seen = {outer->state(), running()->state(), kit::this_thread().own->state()};
        yield_for_ever();
    });
    outer = &forever([&] {
        inner.resume();
        yield_for_ever();
    });
    outer->resume();
    CHECK(seen == std::vector<State>{State::normal, State::running, State::normal});
    CHECK(outer->state() == State::suspended);
    CHECK(kit::this_thread().own->state() == State::running);
}

namespace {

// Each coroutine nests the next one; the innermost tries one more than allowed.
struct Nest {
    std::uint32_t deepest = 0;
    std::optional<Misuse> refusal;

    void go_deeper() {
        const std::uint32_t depth = kit::this_thread().callers.depth();
        deepest = std::max(deepest, depth);
        if (depth > kit::kMostNested) return;  // it was not refused
        Coroutine& next = forever(
            [this] {
                go_deeper();
                yield_for_ever();
            },
            {.name = "level " + std::to_string(depth + 1), .stack_size = 64 * 1024});
        const auto misuse = misuse_of([&] { next.resume(); });
        if (misuse) refusal = misuse;
    }
};

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME " 128 coroutines nest, the next one is a typed error and nothing changes") {
    INFO("refuse the 129th before anything changes: callers.full()");
    Nest nest;
    nest.go_deeper();
    CHECK(nest.deepest == kit::kMostNested);
    REQUIRE(nest.refusal.has_value());
    CHECK(nest.refusal->kind() == MisuseKind::nesting_too_deep);
    CHECK(nest.refusal->state() == State::new_);
    CHECK(kit::this_thread().callers.depth() == 0);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " yield outside a coroutine is a typed error") {
    EXPECTS("on the thread's own context there is no resumer: yield must refuse");
    const auto misuse = misuse_of([] { yield(); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::yield_outside);
    CHECK(kit::this_thread().own->state() == State::running);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " resuming a coroutine that is already on the stack of callers is a typed error") {
    EXPECTS("a coroutine that runs, or waits for a coroutine that it resumed, must be refused");
    std::optional<Misuse> itself, its_caller;
    std::size_t depth = 0;
    Coroutine* outer = nullptr;
    Coroutine& inner = forever(
        [&] {
            itself = misuse_of([&] { running()->resume(); });
            its_caller = misuse_of([&] { outer->resume(); });
            depth = kit::this_thread().callers.depth();
            yield_for_ever();
        },
        named("inner"));
    outer = &forever(
        [&] {
            inner.resume();
            yield_for_ever();
        },
        named("outer"));
    outer->resume();
    REQUIRE(itself.has_value());
    CHECK(itself->kind() == MisuseKind::resume_of_running);
    CHECK(itself->name() == "inner");
    REQUIRE(its_caller.has_value());
    CHECK(its_caller->kind() == MisuseKind::resume_of_running);
    CHECK(its_caller->name() == "outer");
    INFO("a refused resume must leave the stack of callers unchanged");
    CHECK(depth == 2);
}
