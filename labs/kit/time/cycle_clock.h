// Monotonic time from the processor's cycle counter, at a third of the cost of clock_gettime, so that timestamps do not
// dominate the run time of a traced program.
#pragma once

#include <ctime>

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "labs/kit/time/units.h"

namespace fiberscope::kit {

/// Nanoseconds since its construction. Reads the invariant cycle counter (x86_64: if the kernel trusts it too; aarch64:
/// always available) and falls back to CLOCK_MONOTONIC. The first one of a process is calibrated for 2 ms. Thread-safe.
class CycleClock {
  public:
    CycleClock();

    /// Never fails, takes no lock, makes no system call; async-signal-safe.
    std::uint64_t now() const noexcept {
        if (ns_per_tick_ == 0) return monotonic_ns() - begin_ns_;
        const std::uint64_t at = ticks();
        if (at < begin_ticks_) return 0;  // another core's counter, a few ticks behind
        return static_cast<std::uint64_t>((static_cast<Wide>(at - begin_ticks_) * ns_per_tick_) >> kShift);
    }

    /// Returns how much faster than CLOCK_MONOTONIC this clock has been since its construction, in parts per million; 0
    /// if it uses that clock.
    double drift_ppm() const;

    /// Whether it reads the counter.
    bool uses_counter() const noexcept { return ns_per_tick_ != 0; }

  private:
    __extension__ using Wide = unsigned __int128;
    static constexpr int kShift = 32;

    static std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
        return __rdtsc();
#elif defined(__aarch64__)
        std::uint64_t value;
        asm volatile("mrs %0, cntvct_el0" : "=r"(value));
        return value;
#else
        return 0;
#endif
    }
    static std::uint64_t monotonic_ns() noexcept {
        timespec t{};
        ::clock_gettime(CLOCK_MONOTONIC, &t);
        return ns_of(t);
    }

    /// One instant by both clocks.
    struct Instant {
        std::uint64_t ticks;
        std::uint64_t ns;
    };
    static Instant both() noexcept;
    static std::uint64_t calibrated(const Instant& begin) noexcept;

    std::uint64_t begin_ticks_ = 0;
    std::uint64_t begin_ns_ = 0;
    std::uint64_t ns_per_tick_ = 0;  ///< fixed point, times 2^kShift; 0: no trusted counter
};

}  // namespace fiberscope::kit
