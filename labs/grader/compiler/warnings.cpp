#include "labs/grader/compiler/compiler.h"

#include <fstream>
#include <set>
#include <sstream>

namespace fiberscope::grader {
namespace {

constexpr std::string_view kFolder = "/exercise/";

/// "…/exercise/a.cpp:3:5: warning: unused variable 'x'"; notes and source lines are not such.
bool begins_warning(const std::string& line, const std::string& file) {
    return line.find(std::string(kFolder) + file + ":") != line.npos && line.find("warning: ") != line.npos;
}
/// A source line, or the line of carets below it: "    3 |     int x;", "      |     ^".
bool shows_source(const std::string& line) { return line.starts_with("  ") && line.find('|') != line.npos; }

/// "a.cpp" of "[3/9] Building CXX object …/exercise/a.cpp.o"; empty of another line.
std::string compiled_file(const std::string& line) {
    const std::size_t at = line.rfind(kFolder);
    if (at == line.npos || line.find("Building ") == line.npos || !line.ends_with(".o")) return "";
    return line.substr(at + kFolder.size(), line.size() - at - kFolder.size() - 2);
}

}  // namespace

void keep_warnings(const std::filesystem::path& folder, std::string_view output,
                   const std::vector<std::string>& lines) {
    std::filesystem::create_directories(folder);
    std::istringstream said{std::string(output)};
    for (std::string word; std::getline(said, word);) {
        const std::string file = compiled_file(word);
        if (file.empty()) continue;
        std::ofstream out(folder / (file + ".txt"));
        bool inside = false;
        for (const std::string& line : lines) {
            inside = begins_warning(line, file) || (inside && shows_source(line));
            if (inside) out << line << '\n';
        }
    }
}

std::vector<std::string> kept_warnings(const std::filesystem::path& folder) {
    std::error_code none;
    const std::filesystem::directory_iterator all(folder, none);
    std::vector<std::string> lines;
    for (const auto& file : std::set<std::filesystem::path>(begin(all), end(all))) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
    }
    return lines;
}

}  // namespace fiberscope::grader
