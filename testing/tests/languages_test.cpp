// What ./lab and the demos say stands in both languages. Of the handouts: handouts_test.py.
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;
using Phrases = std::map<std::string, std::string>;

/// The phrases of tools/words in a language, by their names.
Phrases phrases_in(const std::string& language) {
    Phrases phrases;
    std::istringstream lines(read(fs::path(ROOT) / "tools/words" / (language + ".txt")));
    for (std::string line; std::getline(lines, line);)
        phrases[line.substr(0, line.find(' '))] = line.substr(line.find(' ') + 1);
    return phrases;
}

/// "{1}{2}", of a phrase with these two places.
std::string places_of(const std::string& phrase) {
    std::string places;
    for (const char* place : {"{1}", "{2}", "{3}", "{4}"})
        if (phrase.find(place) != phrase.npos) places += place;
    return places;
}

/// The names of the phrases that a script or a tool in Python says.
std::set<std::string> phrases_said_by(const fs::path& script) {
    static const std::regex kSaid(R"x((?:phrase|die) ([a-z][a-z_]+)|(?:phrase|die|tell_each)\("([a-z_]+))x"),
        kComment(" *#.*");
    std::istringstream lines(read(script));
    std::set<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_match(line, kComment)) continue;
        for (std::sregex_iterator at(line.begin(), line.end(), kSaid), end; at != end; ++at)
            names.insert(at->str(1) + at->str(2));
    }
    return names;
}

}  // namespace

TEST_CASE("languages: every phrase of ./lab stands in both languages, with the same places") {
    const Phrases english = phrases_in("en"), chinese = phrases_in("zh");
    CHECK(english.size() > 50);
    CHECK(english.size() == chinese.size());
    for (const auto& [name, phrase] : english) {
        INFO(name);
        REQUIRE(chinese.count(name) == 1);
        CHECK(places_of(phrase) == places_of(chinese.at(name)));
        CHECK(phrase != chinese.at(name));
    }
}

TEST_CASE("languages: what ./lab says is a phrase of the tables, and each of these is said") {
    std::set<std::string> said;
    for (const char* script :
         {"lab", "tools/say.sh", "tools/student.sh", "tools/usage.sh", "tools/programs.sh", "extras/gdb/verb.sh",
          "extras/explore/verb.sh", "extras/grading/verb.sh", "tools/web.sh", "tools/handout.sh", "tools/steps.py",
          "tools/start.sh", "tools/written.py", "cmake/packages.sh"}) {
        INFO(script);
        CHECK(read(fs::path(ROOT) / script).find("die \"") == std::string::npos);
        said.merge(phrases_said_by(fs::path(ROOT) / script));
    }
    std::set<std::string> known;
    for (const auto& [name, phrase] : phrases_in("en")) known.insert(name);
    CHECK(said == known);
}

TEST_CASE("languages: every demo that has a sample is told of in Chinese") {
    const std::string told = "\n" + read(fs::path(ROOT) / "tools/words/demos.zh.txt");
    std::string found;
    std::size_t demos = 0;
    for (const auto& sample : fs::directory_iterator(fs::path(ROOT) / "traces/samples")) {
        if (sample.path().extension() != ".json") continue;
        ++demos;
        const std::string name = sample.path().stem().string();
        if (told.find("\n" + name + " ") == told.npos) found += name + "\n";
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(demos > 30);
}
