#include "labs/grader/below.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

namespace fs = std::filesystem;

/// Identifies the build of a program: another build may have other results.
std::string identity(const fs::path& program) {
    const auto time = fs::last_write_time(program).time_since_epoch().count();
    return std::to_string(time) + ' ' + std::to_string(fs::file_size(program));
}

std::string tests_of(const Settings& lab) { return "lab" + lab_number(lab) + "_tests"; }

/// The settings for running the tests of a lab below.
Settings lab_below(const Settings& above, const fs::path& lab) {
    Settings below = above;
    below.lab = lab;
    below.below.clear();
    below.program = above.program.parent_path() / tests_of(below);
    return below;
}

/// Whether one of the student's files, of this lab or of a lab below, is newer than the test program built from it.
bool is_stale(const Settings& lab) {
    std::error_code error;
    const auto built = fs::last_write_time(lab.program, error);
    for (const auto& one : fs::directory_iterator(lab.lab / "..", error))
        for (const auto& file : fs::recursive_directory_iterator(one.path(), error))
            if (one.path().filename() <= lab.lab.filename() && file.path().parent_path().filename() == "exercise" &&
                file.last_write_time(error) > built)
                return true;
    return false;
}

/// "5 of 6 tests of 1.2 pass", of the first step with a failure; empty if there is none.
std::string run_tests_of(const Settings& below) {
    const std::vector<Step> steps = read_steps(below.lab / "steps.json");
    std::vector<Test> tests = tie(steps, list_tests(below, below.program));
    std::erase_if(tests, [](const Test& test) { return kind_of(test.name) == Kind::broad; });  // they take long
    const std::vector<Verdict> verdicts = try_tests(below, tests);
    const auto failure = std::find_if(verdicts.begin(), verdicts.end(), is_failure);
    if (failure == verdicts.end()) return "";
    const std::size_t step = tests[static_cast<std::size_t>(failure - verdicts.begin())].step;
    std::size_t all = 0, passed = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        all += tests[i].step == step ? 1U : 0U;
        passed += tests[i].step == step && verdicts[i].result == Result::passed ? 1U : 0U;
    }
    return std::to_string(passed) + '\t' + std::to_string(all) + '\t' + steps[step].number;
}

/// The cached result of run_tests_of for this build of the program; runs it if there is none.
std::string verdict_on(const Settings& below) {
    std::string known, verdict;
    const fs::path kept = below.program.string() + ".verdict";
    std::ifstream last(kept);
    if (std::getline(last, known) && known == identity(below.program)) {
        std::getline(last, verdict);
        return verdict;
    }
    verdict = run_tests_of(below);
    std::ofstream(kept) << identity(below.program) << '\n' << verdict << '\n';
    return verdict;
}

/// The first run takes long, and the student waits.
void say_what_is_built(const fs::path& program) {
    std::fflush(stdout);
    std::fprintf(
        stderr, "%s\n",
        says("lab: building {0}, to tell in which lab the mistake is (only this once; it may take some minutes)",
             program.filename().string())
            .c_str());
}

std::string in_words(const std::string& verdict) {
    const std::size_t first = verdict.find('\t'), second = verdict.rfind('\t');
    return says("{0} of {1} tests of {2} pass", verdict.substr(0, first), verdict.substr(first + 1, second - first - 1),
                verdict.substr(second + 1));
}

}  // namespace

std::optional<FaultBelow> fault_below(const Settings& settings, const BuildOf& build_of, bool build_all) {
    for (const fs::path& lab : settings.below) {
        const Settings below = lab_below(settings, lab);
        const bool is_built = fs::exists(below.program);
        if (!is_built && !build_all) continue;
        if (build_of && !is_built) say_what_is_built(below.program);
        if (build_of && (!is_built || is_stale(below)) && build_of(tests_of(below), Says::errors) != 0)
            return FaultBelow{lab_number(below), says("your files there do not compile")};
        if (!fs::exists(below.program)) continue;
        if (const std::string verdict = verdict_on(below); !verdict.empty())
            return FaultBelow{lab_number(below), in_words(verdict)};
    }
    return std::nullopt;
}

void print_fault_below(const FaultBelow& fault) {
    std::printf("%s\n  %s  ./lab check %s\n",
                says("Lab {0}, which this one uses: {1}. Repair that first.", fault.lab, fault.what).c_str(),
                says("type").c_str(), fault.lab.c_str());
}

namespace {

/// The lab whose files have the mistake, as far as known.
enum class Blame { unknown, here, below, no_stand_in };

Blame blame_by_stand_in(const Settings& settings, const Test& test, const BuildOf& build_of) {
    if (settings.stand_in.empty()) return Blame::unknown;
    if (build_of && !fs::exists(settings.stand_in)) say_what_is_built(settings.stand_in);
    if (build_of && build_of(settings.stand_in.filename().string(), Says::nothing) != 0) return Blame::no_stand_in;
    if (!fs::exists(settings.stand_in)) return Blame::no_stand_in;
    Test there = test;
    there.program = settings.stand_in;
    const auto passes = [&](const Test& tried) {
        const Verdict verdict = run_tests(settings, {tried}).at(0);
        std::error_code ignored;
        if (tried.program == there.program) fs::remove(verdict.trace, ignored);  // no report refers to it
        return verdict.result == Result::passed;
    };
    bool passes_there = passes(there);
    // A multi-threaded test may pass by chance: other files are blamed only if it passes repeatedly.
    constexpr int kMore = 2;
    for (int i = 0; i < kMore && passes_there; ++i) {
        if (passes(test)) return Blame::unknown;
        passes_there = passes(there);
        if (!passes_there) return Blame::unknown;
    }
    return passes_there ? Blame::below : Blame::here;
}

}  // namespace

bool print_blame(const Settings& settings, const Test& test, std::optional<FaultBelow> below, const BuildOf& build_of) {
    const Blame blame = below ? Blame::below : blame_by_stand_in(settings, test, build_of);
    if (blame != Blame::here && !below) below = fault_below(settings, build_of, true);
    if (!settings.below.empty()) std::printf("\n");
    if (below) return print_fault_below(*below), true;
    if (blame == Blame::unknown && settings.below.empty()) return false;
    if (blame == Blame::no_stand_in) {
        std::printf(
            "%s\n",
            says("{0} could not be built: it is unknown whether the mistake is in this lab or in one that it uses.",
                 settings.stand_in.filename().string())
                .c_str());
        return false;
    }
    const Text words =
        blame == Blame::below
            ? mark(
                  "With other files in place of your labs below, this test passes: the mistake is in your files there, "
                  "though the tests of those labs do not find it.")
        : blame == Blame::here
            ? mark("With other files in place of your labs below, this test fails too: the mistake is in this lab.")
            : mark("The labs below pass their tests, or are given: look for the mistake here.");
    std::printf("%s%s\n", settings.below.empty() ? "\n" : "", says(words).c_str());
    return false;
}

}  // namespace fiberscope::grader
