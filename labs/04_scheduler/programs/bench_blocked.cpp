// Step 4.16: what it costs that a call might block: a system call of which the kernel makes nothing, plain, and with a
// P that may be taken. Go's syscall.Syscall makes the same call (go_peer call).
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>

#include "labs/04_scheduler/beyond/go_processors.h"

namespace {

namespace lab = fiberscope::lab04;
using Clock = std::chrono::steady_clock;
constexpr int kCalls = 100'000;

void call_plain(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(getpgid(0));
    state.SetItemsProcessed(state.iterations());
}

void call_go_p(benchmark::State& state) {
    for (auto _ : state) {
        lab::Scheduler scheduler(lab::Settings{.strategy = "go_p"});
        lab::go([&] {
            pid_t group = 0;
            const Clock::time_point from = Clock::now();
            for (int i = 0; i < kCalls; ++i) lab::blocking([&group] { group = getpgid(0); });
            state.SetIterationTime(std::chrono::duration<double>(Clock::now() - from).count());
            benchmark::DoNotOptimize(group);
        });
        if (!scheduler.run().empty()) state.SkipWithError("the task has failed");
    }
    state.SetItemsProcessed(state.iterations() * kCalls);
}

BENCHMARK(call_plain);
BENCHMARK(call_go_p)->UseManualTime();

}  // namespace
