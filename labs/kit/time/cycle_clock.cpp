#include "labs/kit/time/cycle_clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <fstream>
#include <limits>
#include <string>

namespace fiberscope::kit {
namespace {

#if defined(__x86_64__)
// The counter must tick at a constant rate in every state of the processor (reported by CPUID), and in step on all
// cores (which the kernel shows by using it).
bool counter_is_trusted() {
    constexpr unsigned kPowerLeaf = 0x80000007;
    constexpr unsigned kInvariant = 1U << 8U;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(kPowerLeaf, &a, &b, &c, &d) == 0 || (d & kInvariant) == 0) return false;
    std::ifstream in("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    return in >> source && source == "tsc";
}
#elif defined(__aarch64__)
bool counter_is_trusted() { return true; }
#else
bool counter_is_trusted() { return false; }
#endif

}  // namespace

// The closest pair of several attempts: an interrupt between the two readings would look like drift.
CycleClock::Instant CycleClock::both() noexcept {
    Instant best{};
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (int attempt = 0; attempt < 20; ++attempt) {
        const std::uint64_t before = ticks();
        const std::uint64_t ns = monotonic_ns();
        const std::uint64_t width = ticks() - before;
        if (width >= least) continue;
        least = width;
        best = {before + width / 2, ns};
    }
    return best;
}

std::uint64_t CycleClock::calibrated(const Instant& begin) noexcept {
    constexpr std::uint64_t kShortest = 2'000'000;  // ns
    while (monotonic_ns() - begin.ns < kShortest) {
    }
    const Instant end = both();
    if (end.ticks <= begin.ticks) return 0;
    return static_cast<std::uint64_t>((static_cast<Wide>(end.ns - begin.ns) << kShift) / (end.ticks - begin.ticks));
}

// Later clocks of the process are calibrated over the time since the first one, which is longer, hence more exact, and
// needs no waiting.
CycleClock::CycleClock() {
    static const bool trusted = counter_is_trusted();
    static const Instant first = both();
    if (trusted) ns_per_tick_ = calibrated(first);
    const Instant begin = both();
    begin_ticks_ = begin.ticks;
    begin_ns_ = begin.ns;
}

double CycleClock::drift_ppm() const {
    if (!uses_counter()) return 0;
    const Instant here = both();
    const auto elapsed = static_cast<double>(here.ns - begin_ns_);
    if (elapsed <= 0) return 0;
    const auto counted = static_cast<double>(here.ticks - begin_ticks_) * static_cast<double>(ns_per_tick_) /
                         static_cast<double>(1ULL << kShift);
    return (counted - elapsed) / elapsed * 1e6;
}

}  // namespace fiberscope::kit
