// Go itself beside the benchmarks of this lab, where it is installed: go_peer/main.go, in a process of its own.
#ifdef GO_PEER
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

namespace {

/// It prints nanoseconds an item.
void go_itself(benchmark::State& state, const char* program) {
    const std::string command = std::string(GO_PEER " ") + program + " " + std::to_string(state.range(0));
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

[[maybe_unused]] const bool registered = [] {
    for (const int machines : {1, 2, 4})
        for (const char* program : {"yield", "life", "work", "call", "send", "send_buffered"})
            benchmark::RegisterBenchmark((std::string(program) + "_golang_" + std::to_string(machines)).c_str(),
                                         go_itself, program)
                ->Arg(machines)
                ->UseManualTime()
                ->Iterations(1);
    return true;
}();

}  // namespace
#endif
