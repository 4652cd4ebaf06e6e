// What a build says of the student's files. What the compiler warns of is kept from one build to the next: a file that
// has not changed is not compiled again, and its warning would not be seen when a test fails.
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

/// What a linker's `lines` say of functions that are declared and used, and that no file defines: a sentence each, that
/// names the function and the student's file which should have it. `labs` is the folder of all labs.
std::vector<std::string> undefined_functions(const std::vector<std::string>& lines, const std::filesystem::path& labs);

}  // namespace fiberscope::grader
