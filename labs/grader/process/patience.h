// How long a program may run. What it does counts, not what the clock says: on a machine that is busy with other things
// a test that needs half a second of a processor may take ten.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace fiberscope::grader {

using Milliseconds = std::chrono::milliseconds;

/// Times of zero are no limit.
struct Patience {
    /// That its session uses, processes that have not ended; what the kernel does for them counts a fifth.
    Milliseconds processor{2000};
    Milliseconds idle{2500};        ///< at a stretch, in which no thread of its session runs or waits for a processor
    Milliseconds wall{30'000};      ///< whatever it does; while it waits for a processor the clock stands still
    Milliseconds longest{150'000};  ///< by the clock, even then
    bool renewed = false;           ///< the clock starts again at each output

    /// For a test that should need no more than `processor`.
    static Patience of(Milliseconds processor) noexcept {
        return {processor, processor * 5 / 4, processor * 15, processor * 75, false};
    }
    /// The same for a test of very many: mapping 100,000 stacks takes some machines nine seconds.
    Patience for_very_many() const noexcept { return {processor * 5, idle, wall * 5, longest * 5, renewed}; }
    /// Only the clock counts, from the last output on.
    static Patience between_outputs(Milliseconds wall) noexcept {
        return {Milliseconds(0), Milliseconds(0), wall, wall, true};
    }
};

/// Which limit ended a program.
enum class Reached { none, processor, idle, wall };

/// Watches one child process.
class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    /// A child that begins now.
    Watch(pid_t child, const Patience& patience) noexcept;

    /// Which limit is reached. Looks into /proc; to be called every few dozen milliseconds.
    Reached look() noexcept;
    /// The child has put something out.
    void heard() noexcept {
        if (patience_.renewed) counted_from_ = Clock::now();
    }

    Clock::time_point began() const noexcept { return began_; }
    /// The part of the time so far that its first thread waited for a processor, in percent; 0 if the system does not
    /// say. Only before the child was waited for.
    int waited_percent() const noexcept;

  private:
    bool is_too_long() const noexcept;
    std::chrono::nanoseconds waited() const noexcept;
    bool was_idle(std::chrono::nanoseconds used) noexcept;

    pid_t child_;
    Patience patience_;
    Clock::time_point began_, active_;  ///< active_: when it last did something
    Clock::time_point counted_from_;    ///< the beginning of the time to which `wall` and `longest` apply
    std::chrono::nanoseconds used_{0};  ///< what it had used then
};

}  // namespace fiberscope::grader
