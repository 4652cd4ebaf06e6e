#include "traces/tests/recorded/support.h"

#include <fstream>
#include <sstream>

namespace fiberscope::trace::testing {

std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

nlohmann::json load(const std::filesystem::path& file) { return nlohmann::json::parse(content(file)); }

std::vector<std::string> event_lines(const std::filesystem::path& file) {
    std::istringstream in(content(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("{\"t\":", 0) != 0) continue;
        if (line.back() == ',') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::map<int, std::vector<int>> notes_by_machine(const nlohmann::json& whole) {
    std::map<int, std::vector<int>> notes;
    for (const nlohmann::json& e : whole.at("events")) {
        if (e.at("ev") != "note") continue;
        std::istringstream text(e.at("text").get<std::string>());
        int machine = -1;
        int number = -1;
        text >> machine >> number;
        if (machine != e.at("m")) number = -1;
        notes[e.at("m")].push_back(number);
    }
    return notes;
}

}  // namespace fiberscope::trace::testing
