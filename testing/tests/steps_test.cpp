// steps.json sends a student to files: to all of a step, and to those where the mistake may be as well.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

std::vector<fs::path> labs_with_steps() {
    std::vector<fs::path> labs;
    for (const auto& entry : fs::directory_iterator(fs::path(ROOT) / "labs"))
        if (fs::exists(entry.path() / "steps.json")) labs.push_back(entry.path());
    return labs;
}

nlohmann::json parsed(const fs::path& file) { return nlohmann::json::parse(read(file)); }

/// "exercise/a_{arch}.S" as the files that it stands for.
std::vector<std::string> for_each_machine(const std::string& file) {
    const std::string place = "{arch}";
    const std::size_t at = file.find(place);
    if (at == std::string::npos) return {file};
    std::vector<std::string> files;
    for (const char* arch : {"x86_64", "aarch64"}) files.push_back(std::string(file).replace(at, place.size(), arch));
    return files;
}

std::vector<std::string> edited_in(const nlohmann::json& step) {
    const auto& entry = step.at("file");
    std::vector<std::string> files;
    for (const std::string& name :
         entry.is_array() ? entry.get<std::vector<std::string>>() : std::vector<std::string>{entry.get<std::string>()})
        for (std::string& file : for_each_machine(name)) files.push_back(std::move(file));
    return files;
}

/// One of mutants.json: in which file of exercise/, and by a test of which step it dies.
struct Mistake {
    fs::path lab;
    std::string name, file, step;
};
std::vector<Mistake> known_mistakes() {
    std::vector<Mistake> all;
    for (const fs::path& lab : labs_with_steps()) {
        if (!fs::exists(lab / "mutants.json")) continue;
        for (const auto& mutant : parsed(lab / "mutants.json")) {
            const std::string killer = mutant.at("killed_by");
            const fs::path file = mutant.at("file").get<std::string>();
            all.push_back(
                {lab, mutant.at("name"), "exercise/" + file.filename().string(), killer.substr(0, killer.find(' '))});
        }
    }
    return all;
}

}  // namespace

TEST_CASE("steps: each file that a student edits belongs to a step") {
    for (const fs::path& lab : labs_with_steps()) {
        std::set<std::string> edited, there;
        for (const auto& step : parsed(lab / "steps.json"))
            for (const std::string& file : edited_in(step)) edited.insert(file);
        for (const auto& file : fs::directory_iterator(lab / "exercise"))
            there.insert("exercise/" + file.path().filename().string());
        INFO(lab);
        CHECK(edited == there);
    }
}

TEST_CASE("steps: where a mistake may be as well, there is the function that is named") {
    for (const fs::path& lab : labs_with_steps())
        for (const auto& step : parsed(lab / "steps.json"))
            for (const auto& other : step.value("or", nlohmann::json::array())) {
                INFO(lab << " " << step.at("step"));
                const std::string what = other.at("what");
                CHECK(read(lab / other.at("file").get<std::string>()).find(what + "(") != std::string::npos);
            }
}

namespace {

/// What the labs' tests and the tests that they share say, in one piece. A shared test's name begins behind its step.
std::string tests_of_labs() {
    std::string all;
    for (const auto& file : fs::recursive_directory_iterator(fs::path(ROOT) / "labs")) {
        const bool is_source = file.path().extension() == ".cpp" || file.path().extension() == ".h";
        const std::string path = file.path().string();
        const bool has_tests = path.find("/tests/") != path.npos || path.find("/kit/testing/") != path.npos;
        if (is_source && has_tests) all += read(file.path());
    }
    return all;
}

bool is_test(const std::string& sources, const std::string& name) {
    const std::string shared = name.substr(name.find(' '));
    for (const std::string& literal : {"\"" + name + "\"", "\"" + shared + "\"", "\"" + shared.substr(1) + "\""})
        if (sources.find(literal) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("steps: each test that a step lists as one to be told first is there, is of this step, and is listed once") {
    const std::string sources = tests_of_labs();
    std::size_t listed = 0;
    std::string wrong;
    for (const fs::path& lab : labs_with_steps())
        for (const auto& step : parsed(lab / "steps.json")) {
            const std::string begin = step.at("step").get<std::string>() + " ";
            std::set<std::string> seen;
            for (const std::string& name : step.value("first", std::vector<std::string>())) {
                ++listed;
                if (!name.starts_with(begin)) wrong += name + " is not of step " + begin + "\n";
                if (!is_test(sources, name)) wrong += name + " is no test\n";
                if (!seen.insert(name).second) wrong += name + " is listed twice\n";
            }
        }
    INFO(wrong);
    CHECK(wrong.empty());
    CHECK(listed > 200);
}

TEST_CASE("steps: what a step's tests cannot see is said, and a later step sees it or none does") {
    std::size_t said = 0;
    std::string wrong;
    for (const fs::path& lab : labs_with_steps()) {
        const auto steps = parsed(lab / "steps.json");
        for (std::size_t at = 0; at < steps.size(); ++at)
            for (const auto& one : steps[at].value("unseen", nlohmann::json::array())) {
                ++said;
                if (one.value("text", "").empty()) wrong += one.dump() + "\n";
                const auto later = [&](const auto& step) { return step.at("step") == one.value("from", ""); };
                if (one.contains("from") && std::none_of(steps.begin() + static_cast<long>(at) + 1, steps.end(), later))
                    wrong += one.dump() + ": no later step\n";
            }
    }
    INFO(wrong);
    CHECK(wrong.empty());
    CHECK(said >= 5);
}

TEST_CASE("steps: where a mistake in a step's file dies by a later step only, the step says what it cannot see") {
    std::string wrong;
    for (const Mistake& mistake : known_mistakes()) {
        bool seen = false, told = false;
        for (const auto& step : parsed(mistake.lab / "steps.json")) {
            const auto files = edited_in(step);
            if (std::find(files.begin(), files.end(), mistake.file) == files.end()) continue;
            seen = seen || step.at("step") == mistake.step;
            for (const auto& one : step.value("unseen", nlohmann::json::array()))
                told = told || one.value("from", "") == mistake.step;
        }
        if (!seen && !told) wrong += mistake.name + " dies by a test of " + mistake.step + "\n";
    }
    INFO(wrong);
    CHECK(wrong.empty());
}

TEST_CASE("steps: a known mistake is in a file of the step whose test finds it, or in one that the step names") {
    for (const Mistake& mistake : known_mistakes()) {
        bool named = false;
        for (const auto& step : parsed(mistake.lab / "steps.json")) {
            if (step.at("step") != mistake.step) continue;
            const auto files = edited_in(step);
            named = std::find(files.begin(), files.end(), mistake.file) != files.end();
            for (const auto& other : step.value("or", nlohmann::json::array()))
                named = named || other.at("file") == mistake.file;
        }
        INFO(mistake.lab << ": " << mistake.name << " is in " << mistake.file << ", and dies by a test of step "
                         << mistake.step);
        CHECK(named);
    }
}
