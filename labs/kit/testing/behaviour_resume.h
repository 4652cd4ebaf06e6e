// How resume and yield behave, for the coroutines of every lab (behaviour.h says how to include this).
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "labs/kit/testing/behaviour.h"

TEST_CASE(FIBERSCOPE_STEP_RESUME " resume runs a coroutine until it yields, and then goes on behind the yield") {
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

TEST_CASE(FIBERSCOPE_STEP_RESUME " A resumes B resumes C, and each yields to the one that resumed it") {
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

TEST_CASE(FIBERSCOPE_STEP_RESUME " a coroutine that waits for another is normal, the one that runs is running") {
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

// Each nests the next one; the innermost tries one more than is allowed.
struct Nest {
    std::uint32_t deepest = 0;
    std::optional<Misuse> refusal;

    void go_deeper() {
        const std::uint32_t depth = kit::this_thread().callers.depth();
        deepest = std::max(deepest, depth);
        if (depth > kit::kMostNested) return;  // it was not refused: enough is known
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

TEST_CASE(FIBERSCOPE_STEP_RESUME " 128 coroutines nest, one more is a typed error and nothing changes") {
    Nest nest;
    nest.go_deeper();
    CHECK(nest.deepest == kit::kMostNested);
    REQUIRE(nest.refusal.has_value());
    CHECK(nest.refusal->kind() == MisuseKind::nesting_too_deep);
    CHECK(nest.refusal->state() == State::new_);
    CHECK(kit::this_thread().callers.depth() == 0);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " yield outside a coroutine is a typed error") {
    const auto misuse = misuse_of([] { yield(); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::yield_outside);
    CHECK(kit::this_thread().own->state() == State::running);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " resuming a coroutine that is already on the stack of callers is a typed error") {
    std::optional<Misuse> itself, its_caller;
    Coroutine* outer = nullptr;
    Coroutine& inner = forever(
        [&] {
            itself = misuse_of([&] { running()->resume(); });
            its_caller = misuse_of([&] { outer->resume(); });
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
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " 10,000 coroutines are alive at once") {
    const std::size_t many = kit::kUnderSanitizer ? 1000 : 10000;
    std::vector<std::size_t> sums(many, 0);
    std::vector<Coroutine*> all;
    for (std::size_t i = 0; i < many; ++i)
        all.push_back(&forever(
            [&sums, i] {
                for (std::size_t round = 1;; ++round) {
                    sums[i] += i * round;
                    yield();
                }
            },
            {.name = {}, .stack_size = 16 * 1024}));
    for (int round = 0; round < 3; ++round)
        for (Coroutine* co : all) co->resume();
    for (std::size_t i = 0; i < many; ++i) REQUIRE(sums[i] == i * 6);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " locals are intact after many interleavings in random order") {
    constexpr std::size_t kMany = 100;
    std::vector<bool> intact(kMany, false);
    std::vector<Coroutine*> all;
    for (std::size_t i = 0; i < kMany; ++i)
        all.push_back(&forever([&intact, i] {
            std::vector<std::uint64_t> mine(16);
            std::iota(mine.begin(), mine.end(), i);
            double product = static_cast<double>(i);
            for (std::size_t step = 0; step < 50; ++step) {
                yield();
                for (auto& value : mine) value += i;
                product += 0.5;
            }
            intact[i] = product == static_cast<double>(i) + 25.0;
            for (std::size_t k = 0; k < mine.size(); ++k) intact[i] = intact[i] && mine[k] == i + k + 50 * i;
            yield_for_ever();
        }));
    std::mt19937 random{2024};
    for (int step = 0; step < 51; ++step) {
        std::shuffle(all.begin(), all.end(), random);
        for (Coroutine* co : all) co->resume();
    }
    for (std::size_t i = 0; i < kMany; ++i) {
        INFO("the locals of coroutine number " << i << " changed while it was suspended");
        REQUIRE(intact[i]);
    }
}

namespace {

[[gnu::noinline]] std::uint64_t sum_down(std::uint64_t n) {
    if (n == 0) {
        yield();
        return 0;
    }
    return n + sum_down(n - 1);
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME " a deep recursion may yield at its bottom") {
    std::uint64_t sum = 0;
    Coroutine& co = forever(
        [&] {
            sum = sum_down(1000);
            yield_for_ever();
        },
        {.name = "deep", .stack_size = kit::kUnderSanitizer ? 1024 * 1024 : kit::kDefaultStackSize});
    co.resume();
    CHECK(sum == 0);
    co.resume();
    CHECK(sum == 500500);
}

namespace {

// A small generator in the style of a course: next() gives the values one by one.
class Numbers {
  public:
    explicit Numbers(std::uint64_t first)
        : co_(forever([this, first] {
              for (std::uint64_t n = first;; n += 2) {
                  value_ = n;
                  yield();
              }
          })) {}
    std::uint64_t next() {
        co_.resume();
        return value_;
    }

  private:
    std::uint64_t value_ = 0;
    Coroutine& co_;
};

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME " generators hand out values, two at a time") {
    Numbers even(0);
    Numbers odd(1);
    std::vector<std::uint64_t> taken;
    for (int i = 0; i < 5; ++i) {
        taken.push_back(even.next());
        taken.push_back(odd.next());
    }
    CHECK(taken == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " a run of nested coroutines leaves a trace that keeps every rule") {
    const trace::Trace recorded = kit::testing::trace_of("rules", [] {
        Coroutine& inner = forever(yield_for_ever, named("inner"));
        Coroutine& outer = forever(
            [&] {
                for (;;) {
                    inner.resume();
                    yield();
                }
            },
            named("outer"));
        outer.resume();
        outer.resume();
    });
    CHECK(kit::testing::whys_of(recorded) ==
          std::vector<std::string>{"start", "start", "yield", "yield", "resume", "resume", "yield", "yield"});
}
