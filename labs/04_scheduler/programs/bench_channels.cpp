// Steps 4.13 and 4.14: one task sends a million values to another, without a buffer and with one of 100. go_peer send
// and send_buffered do the same in Go.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>

#include "labs/04_scheduler/beyond/channel.h"
#include "labs/04_scheduler/tasks.h"

namespace {

namespace lab = fiberscope::lab04;
using Clock = std::chrono::steady_clock;

void send(benchmark::State& state, const char* strategy, std::size_t capacity) {
    constexpr int kSends = 1'000'000;
    for (auto _ : state) {
        lab::Channel<int> values("values", capacity);
        lab::Scheduler scheduler(lab::Settings{.strategy = strategy, .machines = 1});
        lab::go([&] {
            for (int i = 0; i < kSends; ++i) static_cast<void>(values.send(i));
            values.close();
        });
        lab::go([&] {
            while (values.receive()) {
            }
        });
        const Clock::time_point from = Clock::now();
        const bool failed = !scheduler.run().empty();
        state.SetIterationTime(std::chrono::duration<double>(Clock::now() - from).count());
        if (failed) state.SkipWithError("a task has failed");
    }
    state.SetItemsProcessed(state.iterations() * kSends);
}

BENCHMARK_CAPTURE(send, go, "go", 0)->Name("send_go_1")->UseManualTime();
BENCHMARK_CAPTURE(send, producer_consumer, "producer_consumer", 0)->Name("send_producer_consumer_1")->UseManualTime();
BENCHMARK_CAPTURE(send, buffered_go, "go", 100)->Name("send_buffered_go_1")->UseManualTime();

}  // namespace
