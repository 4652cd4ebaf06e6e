// Go itself beside the benchmarks of this lab, where it is installed: go_peer/main.go, in a process of its own.
#ifdef GO_PEER
#include "labs/04_scheduler/programs/bench_go.h"

#include <benchmark/benchmark.h>

#include <cstdio>

namespace fiberscope::lab04 {

void run_go(benchmark::State& state, const std::string& program, int machines) {
    const std::string command = GO_PEER " " + program + " " + std::to_string(machines);
    for (auto _ : state) {
        FILE* const output = popen(command.c_str(), "r");
        double ns = 0;
        const bool read = output != nullptr && std::fscanf(output, "%lf", &ns) == 1;
        if (output != nullptr) pclose(output);
        if (!read) return state.SkipWithError("the Go program printed no number");
        state.SetIterationTime(ns * 1e-9);
    }
    state.SetItemsProcessed(state.iterations());
}

namespace {

[[maybe_unused]] const bool registered = [] {
    for (const int machines : {1, 2, 4})
        for (const char* program : {"yield", "life", "work", "call", "send", "send_buffered"})
            benchmark::RegisterBenchmark((std::string(program) + "_golang_" + std::to_string(machines)).c_str(), run_go,
                                         program, machines)
                ->UseManualTime()
                ->Iterations(1);
    return true;
}();

}  // namespace

}  // namespace fiberscope::lab04
#endif
