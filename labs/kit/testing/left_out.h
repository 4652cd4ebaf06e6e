// Skipped tests, which the system does not support: neither passed nor failed.
#pragma once

#include <string>

namespace fiberscope::kit::testing {

/// Marks the test as skipped. Called before the first assertion; the test then returns. The grader and ctest report
/// "left out" and the reason.
void leave_out(const std::string& why);
/// The reason; empty if no test was skipped.
const std::string& why_left_out() noexcept;

}  // namespace fiberscope::kit::testing
