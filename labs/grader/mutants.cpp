#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "labs/grader/modes.h"

namespace fiberscope::grader {
namespace {

struct Mutant {
    std::string name, killed_by, lesson;
    std::string says;      ///< what the verdict must say: the handout's table tells students so; empty: anything
    std::string sentence;  ///< what it must say of the mistake, or of the rule that is broken; empty: anything
};

/// Whether a mutant of this file is built here: those of another architecture's assembly are not.
bool is_for_this_machine(const std::string& file) {
#if defined(__aarch64__)
    return !file.ends_with("_x86_64.S");
#else
    return !file.ends_with("_aarch64.S");
#endif
}

std::vector<Mutant> read_mutants(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw GraderError(file.string() + " cannot be opened: every lab needs it.");
    try {
        std::vector<Mutant> mutants;
        std::set<std::string> names;
        for (const auto& entry : nlohmann::json::parse(in)) {
            Mutant mutant{entry.at("name"), entry.at("killed_by"), entry.at("lesson"), entry.value("says", ""),
                          entry.value("sentence", "")};
            if (mutant.lesson.empty()) throw GraderError(file.string() + ": mutant " + mutant.name + " has no lesson.");
            if (!names.insert(mutant.name).second)
                throw GraderError(file.string() + ": two mutants are named " + mutant.name + ".");
            if (is_for_this_machine(entry.at("file"))) mutants.push_back(std::move(mutant));
        }
        return mutants;
    } catch (const nlohmann::json::exception& error) {
        throw GraderError(file.string() + ": " + error.what());
    }
}

bool kills(const Verdict& verdict) {
    switch (verdict.result) {
    case Result::failed:
    case Result::crashed:
    case Result::hung:
    case Result::left_early: return true;
    default: return false;
    }
}

bool says(const Verdict& verdict, const std::string& words) {
    if (verdict.headline.find(words) != std::string::npos) return true;
    return std::any_of(verdict.details.begin(), verdict.details.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

std::string prefix(const Settings& settings) { return "lab" + lab_number(settings) + "_mutant_"; }

/// The tests that kill a mutant that its named test let live; one line.
void print_other_killers(const Settings& settings, std::vector<Test> tests, const std::filesystem::path& program) {
    for (Test& test : tests) test.program = program;
    const std::vector<Verdict> verdicts = run_tests(settings, tests);
    std::string others;
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (kills(verdicts[i])) others += "\n    \"" + tests[i].name + "\" kills it (" + verdicts[i].headline + ")";
    std::printf("%s\n",
                others.empty() ? "    no test kills it: the lab does not notice this mistake" : others.c_str() + 1);
}

}  // namespace

int mutants(const Settings& settings, const std::filesystem::path& programs, const std::filesystem::path& json) {
    const std::vector<Step> steps = read_steps(settings.lab / "steps.json");
    const std::vector<Test> tests = tie(steps, list_tests(settings, settings.program));
    const std::vector<Mutant> all = read_mutants(settings.lab / "mutants.json");
    std::vector<Test> killers;
    for (const Mutant& mutant : all) {
        const auto named =
            std::find_if(tests.begin(), tests.end(), [&](const Test& t) { return t.name == mutant.killed_by; });
        if (named == tests.end())
            throw GraderError("Mutant " + mutant.name + " names a test that there is not: \"" + mutant.killed_by +
                              "\".");
        killers.push_back({named->name, named->step, programs / (prefix(settings) + mutant.name)});
    }
    const std::vector<Verdict> verdicts = run_tests(settings, killers);
    write_json(json, "mutants", settings, killers, verdicts);
    std::size_t killed = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool killed_so = kills(verdicts[i]), told = says(verdicts[i], all[i].says),
                   explained = says(verdicts[i], all[i].sentence);
        const bool dead = killed_so && told && explained;
        killed += dead ? 1 : 0;
        const auto& details = verdicts[i].details;
        const bool tell = verdicts[i].result == Result::failed && !details.empty();
        std::printf("%s %s: \"%s\" %s%s\n", dead ? "✓" : "✗", all[i].name.c_str(), all[i].killed_by.c_str(),
                    verdicts[i].headline.c_str(), tell ? (": " + details[0]).c_str() : "");
        if (!told) std::printf("    The handout tells students that the report says: %s\n", all[i].says.c_str());
        if (!explained) std::printf("    The verdict must say: %s\n", all[i].sentence.c_str());
        if (!killed_so && verdicts[i].result != Result::not_started)
            print_other_killers(settings, tests, killers[i].program);
    }
    std::printf("%s mutants, a killed one counts as passed: %zu passed, %zu failed\n", settings.lab.filename().c_str(),
                killed, all.size() - killed);
    return killed == all.size() && !all.empty() ? 0 : 1;
}

}  // namespace fiberscope::grader
