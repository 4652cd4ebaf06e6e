// docs/style.md, as far as a program can check it: the words and the columns of what is written in Markdown, and the
// words of what a student is told.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kColumns = 120;

using fiberscope::testing::read;

/// The words that docs/style.md rules out and that `text` has, a comma behind each.
std::string words_to_avoid(const std::string& text) {
    static const std::regex kWords(
        "\\b(for ever|may well|[Nn]obody|[Ss]omebody|[Ee]verybody|[Ww]hoever|[Hh]e|[Hh]is|[Hh]im)\\b"
        "|(^|[.:;] |\\*\\*)Who [a-z]+[^?]*$");
    std::string found;
    for (std::sregex_iterator it(text.begin(), text.end(), kWords), end; it != end; ++it) found += it->str() + ", ";
    return found;
}

/// Turns that leave open what happens, and a task as a person: each stood in what a student is told.
std::string riddles(const std::string& text) {
    static const std::regex kRiddles("\\b(by a sentence|came out of it|in its turn|the lives of|whom?)\\b");
    std::string found;
    for (std::sregex_iterator it(text.begin(), text.end(), kRiddles), end; it != end; ++it) found += it->str() + ", ";
    return found;
}

std::string literals_of(const std::string& source) {
    static const std::regex kLiteral("\"(?:[^\"\\\\\n]|\\\\.)*\"");
    std::string literals;
    for (std::sregex_iterator it(source.begin(), source.end(), kLiteral), end; it != end; ++it)
        literals += it->str() + '\n';
    return literals;
}

/// The texts of a catalogue of gettext.
std::string texts_of(const std::string& catalogue) {
    std::istringstream lines(catalogue);
    std::string english;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("msgid ")) english += line.substr(6) + '\n';
    return english;
}

/// What is told: the catalogues, and what the kit's faults say.
std::vector<fs::path> tables_of_sentences() {
    const fs::path root = ROOT;
    std::vector<fs::path> found;
    for (const char* folder : {"languages", "traces", "viewer", "labs", "tools"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().filename() == "zh.po") found.push_back(entry.path());
    for (const char* folder : {"labs/kit/fault", "labs/kit/run"})
        for (const auto& file : fs::directory_iterator(root / folder))
            if (file.path().extension() == ".cpp") found.push_back(file.path());
    return found;
}

/// In columns: a character of Chinese takes two, and so does the punctuation of that script.
std::size_t width(const std::string& line) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        if ((byte & 0xC0U) == 0x80) continue;
        const bool wide = byte >= 0xE3 && byte <= 0xED;
        const bool full_width = byte == 0xEF && i + 1 < line.size() && static_cast<unsigned char>(line[i + 1]) >= 0xBC;
        columns += wide || full_width ? 2 : 1;
    }
    return columns;
}

/// Calls `visit(line, number)` for each line of prose or of a table of a page: what is in a block is left out.
template <class Visit>
void prose(const std::string& page, Visit visit) {
    std::istringstream lines(page);
    bool block = false;
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.starts_with("```")) block = !block;
        if (!block && !line.starts_with("    ") && !line.starts_with("```")) visit(line, number);
    }
}

std::string without_code(const std::string& line) { return std::regex_replace(line, std::regex("`[^`]*`?"), "`"); }

/// What is wrong with a page, a line each.
std::string wrong_with(const std::string& page, const std::string& name) {
    std::string found;
    prose(page, [&](const std::string& line, std::size_t number) {
        const std::string at = name + ":" + std::to_string(number) + ": ";
        if (const std::string words = words_to_avoid(without_code(line)); !words.empty()) found += at + words + "\n";
        if (width(line) > kColumns && !line.starts_with('|')) found += at + "more than 120 columns\n";
    });
    return found;
}

bool is_hidden(const fs::path& folder, int depth) {
    const std::string name = folder.filename().string();
    return name.starts_with('.') || (name == "build" && depth == 0);
}

std::vector<fs::path> pages() {
    std::vector<fs::path> found;
    for (auto it = fs::recursive_directory_iterator(ROOT); it != fs::recursive_directory_iterator(); ++it)
        if (it->is_directory() && is_hidden(it->path(), it.depth()))
            it.disable_recursion_pending();
        else if (it->path().extension() == ".md" && it->path().filename() != "style.md")
            found.push_back(it->path());
    std::sort(found.begin(), found.end());
    return found;
}

/// The files that a page names: from the tree's root, as "labs/kit/run/core.h", or in a lab from the lab's folder, as
/// "given/start_x86_64.S".
std::vector<std::string> named_files(const std::string& page, bool of_a_lab) {
    static const std::regex kOfTheTree("`((?:labs|traces|viewer|testing|docs|cmake)/[A-Za-z0-9_./-]+\\.[A-Za-z]+)`");
    static const std::regex kOfALab("`((?:exercise|given|solution|programs|tests)/[A-Za-z0-9_./-]+\\.[A-Za-z]+)`");
    std::vector<std::string> found;
    for (const std::regex* pattern : {&kOfTheTree, &kOfALab}) {
        if (pattern == &kOfALab && !of_a_lab) continue;
        for (std::sregex_iterator it(page.begin(), page.end(), *pattern), end; it != end; ++it)
            if ((*it)[1].str().find("NN_") == std::string::npos) found.push_back((*it)[1]);
    }
    return found;
}

std::string missing_files(const fs::path& page) {
    const fs::path place = page.lexically_relative(ROOT);
    const bool of_a_lab = place.begin()->string() == "labs";
    const fs::path lab = of_a_lab ? fs::path(ROOT) / "labs" / *std::next(place.begin()) : fs::path(ROOT);
    std::string found;
    for (const std::string& file : named_files(read(page), of_a_lab))
        if (!fs::exists(fs::path(ROOT) / file) && !fs::exists(lab / file))
            found += place.string() + " names " + file + "\n";
    return found;
}

}  // namespace

TEST_CASE("style: the pages keep to the words and the columns of docs/style.md") {
    std::string found;
    for (const fs::path& page : pages()) found += wrong_with(read(page), page.lexically_relative(ROOT).string());
    INFO(found);
    CHECK(found.empty());
    CHECK(pages().size() > 20);
}

TEST_CASE("style: what was wrong once is not said again") {
    // Each stood on a page of this tree.
    const std::string wrong[] = {
        "`rip` is a function of the kit",       // it is the coroutine's own code, where the switch is a tail call
        "belong to the labs to come",           // all six are there
        "The state changes in two places",      // in three
        "Go 1.0 had a queue for each machine",  // one global queue under one lock
        "Parked: nowhere",                      // with a deadline it is in the sleep tree
        "does not put back what is not due",    // the published listing of libco's loop does
    };
    std::string found;
    for (const fs::path& page : pages())
        for (const std::string& sentence : wrong)
            if (read(page).find(sentence) != std::string::npos) found += page.string() + ": " + sentence + "\n";
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("style: what a student is told keeps to the words of docs/style.md, and is no riddle") {
    std::string found;
    std::size_t files = 0;
    const auto look = [&](const fs::path& file, const std::string& told) {
        ++files;
        const std::string words = words_to_avoid(without_code(told)) + riddles(without_code(told));
        if (!words.empty()) found += file.lexically_relative(ROOT).string() + ": " + words + "\n";
    };
    for (const fs::path& file : tables_of_sentences())
        look(file, file.extension() == ".po" ? texts_of(read(file)) : literals_of(read(file)));
    INFO(found);
    CHECK(found.empty());
    CHECK(files > 25);
    CHECK(riddles("the given queue ends the program by a sentence") == "by a sentence, ");
    CHECK(riddles("wakes who has begun to wait") == "who, ");
    CHECK(riddles("the task that waits, whose limit is over").empty());
}

TEST_CASE("style: every file of the tree that a page names is there") {
    std::string found;
    for (const fs::path& page : pages()) found += missing_files(page);
    INFO(found);
    CHECK(found.empty());
    CHECK(named_files("see `labs/kit/run/core.h`, `labs/*/x.h`, `given/a_{arch}.S`, `core.h`", true).size() == 1);
    CHECK(named_files("see `given/a.S`", true).size() == 1);
    CHECK(named_files("see `given/a.S`", false).empty());
}

TEST_CASE("style: a word to avoid and a line that is too long are found") {
    CHECK(wrong_with("It waits forever.\n", "p").empty());
    CHECK(wrong_with("It waits for every task that somebody-else names.\n", "p") == "p:1: somebody, \n");
    CHECK(wrong_with("one\nIt waits for ever.\n", "p") == "p:2: for ever, \n");
    CHECK(wrong_with("Who reads waits.\n", "p") == "p:1: Who reads waits., \n");
    CHECK(wrong_with("Who reads?\n", "p").empty());
    CHECK(wrong_with("```\nnobody\n```\n`nobody can ever run`\n", "p").empty());
    CHECK(wrong_with(std::string(121, 'a') + "\n| " + std::string(121, 'a') + "\n", "p") ==
          "p:1: more than 120 columns\n");
    CHECK(width("栈，a") == 5);
}
