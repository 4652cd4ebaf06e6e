// What one run of the explored program chose, step by step. It lies in memory that the searching process shares with
// the process that runs, so a crash takes nothing with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "extras/explore/schedule.h"
#include "labs/kit/machines/choice.h"

namespace fiberscope::explore {

/// How many machines an explored program may have, and how many steps a run.
inline constexpr std::size_t kMostMachines = 8;
inline constexpr std::size_t kMostSteps = 20'000;

struct Step {
    std::uint8_t machine;  ///< that came to the choice point
    kit::Act act;          ///< what it was about to do
    bool stays;            ///< it could go on
    std::uint8_t free;     ///< so many of the options, the first, are no preemption
    bool of_memory;        ///< the choice is when others see a store: option 0 at once, option 1 later
    std::uint8_t count;    ///< of options
    std::uint8_t chosen;   ///< the index of one of them
    std::array<std::uint8_t, kMostMachines> options;

    /// 1 for a preemption, and for a store that is seen late; else 0.
    unsigned cost() const noexcept { return chosen < free ? 0 : 1; }
    /// The machine that goes on.
    unsigned next() const noexcept { return of_memory ? machine : options[chosen]; }
};

enum class End : std::uint8_t { running, passed, failed };

struct Journal {
    std::uint64_t schedules = 0;  ///< runs that have begun
    std::uint64_t points = 0;     ///< choice points of all runs
    std::uint32_t size = 0;       ///< steps of this run
    End end = End::running;
    bool wants_words = false;       ///< the run says in words what each step does
    std::array<char, 2000> what{};  ///< failed: why
    std::array<Step, kMostSteps> steps{};
    std::array<std::array<char, 64>, kMostSteps> words{};

    void begin() noexcept {
        size = 0;
        end = End::running;
        what[0] = '\0';
        ++schedules;
    }
    std::span<const Step> run() const noexcept { return {steps.data(), size}; }
};

/// How many preemptions (and stores that are seen late) a run has.
unsigned preemptions(std::span<const Step> run) noexcept;
/// How often the machine changes.
unsigned switches(std::span<const Step> run) noexcept;
/// What a run chose.
Schedule schedule_of(std::span<const Step> run);

/// A Journal in shared memory.
class SharedJournal {
  public:
    /// Throws std::system_error.
    SharedJournal();
    ~SharedJournal();
    SharedJournal(const SharedJournal&) = delete;
    SharedJournal& operator=(const SharedJournal&) = delete;
    Journal* operator->() const noexcept { return journal_; }
    Journal& operator*() const noexcept { return *journal_; }

  private:
    Journal* journal_;
};

}  // namespace fiberscope::explore
