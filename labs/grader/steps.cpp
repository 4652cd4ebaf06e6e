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

std::string in_words(StepNumber number) { return std::to_string(number.lab) + "." + std::to_string(number.step); }

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
            if (step.order() == StepNumber()) throw GraderError(file.string() + ": a step is numbered like \"1.3\".");
            if (step.files.empty()) throw GraderError(file.string() + ": step " + step.number + " has no file.");
            steps.push_back(std::move(step));
        }
        if (steps.empty()) throw GraderError(file.string() + " has no step.");
        return steps;
    } catch (const nlohmann::json::exception& error) {
        throw GraderError(file.string() + ": " + error.what());
    }
}

std::vector<Test> tie(const std::vector<Step>& steps, const std::vector<std::string>& names) {
    std::vector<Test> tests;
    for (const std::string& name : names) {
        const StepNumber number = StepNumber::of(name);
        const auto step = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.order() == number; });
        if (step == steps.end())
            throw GraderError("The test \"" + name +
                              "\" belongs to no step: let its name begin with one of steps.json.");
        const auto place = std::find(step->first.begin(), step->first.end(), name);
        tests.push_back({name,
                         static_cast<std::size_t>(step - steps.begin()),
                         {},
                         static_cast<std::size_t>(place - step->first.begin()),
                         place != step->first.end()});
    }
    std::stable_sort(tests.begin(), tests.end(), [](const Test& a, const Test& b) {
        const auto rank = [](const Test& test) {
            return std::tuple(test.step, test.place, test.listed ? Kind::pinpoint : kind_of(test.name));
        };
        return rank(a) < rank(b);
    });
    std::stable_partition(tests.begin(), tests.end(), [&](const Test& test) {
        const std::vector<std::string>& names_before = steps[test.step].before_all;
        return std::find(names_before.begin(), names_before.end(), test.name) != names_before.end();
    });
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (std::none_of(tests.begin(), tests.end(), [&](const Test& t) { return t.step == i; }))
            throw GraderError("Step " + steps[i].number + " (" + steps[i].title +
                              ") has no test: its work would go unchecked.");
    return tests;
}

}  // namespace fiberscope::grader
