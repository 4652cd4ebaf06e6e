// A workload described by a small text file, so that none must be written in C++. The format is in
// docs/lab04/workloads.md. Statements are separated by line ends, `;` or `:`; a comment begins with `#`.
//
//     task baker x2: repeat 3; lock oven; work 20us; unlock oven; signal bread; end
//     task customer: repeat 6; wait bread; work 5us..10us; end
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "languages/spoken_error.h"

namespace fiberscope::lab04::written {

inline constexpr std::uint64_t kMostTasks = 10'000;
inline constexpr std::uint64_t kMostSteps = 1'000'000;  ///< of all tasks together, so that recordings stay readable

/// An error in a file: one sentence that begins with "FILE:LINE: ".
struct FileError : SpokenError {
    using SpokenError::SpokenError;
};

enum class Op : std::uint8_t { work, sleep, yield, lock, unlock, signal, wait_signal, wait_input, repeat };

struct Step {
    Op op;
    std::size_t name = 0;    ///< index of its lock, signal or input in File
    std::uint64_t low = 0;   ///< ns; wait: its limit or kNever; repeat: the count
    std::uint64_t high = 0;  ///< ns: upper bound of a random time from `low` on
    std::size_t body = 0;    ///< repeat: number of following steps that are repeated
    std::size_t line = 0;
};

struct TaskLine {
    std::string name;
    std::uint64_t count = 1;
    bool counted = false;  ///< the file gives a count, which --tasks may override
    std::vector<Step> steps;
    std::size_t line = 0;
};

struct Input {
    std::string name;
    std::vector<std::uint64_t> moments;  ///< ns: times at which there is something to read
};

struct File {
    std::vector<TaskLine> tasks;
    std::vector<std::string> locks, signals;
    std::vector<Input> inputs;
};

/// Reads the file `path`. `tasks` replaces the counts given in the file, if not 0. Throws FileError, also if the file
/// cannot be read.
File read_file(const std::string& path, std::uint64_t tasks = 0);
/// The same for a text; `path` is its name in errors.
File read_text(std::string_view text, const std::string& path, std::uint64_t tasks = 0);
/// Converts "20us" to ns: from 1 ns to an hour. Throws std::invalid_argument.
std::uint64_t time_of(std::string_view word);

}  // namespace fiberscope::lab04::written
