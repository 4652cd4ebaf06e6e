// The contract of each step stands in Chinese too: quoted ("> …") within the step of the Chinese handout, as the
// headers and the heads of exercise/ are in English. It names what is to be written there, and what these heads list as
// given.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;
using Words = std::set<std::string>;

Words identifiers_in(const std::string& text) {
    static const std::regex kIdentifier("[A-Za-z_][A-Za-z0-9_]*");
    Words words;
    for (std::sregex_iterator it(text.begin(), text.end(), kIdentifier), end; it != end; ++it) words.insert(it->str());
    return words;
}

/// What is quoted within each step of a handout, by the step's number.
std::map<std::string, std::string> contracts_in(const std::string& page) {
    static const std::regex kStep("## 步骤 ([0-9.]+)：.*");
    std::map<std::string, std::string> contracts;
    std::istringstream lines(page);
    std::string step;
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (line.starts_with("## ")) step = std::regex_match(line, found, kStep) ? found[1].str() : "";
        if (line.starts_with('>') && !step.empty()) contracts[step] += line + "\n";
    }
    return contracts;
}

/// The function of each stub of a file, by its step: "finish" of not_implemented("1.4", "Coroutine::finish: …").
std::multimap<std::string, std::string> stubs_in(const std::string& source) {
    static const std::regex kStub(
        R"re((?:not_implemented\(\s*"([0-9.]+)",\s*"|\.string\s+"([0-9.]+) )(?:[\w~]+::)*~?(\w+))re");
    std::multimap<std::string, std::string> stubs;
    for (std::sregex_iterator it(source.begin(), source.end(), kStub), end; it != end; ++it)
        stubs.emplace(it->str(1) + it->str(2), it->str(3));
    return stubs;
}

/// The names that the head of a file lists: `//     code   what it is`, whose code ends where two blanks are.
Words given_in(const std::string& source) {
    static const std::regex kListed("//     ([^ ].*?)(  .*)?"), kText("\"[^\"]*\""), kName(R"(\w*[a-z]_\w*|\w+(?=\())");
    Words given;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line) && !line.starts_with("#include");) {
        std::smatch found;
        if (!std::regex_match(line, found, kListed)) continue;
        const std::string code = std::regex_replace(found[1].str(), kText, "");
        for (std::sregex_iterator it(code.begin(), code.end(), kName), end; it != end; ++it) given.insert(it->str());
    }
    return given;
}

/// What the contracts of a page lack of one file of exercise/; a line each.
std::string missing_of(const std::string& source, const std::map<std::string, std::string>& contracts) {
    std::string missing, all;
    Words steps;
    for (const auto& [step, function] : stubs_in(source)) {
        const auto contract = contracts.find(step);
        const std::string text = contract == contracts.end() ? "" : contract->second;
        if (steps.insert(step).second) all += text;
        if (identifiers_in(text).count(function) == 0) missing += "step " + step + ": " + function + "\n";
    }
    const Words named = identifiers_in(all);
    for (const std::string& word : given_in(source))
        if (named.count(word) == 0) missing += "step " + *steps.begin() + ", given: " + word + "\n";
    return missing;
}

}  // namespace

TEST_CASE("contracts: that of each step stands in the Chinese handout, with all that is to be written and all given") {
    std::string missing;
    std::size_t stubs = 0;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs")) {
        if (!fs::exists(lab.path() / "steps.json")) continue;
        const auto contracts = contracts_in(read(lab.path() / "README.zh.md"));
        for (const auto& file : fs::directory_iterator(lab.path() / "exercise")) {
            const std::string source = read(file.path()), lacks = missing_of(source, contracts);
            stubs += stubs_in(source).size();
            if (!lacks.empty()) missing += file.path().lexically_relative(ROOT).string() + "\n" + lacks;
        }
    }
    INFO("quote these in README.zh.md (> …), within the step:\n" << missing);
    CHECK(missing.empty());
    CHECK(stubs > 150);
}

TEST_CASE("contracts: no English handout quotes, as nothing compares what is quoted") {
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs"))
        CHECK(read(lab.path() / "README.md").find("\n>") == std::string::npos);
}

TEST_CASE("contracts: a function and a given name that a contract does not name are found") {
    const auto contracts = contracts_in("## 步骤 9.1：一\n> `first`\n> `helper(task)`\n## 别的\n> `second`\n");
    const std::string head =
        "//     helper(task, \"name\")   helps, with patience\n//     other_one or two   more\n#include <a>\n";
    CHECK(missing_of("not_implemented(\"9.1\", \"A::first: do\")", contracts).empty());
    CHECK(missing_of(head + "not_implemented(\"9.1\",\n \"A::second: do\")", contracts) ==
          "step 9.1: second\nstep 9.1, given: other_one\n");
    CHECK(missing_of("not_implemented(\"9.2\", \"~A: do\")", contracts) == "step 9.2: A\n");
    CHECK(missing_of(".string \"9.3 _switch: do\"", contracts) == "step 9.3: _switch\n");
}
