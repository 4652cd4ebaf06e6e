// Skipped tests, which the system does not support: neither passed nor failed.
#pragma once

#include <string>

namespace fiberscope::kit::testing {

/// Called by a test before it asserts anything; then it returns. `why` is a message. The grader and
/// ctest say "left out" and why.
void leave_out(const std::string& why);
/// The reason; empty if no test was skipped.
const std::string& why_left_out() noexcept;

}  // namespace fiberscope::kit::testing
