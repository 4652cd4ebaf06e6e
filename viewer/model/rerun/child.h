// A child process that runs in the background: in its own process group, with limits. Not available in the browser.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope::viewer {

/// How a program ended, and its output from both streams together, at most 64 KB.
struct ProgramEnd {
    enum class How : std::uint8_t { well, with_error, by_signal, too_slow, too_much } how;
    int number = 0;  ///< exit status or signal
    std::string printed;
};

struct ProgramLimits {
    std::chrono::milliseconds time{20'000};
    std::uint64_t kilobytes = 64 * 1024;  ///< per output file; rounded up to whole ones
};

class Program {
  public:
    /// Starts `command`: the path of a program and its arguments. Its output goes to the file `printed`. Throws
    /// SpokenError if it cannot be started.
    Program(const std::vector<std::string>& command, std::filesystem::path printed, ProgramLimits limits = {});
    /// Kills it with all its descendants.
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Polls without blocking: returns the result once. Kills the program if it exceeds its time limit.
    std::optional<ProgramEnd> poll();

  private:
    std::string text_printed() const;

    std::filesystem::path printed_;
    ProgramLimits limits_;
    std::chrono::steady_clock::time_point begun_;
    int process_ = 0;  ///< 0: it has ended
};

/// Whether this platform can start programs.
bool can_start_programs() noexcept;

}  // namespace fiberscope::viewer
