#include "labs/grader/steps.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

namespace fiberscope::grader {

StepNumber StepNumber::of(std::string_view text) noexcept {
    StepNumber number;
    const char* const end = text.data() + text.size();
    const auto [dot, bad_lab] = std::from_chars(text.data(), end, number.lab);
    if (bad_lab != std::errc() || dot == end || *dot != '.') return {};
    const auto [rest, bad_step] = std::from_chars(dot + 1, end, number.step);
    if (bad_step != std::errc() || (rest != end && *rest != ' ')) return {};
    return number;
}

Kind kind_of(std::string_view test) {
    const auto has = [&](const auto& words) {
        return std::any_of(std::begin(words), std::end(words),
                           [&](std::string_view word) { return test.find(word) != test.npos; });
    };
    constexpr std::string_view kBroad[] = {
        "very many", "random", "explored", "in every order", "real threads", "from several threads",
        "by chance", "storm",  " MiB",     "to many at once"};
    constexpr std::string_view kStories[] = {"trace", "gives the same", "producer", "the sequence", "as each system"};
    return has(kBroad) ? Kind::broad : has(kStories) ? Kind::story : Kind::pinpoint;
}

namespace {

/// "{arch}" in a file's name stands for the target architecture.
std::string for_this_machine(std::string file) {
#if defined(__aarch64__)
    const std::string_view arch = "aarch64";
#else
    const std::string_view arch = "x86_64";
#endif
    constexpr std::string_view kPlace = "{arch}";
    if (const std::size_t at = file.find(kPlace); at != file.npos) file.replace(at, kPlace.size(), arch);
    return file;
}

/// One name, or several.
std::vector<std::string> files_of(const nlohmann::json& entry) {
    auto files =
        entry.is_array() ? entry.get<std::vector<std::string>>() : std::vector<std::string>{entry.get<std::string>()};
    for (std::string& file : files) file = for_this_machine(std::move(file));
    return files;
}

}  // namespace

std::vector<Step> read_steps(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw GraderError(file.string() + " cannot be opened: every lab needs it.");
    try {
        std::vector<Step> steps;
        for (const auto& entry : nlohmann::json::parse(in)) {
            Step step;
            step.number = entry.at("step").get<std::string>();
            step.title = entry.at("title").get<std::string>();
            step.files = files_of(entry.at("file"));
            for (const auto& other : entry.value("or", nlohmann::json::array()))
                step.candidates.push_back(
                    {for_this_machine(other.at("file")), other.at("what"), other.value("test", "")});
            step.read = entry.value("read", std::vector<std::string>());
            step.first = entry.value("first", std::vector<std::string>());
            step.before_all = entry.value("before_all", std::vector<std::string>());
            for (const auto& part : entry.value("unseen", nlohmann::json::array()))
                step.unseen.push_back({part.at("text"), part.value("from", "")});
            step.challenge = entry.value("challenge", false);
            step.optional = entry.value("optional", step.challenge);
            steps.push_back(std::move(step));
        }
        return steps;
    } catch (const nlohmann::json::exception& error) {
        throw GraderError(file.string() + ": " + error.what());
    }
}

std::vector<Test> tie(const std::vector<Step>& steps, const std::vector<std::string>& names) {
    const auto has = [](const std::vector<std::string>& list, const std::string& name) {
        return std::ranges::find(list, name) != list.end();
    };
    std::vector<Test> tests;
    for (const std::string& name : names) {
        const auto step = std::ranges::find(steps, StepNumber::of(name), &Step::order);
        if (step == steps.end())
            throw GraderError("The test \"" + name +
                              "\" belongs to no step: let its name begin with one of steps.json.");
        tests.push_back({name, static_cast<std::size_t>(step - steps.begin()), has(step->first, name)});
    }
    std::ranges::stable_sort(tests, {}, [&](const Test& test) {
        const Step& step = steps[test.step];
        const auto place = std::ranges::find(step.first, test.name) - step.first.begin();
        return std::tuple(!has(step.before_all, test.name), test.step, place,
                          test.listed ? Kind::pinpoint : kind_of(test.name));
    });
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (std::ranges::find(tests, i, &Test::step) == tests.end())
            throw GraderError("Step " + steps[i].number + " (" + steps[i].title +
                              ") has no test: its work would go unchecked.");
    return tests;
}

}  // namespace fiberscope::grader
