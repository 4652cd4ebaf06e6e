// A handout says the same in every language: the same headings in the same order under the same anchors, the same
// commands, tables, lists, links and names of code. Only the words differ.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "languages/say.h"
#include "testing/catch.h"
#include "testing/tests/handout_page.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::differences;
using fiberscope::testing::read;
using fiberscope::testing::sections_of;

constexpr const char* kPage = R"(# Lab 99

[中文](README.zh.md) [step](#step-991)

## Step 99.1

Read `poller.h`, then:

```sh
./lab check 99
```

| a | b |
|---|---|
| c | d |

- one
- two

```text
a picture
```
)";

constexpr const char* kTranslation = R"(<a id="lab-99"></a>

# Lab 99: 测试

[English](README.md) [步骤](#step-991)

<a id="step-991"></a>

## 步骤 99.1

先读 `poller.h`，然后：

```sh
./lab check 99
```

| 一 | 二 |
|---|---|
| 三 | 四 |

- 一
- 二

```text
一幅图
```
)";

/// What is found when `part` of the translation is `other`.
std::string found_with(const std::string& part, const std::string& other) {
    std::string translation = kTranslation;
    const std::size_t at = translation.find(part);
    REQUIRE(at != translation.npos);
    return differences(kPage, translation.replace(at, part.size(), other));
}

/// What is wrong with the hints for a step in `file`; empty if nothing is.
std::string wrong_hints(const nlohmann::json& hints, const std::string& step, const std::string& file) {
    if (!hints.is_object() || !hints.contains(step) || hints.at(step).size() != 3)
        return file + ": no three hints for " + step + "\n";
    for (const std::string hint : hints.at(step))
        if (hint.empty()) return file + ": a hint for " + step + " is empty\n";
    return "";
}

std::string in_chinese(const std::string& english) {
    return std::string(fiberscope::text_of({english, ""}, fiberscope::Language::chinese));
}

/// All hints, one a line, and its Chinese below.
std::string all_hints() {
    std::string all;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs"))
        if (fs::exists(lab.path() / "hints.json"))
            for (const auto& step : nlohmann::json::parse(read(lab.path() / "hints.json")))
                for (const std::string hint : step) all += hint + "\n" + in_chinese(hint) + "\n";
    return all;
}

/// As `./lab hint` prints it.
std::string wrapped(const std::string& text) {
    const fs::path folder = fiberscope::testing::new_folder();
    std::ofstream(folder / "in") << text;
    const std::string in = (folder / "in").string(), out = (folder / "out").string();
    const std::string command = "bash -c '. " ROOT "/tools/student.sh; wrap' <" + in + " >" + out;
    REQUIRE(std::system(command.c_str()) == 0);
    const std::string result = read(out);
    fs::remove_all(folder);
    return result;
}

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

/// A character that is not ASCII is two columns wide here.
std::size_t columns(const std::string& line) {
    std::size_t count = 0;
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        count += byte < 0x80 ? 1 : byte >= 0xC0 ? 2 : 0;
    }
    return count;
}

/// What is wrong with the Chinese handout of the lab in `folder`; empty if nothing is.
std::string wrong_translation(const fs::path& folder) {
    const fs::path translation = folder / "README.zh.md";
    const std::string name = translation.lexically_relative(ROOT).string();
    if (!fs::exists(translation)) return name + " does not exist\n";
    const std::string differs = differences(read(folder / "README.md"), read(translation));
    return differs.empty() ? "" : name + "\n" + differs;
}

}  // namespace

TEST_CASE("languages: a translation that says the same differs in nothing") {
    CHECK(differences(kPage, kTranslation).empty());
}

TEST_CASE("languages: a step, a command, a row, an item, a link and a name that differ are found") {
    CHECK(found_with("step-991\"", "step-992\"") == "heading is missing: ## step-991\nheading is new: ## step-992\n");
    CHECK(found_with("check 99", "check 98").find("#step-991: block is missing: sh\n./lab check 99") == 0);
    CHECK(found_with("| 三 | 四 |", "| 三 |") == "#step-991: the tables have other rows or columns\n");
    CHECK(found_with("- 二\n", "") == "#step-991: the lists have 1 items in place of 2\n");
    CHECK(found_with("(#step-991)", "(#lab-99)") ==
          "#lab-99: link is missing: #step-991\n#lab-99: link is new: #lab-99\n");
    CHECK(found_with("`poller.h`", "`poll.h`") ==
          "#step-991: code is missing: poller.h\n#step-991: code is new: poll.h\n");
    CHECK(found_with("```text", "```cpp") == "#step-991: block is missing: text\n#step-991: block is new: cpp\n");
}

TEST_CASE("languages: code that goes over the end of a line is one name") {
    CHECK(sections_of("# a\nsee `b\n  c` here\n").at(0).inline_code.count("b c") == 1);
}

TEST_CASE("languages: every lab has its handout in Chinese, and it says the same") {
    std::string found;
    std::size_t labs = 0;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs")) {
        if (!fs::exists(lab.path() / "steps.json")) continue;
        ++labs;
        found += wrong_translation(lab.path());
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(labs == 6);
}

TEST_CASE("languages: the title of a step is that of its heading in the Chinese handout") {
    std::string found;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs")) {
        if (!fs::exists(lab.path() / "steps.json")) continue;
        std::string page = read(lab.path() / "README.zh.md");
        std::erase(page, '`');
        for (const auto& step : nlohmann::json::parse(read(lab.path() / "steps.json"))) {
            const std::string heading =
                "\n## 步骤 " + step.at("step").get<std::string>() + "：" + in_chinese(step.at("title"));
            if (page.find(heading) == page.npos) found += heading;
        }
    }
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("languages: a lab without its handout in Chinese is found") {
    CHECK(wrong_translation(fs::path(ROOT) / "labs/grader") == "labs/grader/README.zh.md does not exist\n");
}

TEST_CASE("languages: every step has three hints, and none is empty") {
    std::string found;
    std::size_t steps = 0;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs")) {
        if (!fs::exists(lab.path() / "steps.json")) continue;
        const fs::path file = lab.path() / "hints.json";
        const auto hints = nlohmann::json::parse(read(file), nullptr, false);
        for (const auto& step : nlohmann::json::parse(read(lab.path() / "steps.json"))) {
            ++steps;
            found += wrong_hints(hints, step.at("step"), file.lexically_relative(ROOT).string());
        }
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(steps > 25);
}

TEST_CASE("languages: hints that are missing, too few or empty are found") {
    const auto found = [](const char* hints) { return wrong_hints(nlohmann::json::parse(hints), "1.1", "f"); };
    CHECK(found(R"({"1.1": ["a", "b", "c"]})").empty());
    CHECK(found(R"({"1.2": ["a", "b", "c"]})") == "f: no three hints for 1.1\n");
    CHECK(found(R"({"1.1": ["a", "b"]})") == "f: no three hints for 1.1\n");
    CHECK(found(R"({"1.1": ["a", "", "c"]})") == "f: a hint for 1.1 is empty\n");
}

TEST_CASE("languages: a hint is printed in lines of 100 columns, and no character is cut in two") {
    const std::string all = all_hints(), shown = wrapped(all);
    CHECK(without_blanks(shown) == without_blanks(all));
    std::istringstream lines(shown);
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        const bool cut = !line.empty() && (static_cast<unsigned char>(line[0]) & 0xC0U) == 0x80;
        if (cut || columns(line) > 100 || line.ends_with(' ')) found += line + "\n";
    }
    INFO(found);
    CHECK(found.empty());
}
