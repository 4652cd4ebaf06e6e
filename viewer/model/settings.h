// What the window remembers from one start to the next: colours, size of text, layout, size, and the files opened last.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

struct Settings {
    Theme theme = Theme::dark;
    float zoom = 1;  ///< of the text
    bool sets = true, table = false;
    int width = 0, height = 0;        ///< of the window, pixels; 0: not remembered
    std::vector<std::string> recent;  ///< absolute paths, the last one first
};
inline constexpr std::size_t kMostRecent = 12;

/// "$XDG_STATE_HOME/fiberscope/viewer.txt", or below "~/.local/state"; empty if there is no home.
std::filesystem::path settings_file();
/// Each line is a word and its value. A line that is not understood, or out of range, is skipped.
Settings read_settings(const std::filesystem::path& file);
/// Writes beside the file and renames. Whether it could.
bool write_settings(const std::filesystem::path& file, const Settings& settings);
/// `file` is the first of the recent ones.
void remember_file(Settings& settings, const std::filesystem::path& file);

}  // namespace fiberscope::viewer
