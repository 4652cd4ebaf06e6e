// Persistent settings of the window: colours, text size, layout, size, and recent files.
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
    int width = 0, height = 0;        ///< of the window, pixels; 0: unknown
    std::vector<std::string> recent;  ///< absolute paths, the last one first
};
inline constexpr std::size_t kMostRecent = 12;

/// "$XDG_STATE_HOME/fiberscope/viewer.txt", or under "~/.local/state"; empty if there is no home directory.
std::filesystem::path settings_file();
/// Each line is a word and its value. Invalid lines and values out of range are skipped.
Settings read_settings(const std::filesystem::path& file);
/// Writes atomically (a temporary file, then rename). Returns whether it succeeded.
bool write_settings(const std::filesystem::path& file, const Settings& settings);
/// Moves `file` to the front of the recent ones.
void remember_file(Settings& settings, const std::filesystem::path& file);

}  // namespace fiberscope::viewer
