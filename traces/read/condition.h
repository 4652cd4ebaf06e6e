// The condition of a file, and the message about it that tool, viewer and grader share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "languages/spoken_error.h"

namespace fiberscope::trace {

enum class Condition : std::uint8_t {
    whole,   ///< it has its end
    live,    ///< a recorder is writing it
    empty,   ///< an empty file, or a trace without events
    cut,     ///< it has no end, and no recorder is writing it: the program crashed
    broken,  ///< not a trace, or malformed
};

/// The message for an unusable file; `name` is printable, `condition` is a message with the reason.
std::string nothing_read(const std::string& name, const std::string& condition);

/// Why a file is unusable, in one sentence: file, line, what was expected and what to do.
class ReadError : public SpokenError {
  public:
    explicit ReadError(const std::string& message, Condition condition = Condition::broken)
        : SpokenError(message), condition_(condition) {}
    Condition condition() const noexcept { return condition_; }

  private:
    Condition condition_;
};

}  // namespace fiberscope::trace
