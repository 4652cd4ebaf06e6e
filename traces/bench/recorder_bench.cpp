// What recording costs a program: nothing but a branch while no trace is open; else the time and one event. The writing
// of text happens off that path, when a buffer is full, and is measured beside it.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <vector>

#include "labs/kit/time/cycle_clock.h"
#include "testing/measure/ratios.h"
#include "traces/record/recorder.h"

namespace {

namespace trace = fiberscope::trace;
using fiberscope::kit::CycleClock;

constexpr int kBatch = 4000;  // events that fit a buffer
constexpr int kBatchWithRegisters = 400;
constexpr int kFilesIterations = 20;  // each writes up to half a megabyte

/// The thread's own time, so that other programs on the machine are not measured.
std::uint64_t thread_ns() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
}

std::filesystem::path temporary_file() {
    return std::filesystem::temp_directory_path() / ("recorder_bench." + std::to_string(::getpid()) + ".json");
}

/// A trace as long as it lives.
class Recording {
  public:
    explicit Recording(const std::filesystem::path& file) { trace::open(file, {}); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() { trace::close(); }
};

/// Times `batch`, which records `events` events, and then, apart from it, the writing of their text. One of both
/// counts.
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

void record_with_registers(Two& touches, std::uint64_t& t) {
    static int here = 0;
    const auto stack = reinterpret_cast<std::uintptr_t>(&touches);
    const auto code = reinterpret_cast<std::uintptr_t>(&record_switches);
    const auto data = reinterpret_cast<std::uintptr_t>(&here);
    const std::vector<std::uint64_t> values{stack, stack + 64, code + 9, data, 3, 0, 1, ~0UL, 0x1f80, 0x37f};
    const trace::Registers registers{values, stack + 4096, 8192};
    for (int i = 0; i < kBatchWithRegisters; ++i)
        trace::record_switch(++t, trace::switch_event(0, 1, trace::Why::resume, trace::State::normal), touches.a,
                             touches.b, {}, registers, registers);
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

void cycle_clock_alone(benchmark::State& state) {
    const CycleClock clock;
    for (auto _ : state) benchmark::DoNotOptimize(clock.now());
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(cycle_clock_alone);

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

void recording_texts(benchmark::State& state) {
    const Recording recording("/dev/null");
    Two touches;
    std::uint64_t t = 0;
    measure(state, false, kBatch / 2, [&] {
        for (int i = 0; i < kBatch / 2; ++i) trace::record(++t, trace::note_event(1), touches.a, "waits for fd 7");
    });
}
BENCHMARK(recording_texts)->UseManualTime();

void recording_registers(benchmark::State& state) {
    const Recording recording("/dev/null");
    Two touches;
    std::uint64_t t = 0;
    measure(state, false, kBatchWithRegisters, [&] { record_with_registers(touches, t); });
}
BENCHMARK(recording_registers)->UseManualTime();

// ---- other people's coroutines: the whole run, with a writer beside it ----------------------------------------------

volatile std::uint64_t sink = 0;

void work(int steps) {
    std::uint64_t x = sink + 1;
    for (int i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    sink = x;
}

/// As many steps as a switch of 100 ns takes here.
int steps_of_a_switch() {
    constexpr int kTries = 2000;
    int steps = 8;
    for (std::uint64_t ns = 0; ns < 100 * kTries; ++steps) {
        ns = UINT64_MAX;
        for (int round = 0; round < 20; ++round) {
            const std::uint64_t begin = thread_ns();
            for (int i = 0; i < kTries; ++i) work(steps);
            ns = std::min(ns, thread_ns() - begin);
        }
    }
    return steps;
}

void run_others(benchmark::State& state, bool recorded) {
    constexpr int kSwitches = 200'000;
    static const int steps = steps_of_a_switch();
    static const CycleClock clock;
    for (auto _ : state) {
        state.PauseTiming();
        std::error_code ignored;
        std::filesystem::remove(temporary_file(), ignored);  // what it takes to empty an older one is another matter
        state.ResumeTiming();
        Two touches;
        if (recorded) trace::open(temporary_file(), {});
        if (recorded) trace::write_in_background();
        for (int i = 0; i < kSwitches; ++i) {
            work(steps);
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

void writing_registers(benchmark::State& state) {
    const Recording recording(temporary_file());
    Two touches;
    std::uint64_t t = 0;
    measure(state, true, kBatchWithRegisters, [&] { record_with_registers(touches, t); });
}
BENCHMARK(writing_registers)->UseManualTime()->Iterations(kFilesIterations);

}  // namespace

int main(int argc, char** argv) {
    const CycleClock clock;
    const int status = fiberscope::testing::run_benchmarks(
        argc, argv,
        {{"recording_monotonic", "clock_gettime_alone", 1.2},
         {"others_recorded", "others_untraced", 1.3},
         {"cycle_clock_alone", "clock_gettime_alone", std::nullopt}},
        {{"not_recording", 2}, {"recording_virtual", 10}, {"recording_virtual_sets", 10}, {"writing_switches", 300}});
    std::error_code ignored;
    std::filesystem::remove(temporary_file(), ignored);
    std::printf("the cycle clock %s; its drift over this run: %.1f ppm\n",
                clock.uses_counter() ? "counts cycles" : "fell back to clock_gettime", clock.drift_ppm());
    return status;
}
