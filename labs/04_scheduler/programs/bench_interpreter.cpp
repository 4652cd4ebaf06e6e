// Step 4.15: what a yield of an interpreted coroutine costs, with the six instructions of its loop, on one machine:
// beside yield_go_1.
#include <benchmark/benchmark.h>

#include <chrono>

#include "labs/04_scheduler/beyond/interpreter.h"

using namespace fiberscope;
namespace lab = fiberscope::lab04;

namespace {

void yield_interpreted(benchmark::State& state) {
    constexpr int kTasks = 32, kTurns = 10'000;
    const lab::Program program(R"(
fn main n
again: yield
  load n
  push 1
  sub
  store n
  load n
  jump_if again
  load n
  ret
)");
    for (auto _ : state) {
        lab::Scheduler scheduler(lab::Settings{.strategy = "go"});
        for (int i = 0; i < kTasks; ++i) lab::go_interpreted(program, "main", kTurns);
        const auto from = std::chrono::steady_clock::now();
        if (!scheduler.run().empty()) state.SkipWithError("a program has failed");
        state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
    }
    state.SetItemsProcessed(state.iterations() * kTasks * kTurns);
}
BENCHMARK(yield_interpreted)->UseManualTime();

}  // namespace
