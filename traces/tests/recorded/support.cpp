#include "traces/tests/recorded/support.h"

#include <sstream>

namespace fiberscope::trace::testing {

nlohmann::json load(const std::filesystem::path& file) { return nlohmann::json::parse(file_text(file)); }

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
