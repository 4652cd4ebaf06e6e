// The cost of recording: a branch while no trace is open, otherwise reading the clock and storing one event. Formatting
// happens off that path, when a buffer is full, and is measured separately.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "labs/kit/time/cycle_clock.h"
#include "testing/measure/ratios.h"
#include "traces/record/recorder.h"

namespace {

namespace trace = fiberscope::trace;
using fiberscope::kit::CycleClock;

constexpr int kBatch = 4000;          // events that fit a buffer
constexpr int kFilesIterations = 20;  // each writes up to half a megabyte

/// The thread's own CPU time, so that other programs are not measured.
std::uint64_t thread_ns() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
}

std::filesystem::path temporary_file() {
    return std::filesystem::temp_directory_path() / ("recorder_bench." + std::to_string(::getpid()) + ".json");
}

/// A trace that is open during this object's lifetime.
class Recording {
  public:
    explicit Recording(const std::filesystem::path& file) { trace::open(file, {}); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() { trace::close(); }
};

/// Times `batch`, which records `events` events, and separately the writing of their text. Both are reported.
template <class Batch>
void measure(benchmark::State& state, bool writing, int events, Batch batch) {
    for (auto _ : state) {
        const std::uint64_t begin = thread_ns();
        batch();
        const std::uint64_t between = thread_ns();
        trace::flush();
        const std::uint64_t end = thread_ns();
        state.SetIterationTime(static_cast<double>(writing ? end - between : between - begin) * 1e-9);
    }
    state.SetItemsProcessed(state.iterations() * events);
}

struct Two {
    trace::CausalStamp a, b;
};

void record_switches(Two& touches, std::uint64_t& t) {
    for (int i = 0; i < kBatch / 2; ++i) {
        trace::record(++t, trace::switch_event(0, 1, trace::Why::resume, trace::State::normal), touches.a, touches.b);
        trace::record(++t, trace::switch_event(1, 0, trace::Why::yield, trace::State::suspended), touches.b, touches.a);
    }
}

void clock_gettime_alone(benchmark::State& state) {
    timespec t{};
    for (auto _ : state) {
        ::clock_gettime(CLOCK_MONOTONIC, &t);
        benchmark::DoNotOptimize(t);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(clock_gettime_alone);

void not_recording(benchmark::State& state) {
    Two touches;
    std::uint64_t t = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(++t);
        if (trace::recording())
            trace::record(t, trace::switch_event(0, 1, trace::Why::resume, trace::State::normal), touches.a, touches.b);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(not_recording);

void recording_monotonic(benchmark::State& state) {
    const CycleClock clock;
    const Recording recording("/dev/null");
    Two touches;
    measure(state, false, kBatch, [&] {
        for (int i = 0; i < kBatch; ++i)
            trace::record(clock.now(), trace::switch_event(0, 1, trace::Why::resume, trace::State::normal), touches.a,
                          touches.b);
    });
}
BENCHMARK(recording_monotonic)->UseManualTime();

void recording_virtual(benchmark::State& state) {
    const Recording recording("/dev/null");
    Two touches;
    std::uint64_t t = 0;
    measure(state, false, kBatch, [&] { record_switches(touches, t); });
}
BENCHMARK(recording_virtual)->UseManualTime();

void recording_virtual_sets(benchmark::State& state) {
    const Recording recording("/dev/null");
    const std::uint32_t set = trace::declare_set(0, "ready", trace::Role::ready, trace::Structure::queue);
    trace::flush();
    Two touches;
    std::uint64_t t = 0;
    measure(state, false, kBatch, [&] {
        for (int i = 0; i < kBatch; ++i)
            trace::record(++t, trace::set_event(trace::Kind::insert, set, 1, i), touches.a);
    });
}
BENCHMARK(recording_virtual_sets)->UseManualTime();

// ---- adapters of other libraries: whole runs, with a background writer ----------------------------------------------

volatile std::uint64_t sink = 0;

void work(int steps) {
    std::uint64_t x = sink + 1;
    for (int i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    sink = x;
}

void run_others(benchmark::State& state, bool recorded) {
    constexpr int kSwitches = 200'000;
    static const CycleClock clock;
    for (auto _ : state) {
        state.PauseTiming();
        std::error_code ignored;
        std::filesystem::remove(temporary_file(), ignored);  // truncating an older file is not to be measured
        state.ResumeTiming();
        Two touches;
        if (recorded) trace::open(temporary_file(), {});
        if (recorded) trace::write_in_background();
        for (int i = 0; i < kSwitches; ++i) {
            work(105);  // about 100 ns
            if (recorded)
                trace::record(clock.now(), trace::switch_event(0, 1, trace::Why::resume, trace::State::normal),
                              touches.a, touches.b);
        }
        if (recorded) trace::close();
    }
    state.SetItemsProcessed(state.iterations() * kSwitches);
}
void others_untraced(benchmark::State& state) { run_others(state, false); }
BENCHMARK(others_untraced)->UseRealTime();
void others_recorded(benchmark::State& state) { run_others(state, true); }
BENCHMARK(others_recorded)->UseRealTime();

void writing_switches(benchmark::State& state) {
    const Recording recording(temporary_file());
    Two touches;
    std::uint64_t t = 0;
    measure(state, true, kBatch, [&] { record_switches(touches, t); });
}
BENCHMARK(writing_switches)->UseManualTime()->Iterations(kFilesIterations);

}  // namespace

int main(int argc, char** argv) {
    const int status = fiberscope::testing::run_benchmarks(argc, argv,
                                                           {{"recording_monotonic", {"clock_gettime_alone"}, 1.2},
                                                            {"others_recorded", {"others_untraced"}, 1.3},
                                                            {"not_recording", {}, 2},
                                                            {"recording_virtual", {}, 10},
                                                            {"recording_virtual_sets", {}, 10},
                                                            {"writing_switches", {}, 300}});
    std::error_code ignored;
    std::filesystem::remove(temporary_file(), ignored);
    return status;
}
