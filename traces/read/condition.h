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

/// "the file is being recorded: …", "the file is empty: …", "the file was cut short …", "the file is broken …"; `rest`
/// says how and where. Empty for one that is whole.
std::string condition_in_words(Condition condition, std::string_view rest);
/// The sentence for a file of which nothing can be used; `name` is printable, `condition` from condition_in_words().
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
