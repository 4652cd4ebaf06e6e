// A task that has not ended when a test hangs, in words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// "'reader' waits for fd 5 to be readable; it is readable now, and nobody has woken 'reader'". `fields` are those of a
/// line "waiting" (labs/kit/report/report.h), the word itself left out.
std::string waiting_in_words(std::span<const std::string_view> fields);

}  // namespace fiberscope::grader
