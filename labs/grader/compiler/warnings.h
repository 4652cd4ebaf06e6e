// What the compiler warns of in the student's files, kept from one build to the next: a file that has not changed is
// not compiled again, and its warning would not be seen when a test fails.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::grader {

/// The files of exercise/ that the build tool says it compiles ("[3/9] Building CXX object …/exercise/a.cpp.o"): the
/// last part of each name.
std::vector<std::string> compiled_files(std::string_view output);

/// The warnings in the compiler's words that stand in exercise/`file`, with the lines that explain them.
std::vector<std::string> warnings_in(const std::vector<std::string>& words, const std::string& file);

/// After a build: keeps in `folder` what `words` say of each file of `compiled`, in place of what was
/// kept of it before.
void keep_warnings(const std::filesystem::path& folder, const std::vector<std::string>& compiled,
                   const std::vector<std::string>& words);

/// All that is kept there, file after file; nothing if nothing was.
std::vector<std::string> kept_warnings(const std::filesystem::path& folder);

}  // namespace fiberscope::grader
