// In Chinese a thing has one word: docs/glossary.zh.md says which, and which not.
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
    return from == text.npos ? "" : text.substr(from, to + 1 - from);
}

std::vector<std::string> parted(const std::string& text, const std::string& between) {
    std::vector<std::string> parts;
    for (std::size_t from = 0;;) {
        const std::size_t to = text.find(between, from);
        parts.push_back(trimmed(text.substr(from, to == text.npos ? to : to - from)));
        if (to == text.npos) return parts;
        from = to + between.size();
    }
}

/// Each word of the last column of the glossary's last table, and the word to write instead.
std::vector<std::pair<std::string, std::string>> forbidden_words() {
    const std::string page = read(fs::path(ROOT) / "docs/glossary.zh.md");
    std::istringstream lines(page.substr(page.find("## 一个词一个译法")));
    std::vector<std::pair<std::string, std::string>> words;
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> cells = parted(line, "|");
        if (cells.size() != 5 || cells[3] == "不用" || cells[3].starts_with("---")) continue;
        for (const std::string& word : parted(cells[3], "、")) words.emplace_back(word, cells[2]);
    }
    return words;
}

bool is_chinese(const fs::path& file) {
    const std::string name = file.filename().string();
    return (name.find(".zh.") != name.npos && name != "glossary.zh.md") || name == "zh.po";
}

/// "FILE: WORD, write OTHER" for each that stands in the text.
std::string found_in(const std::string& name, const std::string& text) {
    std::string found;
    for (const auto& [word, instead] : forbidden_words())
        if (text.find(word) != text.npos) found += name + ": " + word + ", write " + instead + "\n";
    return found;
}

}  // namespace

TEST_CASE("terms: a thing has one Chinese word, that of the glossary") {
    std::string found;
    std::size_t files = 0;
    for (const char* room : {"docs", "labs", "languages", "tools", "traces", "viewer"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(ROOT) / room)) {
            if (!entry.is_regular_file() || !is_chinese(entry.path())) continue;
            ++files;
            found += found_in(entry.path().lexically_relative(ROOT).string(), read(entry.path()));
        }
    INFO(found);
    CHECK(found.empty());
    CHECK(files > 25);
    CHECK(forbidden_words().size() > 20);
}

TEST_CASE("terms: a word that the glossary does not want is found") {
    CHECK(found_in("f", "树的节点") == "f: 节点, write 结点\n");
    CHECK(found_in("f", "树的结点").empty());
}
