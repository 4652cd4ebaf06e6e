// Lines that a lab's programs print to a person, in the language of says().
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::grader {

/// `line` without its end. Of an option, or of a demo, the name stays, and what it means is said. What is not known
/// stands as it is.
std::string line_in_words(std::string_view line);

}  // namespace fiberscope::grader
