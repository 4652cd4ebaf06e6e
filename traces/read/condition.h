// The condition of a file, and the one sentence for it that tool, viewer and grader share.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fiberscope::trace {

enum class Condition : std::uint8_t {
    whole,   ///< it has its end
    live,    ///< a recorder is writing it
    empty,   ///< nothing was written into it, or a trace without events
    cut,     ///< it has no end, and no recorder is writing it: the program died
    broken,  ///< it is no trace, or not what the format asks
};

/// The sentence for a file of which nothing can be used; `name` is printable, `condition` says in words why.
std::string nothing_read(const std::string& name, const std::string& condition);

/// Why nothing of a file can be used, in one sentence: file, line, what was expected and what to do.
class ReadError : public std::runtime_error {
  public:
    explicit ReadError(const std::string& sentence, Condition condition = Condition::broken)
        : std::runtime_error(sentence), condition_(condition) {}
    Condition condition() const noexcept { return condition_; }

  private:
    Condition condition_;
};

}  // namespace fiberscope::trace
