// A test that cannot be run here, because the system refuses what it is about: neither passed nor failed.
#pragma once

#include <string>

namespace fiberscope::kit::testing {

/// Called by a test before it asserts anything; then it returns. `why` is a message. The grader and
/// ctest say "left out" and why.
void leave_out(const std::string& why);
/// What was said; empty if no test was left out.
const std::string& why_left_out() noexcept;

}  // namespace fiberscope::kit::testing
