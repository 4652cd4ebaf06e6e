// Measures reader and replay at a million events against their bars, and says for each whether it is kept.
// "mix": what the bars are stated for; "trees": a scheduler with registers and a real tree of sleepers; "queue": a
// queue of 100,000 members.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <sstream>

#include "traces/read/reader.h"
#include "traces/replay/replay.h"
#include "traces/tests/generator.h"

namespace {

using namespace fiberscope::trace;

constexpr std::size_t kEvents = 1000000;

/// Seconds of this thread's own time: what another program does to the machine does not count.
double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Times single steps, in seconds.
class Steps {
  public:
    template <class F>
    double operator()(F&& step) {
        const double begin = now();
        step();
        const double took = now() - begin;
        all_.push_back(took);
        return took;
    }
    double percentile(double p) {
        std::sort(all_.begin(), all_.end());
        return all_.empty() ? 0 : all_[static_cast<std::size_t>(p * static_cast<double>(all_.size() - 1))];
    }

  private:
    std::vector<double> all_;
};

const std::string& text_of(const std::string& kind) {
    static std::map<std::string, std::string> texts;
    std::string& text = texts[kind];
    if (!text.empty()) return text;
    if (kind == "mix")
        text = testing::mixed_trace({.seed = 1, .events = kEvents, .coroutines = 10000, .registers = false});
    if (kind == "trees") text = testing::scheduler_trace({.seed = 1, .events = kEvents, .coroutines = 10000});
    if (kind == "queue") text = testing::large_queue_trace(kEvents, 100000);
    return text;
}

const Trace& trace_of(const std::string& kind) {
    static std::map<std::string, Trace> traces;
    const auto [found, added] = traces.try_emplace(kind);
    if (added) {
        std::istringstream in(text_of(kind));
        found->second = read(in, kind);
    }
    return found->second;
}

Replay& replay_of(const std::string& kind) {
    static std::map<std::string, Replay> replays;
    return replays.try_emplace(kind, trace_of(kind)).first->second;
}

void verdict(benchmark::State& state, double value, double bar) {
    state.counters["bar"] = bar;
    state.SetLabel(value <= bar ? "keeps its bar" : "MISSES ITS BAR");
}

void load(benchmark::State& state, const char* kind) {
    const std::string& text = text_of(kind);
    double best = 1e9, bytes = 0;
    for (auto _ : state) {
        std::istringstream in(text);
        const double begin = now();
        const Trace trace = read(in, kind);
        best = std::min(best, now() - begin);
        bytes = static_cast<double>(trace.memory()) / static_cast<double>(trace.size());
    }
    state.counters["seconds"] = best;
    state.counters["bytes_per_event"] = bytes;
    verdict(state, std::max(best, bytes / 64), 1);
}

void prepare(benchmark::State& state, const char* kind) {
    for (auto _ : state) benchmark::DoNotOptimize(Replay(trace_of(kind)).size());
}

/// Seeks anywhere.
void seek(benchmark::State& state, const char* kind) {
    Replay& replay = replay_of(kind);
    std::mt19937 random(1);
    Steps steps;
    for (auto _ : state) {
        const std::size_t to = random() % replay.size();
        state.SetIterationTime(steps([&] { replay.seek(to); }));
    }
    state.counters["p99_us"] = steps.percentile(0.99) * 1e6;
    state.counters["worst_us"] = steps.percentile(1) * 1e6;
    verdict(state, steps.percentile(0.99), 1e-3);
}

void step(benchmark::State& state, const char* kind, bool ahead) {
    Replay& replay = replay_of(kind);
    replay.seek(ahead ? replay.size() / 4 : replay.size() * 3 / 4);
    Steps steps;
    for (auto _ : state) {
        const bool moved = ahead ? replay.at() < replay.size() : replay.at() > 0;
        if (!moved) replay.seek(ahead ? 0 : replay.size());
        state.SetIterationTime(steps([&] { ahead ? replay.forward() : replay.backward(); }));
    }
    state.counters["p99_us"] = steps.percentile(0.99) * 1e6;
    verdict(state, steps.percentile(0.99), 10e-6);
}

void add(const char* kind) {
    const std::string name = kind;
    const auto named = [&](const char* what) { return name + "/" + what; };
    benchmark::RegisterBenchmark(named("load").c_str(), load, kind)->Iterations(3)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(named("prepare").c_str(), prepare, kind)->Iterations(1)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(named("seek").c_str(), seek, kind)
        ->Iterations(500)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(named("forward").c_str(), step, kind, true)->Iterations(100000)->UseManualTime();
    benchmark::RegisterBenchmark(named("backward").c_str(), step, kind, false)->Iterations(100000)->UseManualTime();
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    for (const char* kind : {"mix", "trees", "queue"}) add(kind);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
