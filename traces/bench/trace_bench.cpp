// Measures reader and replay with a million events against their limits, in CPU time of this thread, so that other
// programs do not count. Exits with 1 if a limit is exceeded.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <sstream>
#include <vector>

#include "traces/read/reader.h"
#include "traces/replay/replay.h"
#include "traces/tests/generator.h"

namespace {

using namespace fiberscope::trace;

template <class F>
double seconds(F&& step) {
    const auto now = [] {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
    };
    const double begin = now();
    step();
    return now() - begin;
}

/// The 99th percentile of the seconds that `count` steps take.
template <class F>
double percentile(int count, F&& step) {
    std::vector<double> all;
    for (int i = 0; i < count; ++i) all.push_back(seconds(step));
    std::sort(all.begin(), all.end());
    return all[all.size() * 99 / 100];
}

bool all_kept = true;
void judge(const char* what, double value, double bar, const char* unit) {
    std::printf("%-28s %8.3f %s, bar %g: %s\n", what, value, unit, bar, value <= bar ? "ok" : "MISSED");
    all_kept = all_kept && value <= bar;
}

Trace read_text(const std::string& text) {
    std::istringstream in(text);
    return read(in, "mix");
}

void measure_replay(const Trace& trace) {
    Replay replay(trace);
    std::mt19937 random(1);
    judge("seek, 99th percentile", 1e3 * percentile(500, [&] { replay.seek(random() % replay.size()); }), 1, "ms");
    replay.seek(replay.size() / 4);
    judge("forward, 99th percentile", 1e6 * percentile(100'000, [&] { replay.forward(); }), 10, "us");
    judge("backward, 99th percentile", 1e6 * percentile(100'000, [&] { replay.backward(); }), 10, "us");
}

}  // namespace

int main() {
    constexpr std::size_t kEvents = 1'000'000;
    const std::string text =
        testing::mixed_trace({.seed = 1, .events = kEvents, .coroutines = 10'000, .registers = false});
    Trace trace;
    judge("load", seconds([&] { trace = read_text(text); }), 1, "s");
    judge("memory of an event", static_cast<double>(trace.memory()) / static_cast<double>(trace.size()), 64, "bytes");
    measure_replay(trace);
    return all_kept ? 0 : 1;
}
