// A workload that stands in a small file of text, so that no C++ is needed to try one. docs/lab04/workloads.md has the
// format. A statement is a line, or what stands between `;` or `:`; a comment begins with `#`.
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
inline constexpr std::uint64_t kMostSteps = 1'000'000;  ///< of all tasks together: a recording that one can look at

/// What is wrong with a file, in one sentence that begins with "FILE:LINE: ".
struct FileError : SpokenError {
    using SpokenError::SpokenError;
};

enum class Op : std::uint8_t { work, sleep, yield, lock, unlock, signal, wait_signal, wait_input, repeat };

struct Step {
    Op op;
    std::size_t name = 0;    ///< of its lock, signal or input: the index in File
    std::uint64_t low = 0;   ///< ns; of a wait its limit or kNever; of repeat how often
    std::uint64_t high = 0;  ///< ns: a time from `low` to this, by chance
    std::size_t body = 0;    ///< of repeat: how many of the steps behind it are repeated
    std::size_t line = 0;
};

struct TaskLine {
    std::string name;
    std::uint64_t count = 1;
    bool counted = false;  ///< the file says how many: --tasks may say something else
    std::vector<Step> steps;
    std::size_t line = 0;
};

struct Input {
    std::string name;
    std::vector<std::uint64_t> moments;  ///< ns: when there is something to read
};

struct File {
    std::vector<TaskLine> tasks;
    std::vector<std::string> locks, signals;
    std::vector<Input> inputs;
};

/// What stands in the file `path`. `tasks`: so many of each task of which the file says how many; 0: as it says. Throws
/// FileError, also if it cannot be read.
File read_file(const std::string& path, std::uint64_t tasks = 0);
/// The same of a text, which errors call `path`.
File read_text(std::string_view text, const std::string& path, std::uint64_t tasks = 0);
/// "20us" as ns: from 1 ns to an hour. Throws std::invalid_argument with a sentence.
std::uint64_t time_of(std::string_view word);

}  // namespace fiberscope::lab04::written
