// A program that runs while the window goes on: in a process group of its own, with limits. In a page there is none.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope::viewer {

/// How a program ended, if it has, and what it printed, on both streams together: 64 KB at most.
struct ProgramEnd {
    enum class How : std::uint8_t { well, with_error, by_signal, too_slow, too_much } how;
    int number = 0;  ///< the exit status, or the signal
    std::string printed;
};

struct ProgramLimits {
    std::chrono::milliseconds time{20'000};
    std::uint64_t kilobytes = 64 * 1024;  ///< of each file that it writes; rounded up to whole ones
};

class Program {
  public:
    /// Starts `command`: the path of a program, and its arguments. What it prints goes to `printed`, a file. Throws
    /// SpokenError if it cannot be started.
    Program(const std::vector<std::string>& command, std::filesystem::path printed, ProgramLimits limits = {});
    /// Ends it, with all that it has started.
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Looks, and does not wait: how it ended, once. One that runs for too long is ended.
    std::optional<ProgramEnd> poll();

  private:
    std::string text_printed() const;

    std::filesystem::path printed_;
    ProgramLimits limits_;
    std::chrono::steady_clock::time_point begun_;
    int process_ = 0;  ///< 0: it has ended
};

/// Whether programs can be started here.
bool can_start_programs() noexcept;

}  // namespace fiberscope::viewer
