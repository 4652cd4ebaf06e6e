// What resume and yield must keep: many coroutines, their locals, deep recursions. behaviour.h says how to include it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "labs/kit/testing/behaviour.h"

TEST_CASE(FIBERSCOPE_STEP_RESUME " 10,000 coroutines are alive at once") {
    INFO("each coroutine keeps its own locals, however many there are");
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
    INFO("a yield keeps all frames: the recursion returns through them after the resume");
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
    INFO("two generators do not disturb each other: each keeps its own locals");
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
    INFO("the first entry of each is a start, the later ones are resumes");
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
