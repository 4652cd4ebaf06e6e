#include "viewer/model/settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "viewer/model/whole_file.h"

namespace fiberscope::viewer {
namespace {

namespace fs = std::filesystem;

constexpr float kLeastZoom = 0.6F, kMostZoom = 3.0F;
constexpr int kSettingsLeastSide = 200, kSettingsMostSide = 16384;
constexpr std::size_t kMostBytes = 64 * 1024;

void take_line(const std::string& line, Settings& out) {
    std::istringstream words(line);
    std::string key, value;
    if (!(words >> key) || !std::getline(words >> std::ws, value)) return;
    std::istringstream number(value);
    const auto flag = [&](bool& to) {
        if (value == "on" || value == "off") to = value == "on";
    };
    if (key == "theme" && (value == "dark" || value == "light"))
        out.theme = value == "dark" ? Theme::dark : Theme::light;
    if (key == "sets") flag(out.sets);
    if (key == "table") flag(out.table);
    if (float zoom = 0; key == "zoom" && number >> zoom && zoom >= kLeastZoom && zoom <= kMostZoom) out.zoom = zoom;
    int width = 0, height = 0;
    if (key == "size" && number >> width >> height && std::min(width, height) >= kSettingsLeastSide &&
        std::max(width, height) <= kSettingsMostSide) {
        out.width = width;
        out.height = height;
    }
    if (key == "file" && out.recent.size() < kMostRecent) out.recent.push_back(value);
}

}  // namespace

fs::path settings_file() {
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state != nullptr && *state != 0) return fs::path(state) / "fiberscope" / "viewer.txt";
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == 0) return {};
    return fs::path(home) / ".local" / "state" / "fiberscope" / "viewer.txt";
}

Settings read_settings(const fs::path& file) {
    Settings out;
    std::error_code error;
    if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kMostBytes || error) return out;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) take_line(line, out);
    return out;
}

bool write_settings(const fs::path& file, const Settings& settings) {
    if (file.empty()) return false;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const auto flag = [](bool on) { return on ? "on" : "off"; };
    std::ostringstream out;
    out << "theme " << (settings.theme == Theme::dark ? "dark" : "light") << "\nzoom " << settings.zoom << "\nsets "
        << flag(settings.sets) << "\ntable " << flag(settings.table) << "\n";
    if (settings.width > 0) out << "size " << settings.width << " " << settings.height << "\n";
    for (const std::string& recent : settings.recent)
        if (recent.find('\n') == std::string::npos) out << "file " << recent << "\n";
    return write_whole(file, out.str());
}

void remember_file(Settings& settings, const fs::path& file) {
    std::error_code error;
    const std::string name = fs::absolute(file, error).lexically_normal().string();
    if (error || name.empty()) return;
    std::erase(settings.recent, name);
    settings.recent.insert(settings.recent.begin(), name);
    if (settings.recent.size() > kMostRecent) settings.recent.resize(kMostRecent);
}

}  // namespace fiberscope::viewer
