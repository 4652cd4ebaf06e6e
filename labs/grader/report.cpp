// The report for other programs: ./lab progress, and the next check.
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "labs/grader/modes.h"

namespace fiberscope::grader {
namespace {

using Json = nlohmann::ordered_json;

Json tests_in(const std::filesystem::path& file) {
    const Json report = Json::parse(std::ifstream(file), nullptr, false);
    return report.is_discarded() || !report.contains("tests") ? Json::array() : report.at("tests");
}

StepNumber step_of(const Json& entry) { return StepNumber::of(entry.at("name").get<std::string>()); }

/// Whether the lab was given solved (./lab start --solved-through).
bool came_solved(const std::filesystem::path& lab) {
    int through = 0;
    std::ifstream(lab / "../solved_through") >> through;
    return through >= std::atoi(lab.filename().c_str());
}

}  // namespace

void write_report(const Settings& settings, const std::string& step, const std::vector<Test>& tests,
                  const std::vector<Verdict>& verdicts) {
    const std::filesystem::path& file = settings.report;
    // A report of a single step would report all others as unsolved.
    if (file.empty() || (!step.empty() && !std::filesystem::exists(file) && came_solved(settings.lab))) return;
    Json list = Json::array();
    if (!step.empty())
        for (const Json& entry : tests_in(file))
            if (step_of(entry) != StepNumber::of(step)) list.push_back(entry);
    for (std::size_t i = 0; i < tests.size(); ++i)
        list.push_back({{"name", tests[i].name}, {"result", word(verdicts[i].result)}});
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    const std::filesystem::path beside = file.string() + ".part";
    std::ofstream(beside) << Json{{"tests", std::move(list)}}.dump(2) << '\n';
    std::filesystem::rename(beside, file);
}

}  // namespace fiberscope::grader
