// Searches the schedules of a program for one that fails, as CHESS (bounded preemptions), PCT and Shuttle do, and makes
// what it finds small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "labs/explore/runner.h"
#include "labs/explore/schedule.h"
#include "languages/say.h"

namespace fiberscope::explore {

enum class Strategy : std::uint8_t {
    exhaustive,  ///< all schedules with no preemption, then all with one, and so on up to Options::preemptions
    random,
    pct,
    replay  ///< the one of Options::schedule
};

struct Options {
    Strategy strategy = Strategy::exhaustive;
    unsigned preemptions = 2;     ///< exhaustive: at most
    unsigned depth = 3;           ///< pct: how many orderings a fault needs
    std::uint64_t seed = 1;       ///< random, pct
    std::uint64_t schedules = 0;  ///< at most; 0: no limit
    double seconds = 60;          ///< at most, for the search
    bool weak = false;            ///< stores may be seen late
    bool judge_all = false;       ///< the traces of all schedules, and not only of those with few preemptions
    bool judge_rest = false;      ///< exhaustive: those of the others too, when all have passed and there is time
    bool isolated = false;  ///< each run in a process of its own: what a run leaves behind would disturb the next one
    Schedule schedule;      ///< replay
    Language language = Language::english;  ///< of what is said
    int progress = -1;                      ///< a descriptor that lines about the search go to; -1: none
    std::filesystem::path trace;            ///< of the failing run; of replay's run; empty: none
};

struct Failure {
    std::string what;       ///< one sentence
    Schedule schedule;      ///< replays it
    unsigned preemptions;   ///< those that it needs
    std::size_t steps = 0;  ///< choice points of its run
    std::string story;      ///< numbered steps, by machine
    /// The recording of a run that passes: the same up to the last choice of the schedule. Empty: none.
    std::filesystem::path passing;
};

struct Report {
    Options options;
    std::uint64_t schedules = 0;  ///< that were tried until the first failure, or until the end
    std::uint64_t points = 0;     ///< choice points in them
    std::uint64_t traced = 0;     ///< of the schedules: those whose traces were judged
    bool judged_all = false;      ///< exhaustive: the traces of all schedules up to the bound
    int bound = -1;               ///< exhaustive: all schedules with so many preemptions were tried; -1: none
    double seconds = 0;           ///< until the first failure, or until the end
    std::optional<Failure> failure;
    std::string story;  ///< replay: of its run
};

/// `body` runs once for each schedule. Where it comes to a function that is not written yet, this process ends as
/// kit::not_implemented says. Throws std::system_error if there are no processes to be had, std::invalid_argument for a
/// program that has nothing to choose.
Report explore(const Options& options, const Body& body);

/// What was tried and what was found, in some lines of the options' language. The report itself is in English.
std::string words(const Report& report);

/// What the journal's run did, as numbered steps by machine; the run had `wants_words`.
std::string story_of(const Journal& journal);

}  // namespace fiberscope::explore
