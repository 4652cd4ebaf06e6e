#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "labs/grader/modes.h"

namespace fiberscope::grader {

namespace {

using Json = nlohmann::ordered_json;

Json entry_of(const Test& test, const Verdict& verdict) {
    Json entry;
    entry["name"] = test.name;
    if (!test.program.empty()) entry["program"] = test.program.filename().string();
    entry["result"] = word(verdict.result);
    entry["headline"] = verdict.headline;
    entry["details"] = verdict.details;
    entry["milliseconds"] = verdict.took.count();
    entry["processor_milliseconds"] = verdict.used.count();
    entry["trace"] = shown(verdict.trace);
    return entry;
}

void put(const std::filesystem::path& file, const std::string& mode, const Settings& settings, Json list) {
    Json report;
    report["fiberscope_report"] = 1;
    report["lab"] = settings.lab.filename().string();
    report["mode"] = mode;
    report["passed"] = std::count_if(list.begin(), list.end(),
                                     [](const Json& entry) { return entry.at("result") == word(Result::passed); });
    report["total"] = list.size();
    report["tests"] = std::move(list);
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
        throw GraderError("The report " + file.string() + " cannot be written: it is not a regular file.");
    const std::filesystem::path beside = file.string() + ".part";
    // The output of a test need not be UTF-8.
    std::ofstream(beside) << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    std::error_code error;
    std::filesystem::rename(beside, file, error);
    if (error) throw GraderError("The report " + file.string() + " cannot be written: " + error.message() + ".");
}

Json list_of(const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    Json list = Json::array();
    for (std::size_t i = 0; i < tests.size(); ++i) list.push_back(entry_of(tests[i], verdicts[i]));
    return list;
}

}  // namespace

void write_json(const std::filesystem::path& file, const std::string& mode, const Settings& settings,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    if (!file.empty()) put(file, mode, settings, list_of(tests, verdicts));
}

void renew_json(const std::filesystem::path& file, const Settings& settings, const std::string& step,
                const std::vector<Test>& tests, const std::vector<Verdict>& verdicts) {
    if (file.empty()) return;
    Json list = Json::array();
    const auto last = Json::parse(std::ifstream(file), nullptr, false);
    const bool is_there = !last.is_discarded() && last.contains("tests");
    // A report of a single step would report all others as unsolved.
    if (!is_there && came_solved(settings.lab)) return;
    for (const Json& entry : is_there ? last.at("tests") : Json::array())
        if (StepNumber::of(entry.at("name").get<std::string>()) != StepNumber::of(step)) list.push_back(entry);
    for (Json& entry : list_of(tests, verdicts)) list.push_back(std::move(entry));
    put(file, "check", settings, std::move(list));
}

std::set<StepNumber> solved_steps(const std::filesystem::path& file) {
    const auto report = nlohmann::json::parse(std::ifstream(file), nullptr, false);
    if (report.is_discarded() || !report.contains("tests")) return {};
    std::set<StepNumber> solved, others;
    for (const auto& test : report.at("tests")) {
        const auto result = test.at("result").get<std::string>();
        if (result == word(Result::left_out)) continue;
        (result == word(Result::passed) ? solved : others).insert(StepNumber::of(test.at("name").get<std::string>()));
    }
    for (const StepNumber step : others) solved.erase(step);
    return solved;
}

}  // namespace fiberscope::grader
