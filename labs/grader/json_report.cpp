#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "labs/grader/modes.h"

namespace fiberscope::grader {

void write_json(const std::filesystem::path& file, const std::string& mode, const Settings& settings,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    if (file.empty()) return;
    nlohmann::ordered_json report;
    report["fiberscope_report"] = 1;
    report["lab"] = settings.lab.filename().string();
    report["mode"] = mode;
    report["passed"] = count(verdicts, Result::passed);
    report["total"] = tests.size();
    auto& list = report["tests"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < tests.size(); ++i) {
        const Verdict& verdict = verdicts[i];
        nlohmann::ordered_json entry;
        entry["name"] = tests[i].name;
        if (!tests[i].program.empty()) entry["program"] = tests[i].program.filename().string();
        entry["result"] = word(verdict.result);
        entry["headline"] = verdict.headline;
        entry["details"] = verdict.details;
        entry["milliseconds"] = verdict.took.count();
        entry["processor_milliseconds"] = verdict.used.count();
        entry["trace"] = shown(verdict.trace);
        list.push_back(std::move(entry));
    }
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
        throw GraderError("The report " + file.string() + " cannot be written: it is no file that may be replaced.");
    const std::filesystem::path beside = file.string() + ".part";
    // What a test printed need not be UTF-8.
    std::ofstream(beside) << report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
    std::error_code error;
    std::filesystem::rename(beside, file, error);
    if (error) throw GraderError("The report " + file.string() + " cannot be written: " + error.message() + ".");
}

std::vector<StepNumber> solved_steps(const std::filesystem::path& file) {
    std::map<StepNumber, bool> passed;
    const auto report = nlohmann::json::parse(std::ifstream(file), nullptr, false);
    if (report.is_discarded() || !report.contains("tests")) return {};
    for (const auto& test : report.at("tests")) {
        const StepNumber step = StepNumber::of(test.at("name").get<std::string>());
        const bool passes = test.at("result") == word(Result::passed);
        const auto [known, is_new] = passed.emplace(step, passes);
        if (!is_new) known->second = known->second && passes;
    }
    std::vector<StepNumber> solved;
    for (const auto& [step, all] : passed)
        if (all) solved.push_back(step);
    return solved;
}

}  // namespace fiberscope::grader
