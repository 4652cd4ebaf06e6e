// The tree's own files as its tests read them.
#pragma once

#include <filesystem>
#include <string>

namespace fiberscope::testing {

/// The whole text of a file; empty if there is none.
std::string read(const std::filesystem::path& file);

/// A new folder for what a test writes; the caller removes it.
std::filesystem::path new_folder();

}  // namespace fiberscope::testing
