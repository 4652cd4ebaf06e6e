// Sends the failed assertions of a lab's test to its grader (labs/kit/report.h), and counts them all.
#pragma once

#include <cstddef>

namespace fiberscope::kit::testing {

/// Of all tests that this process ran.
std::size_t assertions_passed() noexcept;
std::size_t assertions_failed() noexcept;

}  // namespace fiberscope::kit::testing
