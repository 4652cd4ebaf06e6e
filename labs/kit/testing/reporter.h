// Sends the failed assertions of a lab's test to its grader (labs/kit/report/report.h), and counts them all.
#pragma once

#include <cstddef>
#include <string>

namespace fiberscope::kit::testing {

/// Of all tests that this process ran.
std::size_t assertions_passed() noexcept;
std::size_t assertions_failed() noexcept;
/// The first failed assertion, with its values and location.
std::string first_failure();

}  // namespace fiberscope::kit::testing
