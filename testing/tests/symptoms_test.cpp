// The tables "When it crashes" and "When it goes wrong" of the handouts: what a report says stands in them as code,
// word for word as the kit, the grader or a lab says it.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

/// The sources below a folder as one text. A literal that goes on in the next line is one.
std::string sources(const fs::path& folder) {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (const std::string ending = entry.path().extension().string(); ending == ".cpp" || ending == ".h")
            all += read(entry.path());
    return std::regex_replace(all, std::regex("\"\\s*\\n\\s*\""), "");
}

/// What stands as code in the first column of the tables of the sections about crashes, if it is more than one word.
std::vector<std::string> phrases(const std::string& page) {
    std::vector<std::string> found;
    std::istringstream lines(page);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) inside = line == "## When it crashes" || line == "## When it goes wrong";
        if (!inside || !line.starts_with("| ")) continue;
        const std::string cell = line.substr(0, line.find(" | ", 2));
        static const std::regex kCode("`([^`]* [^`]*)`");
        for (std::sregex_iterator it(cell.begin(), cell.end(), kCode), end; it != end; ++it) found.push_back((*it)[1]);
    }
    return found;
}

/// "…" stands for anything.
bool says(const std::string& text, const std::string& phrase) {
    std::size_t at = 0;
    for (std::size_t begin = 0; begin <= phrase.size();) {
        const std::size_t dots = std::min(phrase.find("…", begin), phrase.size());
        std::string part = phrase.substr(begin, dots - begin);
        if (part.ends_with(": ") || part.ends_with(' ')) part.pop_back();
        at = text.find(part, at);
        if (at == text.npos) return false;
        begin = dots + std::string("…").size();
    }
    return true;
}

/// The values of "says" in a list of mutants.
std::vector<std::string> said_by_mutants(const std::string& list) {
    std::vector<std::string> found;
    static const std::regex kSays("\"says\": \"([^\"]*)\"");
    for (std::sregex_iterator it(list.begin(), list.end(), kSays), end; it != end; ++it) found.push_back((*it)[1]);
    return found;
}

}  // namespace

// That a mutant's verdict really says it is checked where mutants run (testing/student/steps.py).
TEST_CASE("symptoms: what the report says of a mutant stands in the tables of the handout, in both languages") {
    std::string found;
    std::size_t looked_at = 0;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs")) {
        for (const std::string& said : said_by_mutants(read(lab.path() / "mutants.json"))) {
            ++looked_at;
            for (const char* page : {"README.md", "README.zh.md"})
                if (read(lab.path() / page).find("`" + said + "`") == std::string::npos)
                    found += (lab.path() / page).string() + " has no symptom `" + said + "`\n";
        }
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(looked_at > 12);
}

TEST_CASE("symptoms: what a handout says of a report is what the report says") {
    const fs::path labs = fs::path(ROOT) / "labs";
    const std::string text = sources(labs);
    std::string found;
    std::size_t looked_at = 0;
    for (const auto& lab : fs::directory_iterator(labs)) {
        if (!fs::exists(lab.path() / "README.md")) continue;
        for (const std::string& phrase : phrases(read(lab.path() / "README.md"))) {
            ++looked_at;
            if (!says(text, phrase)) found += lab.path().filename().string() + ": no report says: " + phrase + "\n";
        }
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(looked_at > 20);
}

TEST_CASE("symptoms: a phrase that no report says is found") {
    CHECK(
        phrases(
            "## When it crashes\n| `a null pointer` was used, `x` | `not this one` |\n## Other\n| `nor this` | |\n") ==
        std::vector<std::string>{"a null pointer"});
    CHECK(says("it is a null pointer", "a null pointer"));
    CHECK(!says("it is a null pointer", "a wild pointer"));
    CHECK(says("no task can ever run again: a, b", "no task can ever run again: …"));
}
