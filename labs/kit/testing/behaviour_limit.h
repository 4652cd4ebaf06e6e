// Refusals at the limit of nesting. See behaviour.h for how to include this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/behaviour.h"

namespace {

/// Nests `depth` coroutines, and calls `act` in the last one.
void at_depth(std::uint32_t depth, const std::function<void()>& act) {
    if (kit::this_thread().callers.depth() == depth) return act();
    const auto go_deeper = [depth, &act] {
        at_depth(depth, act);
        yield_for_ever();
    };
    forever(go_deeper, {.name = {}, .stack_size = 64 * 1024}).resume();
}

/// A coroutine that counts how often it is entered.
Coroutine& counts(int& entered) {
    return forever([&entered] {
        for (;; yield()) ++entered;
    });
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME " the innermost of 128 may have yielded before") {
    INFO("a new coroutine and a suspended one nest equally deep: only callers.full() refuses");
    int entered = 0;
    Coroutine& last = counts(entered);
    last.resume();
    std::optional<Misuse> refusal;
    at_depth(kit::kMostNested - 1, [&] { refusal = misuse_of([&] { last.resume(); }); });
    CHECK_FALSE(refusal.has_value());
    CHECK(entered == 2);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " the 129th is refused even if it has yielded before") {
    INFO("the limit applies to every resume, not only to the first one of a coroutine");
    int entered = 0;
    Coroutine& last = counts(entered);
    last.resume();
    std::optional<Misuse> refusal;
    at_depth(kit::kMostNested, [&] { refusal = misuse_of([&] { last.resume(); }); });
    CHECK(entered == 1);
    REQUIRE(refusal.has_value());
    CHECK(refusal->kind() == MisuseKind::nesting_too_deep);
    CHECK(last.state() == State::suspended);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME
          " at the nesting limit, a running or waiting coroutine is still refused for that reason") {
    EXPECTS(
        "check first whether it is dead, then whether it runs or waits, and the limit last: the first match counts");
    std::optional<Misuse> itself, waits;
    Coroutine* outermost = nullptr;
    // Not in the coroutine, whose stack may change its owner.
    const std::function<void()> try_both = [&] {
        itself = misuse_of([] { running()->resume(); });
        waits = misuse_of([&] { outermost->resume(); });
    };
    outermost = &forever([&] {
        at_depth(kit::kMostNested, try_both);
        yield_for_ever();
    });
    outermost->resume();
    REQUIRE(itself.has_value());
    CHECK(itself->kind() == MisuseKind::resume_of_running);
    REQUIRE(waits.has_value());
    CHECK(waits->kind() == MisuseKind::resume_of_running);
}

TEST_CASE(FIBERSCOPE_STEP_END " at the nesting limit, a dead coroutine is still refused because it is dead") {
    EXPECTS(
        "check first whether it is dead, then whether it runs or waits, and the limit last: the first match counts");
    Coroutine co([] {});
    co.resume();
    std::optional<Misuse> misuse;
    at_depth(kit::kMostNested, [&] { misuse = misuse_of([&] { co.resume(); }); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::resume_of_dead);
}
