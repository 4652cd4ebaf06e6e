// Files of English lines, each with its Chinese below, two columns in. Empty lines and those that begin with '#' say
// nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace fiberscope::grader {

/// Calls `learn` with each pair of `file`. None there: not at all. Throws GraderError if a line has no translation.
void read_pairs(const std::filesystem::path& file,
                const std::function<void(const std::string& english, const std::string& chinese)>& learn);

}  // namespace fiberscope::grader
