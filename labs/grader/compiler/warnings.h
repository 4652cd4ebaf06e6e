// What the compiler warns of in the student's files, kept from one build to the next: a file that has not changed is
// not compiled again, and its warning would not be seen when a test fails.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::grader {

/// After a build: keeps in `folder` what the compiler's `lines` warn of in each file of exercise/ that was compiled, as
/// the build tool's `output` says, in place of what was kept of it before.
void keep_warnings(const std::filesystem::path& folder, std::string_view output, const std::vector<std::string>& lines);

/// All that is kept there, file after file; nothing if nothing was.
std::vector<std::string> kept_warnings(const std::filesystem::path& folder);

}  // namespace fiberscope::grader
