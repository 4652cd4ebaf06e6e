// The cost of an echo server compared with a bare epoll loop: time per message, with the server in a separate process
// on one processor and the load on another. `./lab bench 05` runs it in rounds.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "languages/message.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
using namespace fiberscope::lab05;

namespace {

constexpr std::size_t kMessage = 64;
constexpr std::size_t kRequests = 30'000;  // per iteration

/// Runs the server on the first processor and the load on the second, if there is one.
void serve(benchmark::State& state, const char* way, std::size_t connections) {
    const bool two = std::thread::hardware_concurrency() > 1;
    const ServerProcess server(way, {}, two ? 0 : -1);
    if (two) stay_on(1);
    LoadOptions options{.ip = "127.0.0.1", .ports = {server.port()}, .connections = connections, .size = kMessage};
    options.warm_up = 10 * connections;  // so that stacks are allocated and tables have grown
    options.requests = kRequests;
    std::uint64_t answered = 0;
    for (auto _ : state) {
        const LoadResult result = run_load(options);
        if (result.errors > 0) state.SkipWithError(english_of(result.first_error).c_str());
        answered += result.requests;
        state.SetIterationTime(result.seconds);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(answered));
    stay_on(-1);
}

#define SERVER(name, way)                                                                               \
    BENCHMARK_CAPTURE(serve, name##_100, way, 100)->Name(#name "_100")->UseManualTime()->Iterations(1); \
    BENCHMARK_CAPTURE(serve, name##_1000, way, 1000)->Name(#name "_1000")->UseManualTime()->Iterations(1)

SERVER(bare_loop, "loop");
SERVER(per_connection, "per_connection");
SERVER(pool, "pool");
SERVER(hooked, "hooked");
SERVER(traced, "traced");

}  // namespace

int main(int argc, char** argv) {
    raise_descriptor_limit();
    std::vector<testing::Bar> bars;
    for (const std::string many : {"_100", "_1000"}) {
        for (const char* server : {"per_connection", "pool"})
            bars.push_back({server + many, {"bare_loop" + many}, 1 / 0.92});
        bars.push_back({"hooked" + many, {"bare_loop" + many}, 1 / 0.85});
        bars.push_back({"traced" + many, {"per_connection" + many}, 1.25});
    }
    return testing::run_benchmarks(argc, argv, bars);
}
