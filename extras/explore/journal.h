// The choices of one run of the explored program, step by step. It is in memory shared by the searching and the running
// process, so it survives a crash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "extras/explore/schedule.h"
#include "labs/kit/machines/choice.h"

namespace fiberscope::explore {

/// Maximum number of machines of an explored program, and of steps of a run.
inline constexpr std::size_t kMostMachines = 8;
inline constexpr std::size_t kMostSteps = 20'000;

struct Step {
    std::uint8_t machine;  ///< that reached the choice point
    kit::Act act;          ///< what it was about to do
    bool stays;            ///< it could continue
    std::uint8_t free;     ///< the first `free` options are not preemptions
    bool of_memory;        ///< the choice is when others see a store: option 0 immediately, option 1 later
    std::uint8_t count;    ///< of options
    std::uint8_t chosen;   ///< index of the chosen option
    std::array<std::uint8_t, kMostMachines> options;

    /// 1 for a preemption or a delayed store; else 0.
    unsigned cost() const noexcept { return chosen < free ? 0 : 1; }
    /// The machine that continues.
    unsigned next() const noexcept { return of_memory ? machine : options[chosen]; }
};

enum class End : std::uint8_t { running, passed, failed };

struct Journal {
    std::uint64_t schedules = 0;  ///< runs started
    std::uint64_t points = 0;     ///< choice points of all runs
    std::uint32_t size = 0;       ///< steps of this run
    End end = End::running;
    bool wants_words = false;       ///< the run describes each step
    std::array<char, 2000> what{};  ///< failed: the reason
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

/// Number of preemptions (and delayed stores) of a run.
unsigned preemptions(std::span<const Step> run) noexcept;
/// Number of changes of the machine.
unsigned switches(std::span<const Step> run) noexcept;
/// The choices of a run as a schedule.
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
