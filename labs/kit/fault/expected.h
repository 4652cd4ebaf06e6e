// A test's expectation, in words. A failed assertion reports its INFO; crashes and hangs have none and report this.
#pragma once

namespace fiberscope::kit {

/// During its lifetime, in the main thread, the report of a crash, an exit or a time limit includes this sentence. One
/// at a time.
class Expected {
  public:
    /// A literal.
    explicit Expected(const char* sentence) noexcept;
    ~Expected();
    Expected(const Expected&) = delete;
};

}  // namespace fiberscope::kit

/// INFO with a literal that a crash or a hang reports too.
#define EXPECTS(sentence) \
    INFO(sentence);       \
    const ::fiberscope::kit::Expected expected_here(sentence)
