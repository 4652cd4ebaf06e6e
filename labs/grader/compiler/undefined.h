// A linker's words for a function that is declared and used, and that no file defines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fiberscope::grader {

/// What `lines` of a build say of such functions, a sentence each, that names the function and the student's file
/// which should have it. `labs` is the folder of all labs. Empty if there is none.
std::vector<std::string> undefined_functions(const std::vector<std::string>& lines, const std::filesystem::path& labs);

}  // namespace fiberscope::grader
