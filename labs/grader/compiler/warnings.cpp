#include "labs/grader/compiler/warnings.h"

#include <algorithm>
#include <fstream>

namespace fiberscope::grader {
namespace {

constexpr std::string_view kFolder = "/exercise/";

/// "…/exercise/a.cpp:3:5: warning: unused variable 'x'"; notes and source lines are not such.
bool begins_warning(const std::string& line, const std::string& file) {
    return line.find(std::string(kFolder) + file + ":") != line.npos && line.find("warning: ") != line.npos;
}
/// A source line, or the line of carets below it: "    3 |     int x;", "      |     ^".
bool shows_source(const std::string& line) { return line.starts_with("  ") && line.find('|') != line.npos; }

}  // namespace

std::vector<std::string> compiled_files(std::string_view output) {
    std::vector<std::string> files;
    while (!output.empty()) {
        const std::string_view line = output.substr(0, output.find('\n'));
        output.remove_prefix(std::min(line.size() + 1, output.size()));
        const std::size_t at = line.rfind(kFolder);
        if (at == line.npos || line.find("Building ") == line.npos || !line.ends_with(".o")) continue;
        std::string_view file = line.substr(at + kFolder.size());
        file.remove_suffix(2);
        files.emplace_back(file);
    }
    return files;
}

std::vector<std::string> warnings_in(const std::vector<std::string>& words, const std::string& file) {
    std::vector<std::string> lines;
    bool inside = false;
    for (const std::string& line : words) {
        inside = begins_warning(line, file) || (inside && shows_source(line));
        if (inside) lines.push_back(line);
    }
    return lines;
}

void keep_warnings(const std::filesystem::path& folder, const std::vector<std::string>& compiled,
                   const std::vector<std::string>& words) {
    std::filesystem::create_directories(folder);
    for (const std::string& file : compiled) {
        std::ofstream out(folder / (file + ".txt"));
        for (const std::string& line : warnings_in(words, file)) out << line << '\n';
    }
}

std::vector<std::string> kept_warnings(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> lines;
    for (const auto& file : files) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
    }
    return lines;
}

}  // namespace fiberscope::grader
