// Step 4.18: what a yield of a C++20 coroutine costs, by the first loop and on one machine of step 4.8, beside the
// same by Boost.Asio; and a call through co_await beside a plain one.
#include <benchmark/benchmark.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

#include "labs/04_scheduler/beyond/async.h"

using namespace fiberscope;
namespace lab = fiberscope::lab04;
namespace stackless = fiberscope::lab04::stackless;
namespace asio = boost::asio;

namespace {

constexpr int kTasks = 32, kTurns = 10'000, kDepth = 10, kCalls = 10'000;

/// Seconds of what it does.
template <class Act>
void time(benchmark::State& state, const Act& act) {
    const auto from = std::chrono::steady_clock::now();
    act();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
}

stackless::Async<void> yields() {
    for (int i = 0; i < kTurns; ++i) co_await stackless::yield();
}

void yield_by(benchmark::State& state, const char* strategy, const auto& begin) {
    for (auto _ : state) {
        lab::Scheduler scheduler(lab::Settings{.strategy = strategy});
        for (int i = 0; i < kTasks; ++i) begin();
        time(state, [&] {
            if (!scheduler.run().empty()) state.SkipWithError("a task has failed");
        });
    }
    state.SetItemsProcessed(state.iterations() * kTasks * kTurns);
}

void yield_stackless_go_1(benchmark::State& state) {
    yield_by(state, "go", [] { stackless::go(yields()); });
}
void yield_stackless(benchmark::State& state) {
    yield_by(state, "producer_consumer", [] { stackless::go(yields()); });
}
void yield_beside_stackless(benchmark::State& state) {
    yield_by(state, "producer_consumer", [] {
        lab::go([] {
            for (int i = 0; i < kTurns; ++i) lab::yield();
        });
    });
}
BENCHMARK(yield_stackless_go_1)->UseManualTime();
BENCHMARK(yield_stackless)->UseManualTime();
BENCHMARK(yield_beside_stackless)->UseManualTime();

asio::awaitable<void> posts() {
    for (int i = 0; i < kTurns; ++i) co_await asio::post(asio::use_awaitable);
}

void yield_asio_awaitable(benchmark::State& state) {
    for (auto _ : state) {
        asio::io_context context(1);
        for (int i = 0; i < kTasks; ++i) asio::co_spawn(context, posts(), asio::detached);
        time(state, [&] { context.run(); });
    }
    state.SetItemsProcessed(state.iterations() * kTasks * kTurns);
}
BENCHMARK(yield_asio_awaitable)->UseManualTime();

// ---- calls ----------------------------------------------------------------------------------------------------------

stackless::Async<int> calls(int depth) {
    if (depth == 0) co_return 0;
    co_return 1 + co_await calls(depth - 1);
}
stackless::Async<void> calls_often() {
    for (int i = 0; i < kCalls; ++i) benchmark::DoNotOptimize(co_await calls(kDepth));
}

[[gnu::noinline]] int plain(int depth) {
    if (depth == 0) return 0;
    const int below = plain(depth - 1);
    benchmark::ClobberMemory();  // or a compiler makes a loop of it
    return 1 + below;
}

void calls_stackless(benchmark::State& state) {
    for (auto _ : state) {
        lab::Scheduler scheduler;
        stackless::go(calls_often());
        time(state, [&] { static_cast<void>(scheduler.run()); });
    }
    state.SetItemsProcessed(state.iterations() * kCalls);
}
void calls_plain(benchmark::State& state) {
    for (auto _ : state) {
        lab::Scheduler scheduler;
        lab::go([] {
            for (int i = 0; i < kCalls; ++i) benchmark::DoNotOptimize(plain(kDepth));
        });
        time(state, [&] { static_cast<void>(scheduler.run()); });
    }
    state.SetItemsProcessed(state.iterations() * kCalls);
}
BENCHMARK(calls_stackless)->UseManualTime();
BENCHMARK(calls_plain)->UseManualTime();

}  // namespace
