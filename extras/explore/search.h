// Searches the schedules of a program for a failing one, as CHESS (bounded preemptions), PCT and Shuttle do, and
// minimizes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "extras/explore/runner.h"
#include "extras/explore/schedule.h"
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
    double seconds = 60;          ///< limit for the search
    bool weak = false;            ///< stores may become visible late
    bool judge_all = false;       ///< check the traces of all schedules, not only of those with few preemptions
    bool judge_rest = false;      ///< exhaustive: also the others, when all have passed and time remains
    bool isolated = false;        ///< run each schedule in a new process, because runs have side effects
    Schedule schedule;            ///< replay
    Language language = Language::english;  ///< of messages
    int progress = -1;                      ///< a descriptor for progress messages; -1: none
    std::filesystem::path trace;            ///< recording of the failing run, or of the replayed one; empty: none
};

struct Failure {
    std::string what;       ///< one sentence
    Schedule schedule;      ///< replays it
    unsigned preemptions;   ///< number of required preemptions
    std::size_t steps = 0;  ///< choice points of its run
    std::string story;      ///< numbered steps, by machine
    /// The recording of a passing run: equal up to the last choice of the schedule. Empty: none.
    std::filesystem::path passing;
};

struct Report {
    Options options;
    std::uint64_t schedules = 0;  ///< number tried until the first failure, or until the end
    std::uint64_t points = 0;     ///< choice points in them
    std::uint64_t traced = 0;     ///< number of schedules whose traces were checked
    bool judged_all = false;      ///< exhaustive: the traces of all schedules up to the bound
    int bound = -1;               ///< exhaustive: all schedules with this number of preemptions were tried; -1: none
    double seconds = 0;           ///< until the first failure, or until the end
    std::optional<Failure> failure;
    std::string story;  ///< replay: of its run
};

/// `body` runs once for each schedule. If it calls a function that is not written yet, this process exits like
/// kit::not_implemented. Throws std::system_error if no process can be created, std::invalid_argument if the program
/// has no choices.
Report explore(const Options& options, const Body& body);

/// Describes what was tried and found, in some lines in the options' language. The report itself is in English.
std::string words(const Report& report);

/// The steps of the journal's run, numbered, by machine; requires `wants_words`.
std::string story_of(const Journal& journal);

}  // namespace fiberscope::explore
