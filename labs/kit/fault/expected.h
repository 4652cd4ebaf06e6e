// What a test expects, in words. A failed assertion shows its INFO; a crash and a hang have none, so they tell this.
#pragma once

namespace fiberscope::kit {

/// From here to the end of its scope, in the main thread, the report of a crash, of an exit or of an end by a time
/// limit has this sentence. One at a time.
class Expected {
  public:
    /// A literal.
    explicit Expected(const char* sentence) noexcept;
    ~Expected();
    Expected(const Expected&) = delete;
};

}  // namespace fiberscope::kit

/// INFO with a literal, which a crash or a hang tells too.
#define EXPECTS(sentence) \
    INFO(sentence);       \
    const ::fiberscope::kit::Expected expected_here(sentence)
