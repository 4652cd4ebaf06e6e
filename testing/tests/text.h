// The tree's own files as its tests read them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace fiberscope::testing {

/// The whole text of a file; empty if there is none.
std::string read(const std::filesystem::path& file);

/// A new folder for what a test writes; the caller removes it.
std::filesystem::path new_folder();

/// English, Chinese.
using Translations = std::map<std::string, std::string>;

/// What a file of the grader's translations holds (labs/grader/words/pairs.h): an English line each, its Chinese below,
/// two columns in.
Translations translations_in(const std::filesystem::path& file);

}  // namespace fiberscope::testing
