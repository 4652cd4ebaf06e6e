// Time limits that measure work rather than elapsed time: on a busy computer a test that needs half a second of CPU
// time may take ten.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace fiberscope::grader {

using Milliseconds = std::chrono::milliseconds;

/// Zero means no limit.
struct Patience {
    /// CPU time of the live processes of its session; kernel time counts a fifth.
    Milliseconds processor{2000};
    Milliseconds idle{2500};    ///< consecutive time in which no thread of its session runs or waits for a processor
    Milliseconds wall{30'000};  ///< elapsed time, except while it waits for a processor
    Milliseconds longest{150'000};  ///< elapsed time, without exception
    bool renewed = false;           ///< elapsed time restarts at each output

    /// For a test that should need at most `processor`.
    static Patience of(Milliseconds processor) noexcept {
        return {processor, processor * 5 / 4, processor * 15, processor * 75, false};
    }
    /// The same for a test of very many coroutines: mapping 100,000 stacks takes nine seconds on some computers.
    Patience for_very_many() const noexcept { return {processor * 5, idle, wall * 5, longest * 5, renewed}; }
    /// Only elapsed time counts, since the last output.
    static Patience between_outputs(Milliseconds wall) noexcept {
        return {Milliseconds(0), Milliseconds(0), wall, wall, true};
    }
};

/// The limit that ended a program.
enum class Reached { none, processor, idle, wall };

/// Watches one child process.
class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    /// Starts with a new child.
    Watch(pid_t child, const Patience& patience) noexcept;

    /// The limit that was reached. Reads /proc; to be called every few dozen milliseconds.
    Reached look() noexcept;
    /// To be called when the child has produced output.
    void heard() noexcept {
        if (patience_.renewed) counted_from_ = Clock::now();
    }

    Clock::time_point began() const noexcept { return began_; }
    /// The percentage of the time so far that its first thread waited for a processor; 0 if unknown. To be called
    /// before the child is reaped.
    int waited_percent() const noexcept;

  private:
    bool is_too_long() const noexcept;
    std::chrono::nanoseconds waited() const noexcept;
    bool was_idle(std::chrono::nanoseconds used) noexcept;

    pid_t child_;
    Patience patience_;
    Clock::time_point began_, active_;  ///< active_: time of its last activity
    Clock::time_point counted_from_;    ///< start of the time to which `wall` and `longest` apply
    std::chrono::nanoseconds used_{0};  ///< CPU time used until then
};

}  // namespace fiberscope::grader
