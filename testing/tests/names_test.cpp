// docs/names.md: what the six descriptions name, and where it is here. Every file and every name of ours must be there,
// and no name of theirs (names_of_the_six.txt) may be missing.
#include <filesystem>
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

enum Column : std::size_t { theirs, ours, file, step, differs, columns };

using Row = std::vector<std::string>;

/// The cells of the tables of a page, without their headings.
std::vector<Row> rows(const std::string& page) {
    std::vector<Row> all;
    std::istringstream lines(page);
    static const std::regex kCell("\\| ([^|]*[^| ]|) *(?=\\|)");
    for (std::string line, before; std::getline(lines, line); before = line) {
        if (line.starts_with("|---") && !all.empty()) all.pop_back();
        if (!line.starts_with('|') || line.starts_with("|---")) continue;
        Row row;
        for (std::sregex_iterator it(line.begin(), line.end(), kCell), end; it != end; ++it) row.push_back((*it)[1]);
        all.push_back(row);
    }
    return all;
}

std::vector<std::string> matches(const std::string& text, const char* pattern, std::size_t group) {
    const std::regex regex(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.push_back((*it)[group]);
    return found;
}
std::vector<std::string> code(const std::string& text) { return matches(text, "`([^`]+)`", 1); }
std::vector<std::string> words(const std::string& text) { return matches(text, "[A-Za-z_][A-Za-z_0-9]*", 0); }

bool has_word(const std::string& text, const std::string& word) {
    return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

/// What is wrong with a row; empty if nothing is. `root`: below it are the files that rows name.
std::string wrong_with(const Row& row, const fs::path& root) {
    if (row.size() != columns) return "not five cells";
    if (row[ours] == "–") return row[differs].empty() ? "is not here, and no reason is given" : "";
    std::string text;
    for (const std::string& name : code(row[file])) {
        if (!fs::exists(root / name)) return name + " is not there";
        text += read(root / name);
    }
    for (const std::string& name : code(row[ours]))
        for (const std::string& word : words(name))
            if (!has_word(text, word)) return word + " is not in " + row[file];
    return text.empty() ? "names no file" : "";
}

/// The part of a page or a list that stands below the heading `name`; `marks` begins a heading.
std::string below(const std::string& text, const std::string& marks, const std::string& name) {
    const std::string padded = "\n" + text;
    const std::size_t at = padded.find("\n" + marks + " " + name + "\n");
    if (at == padded.npos) return {};
    const std::size_t begin = at + marks.size() + name.size() + 3;
    return padded.substr(begin, padded.find("\n" + marks + " ", begin) - begin);
}

/// The words of the first column of the tables of a part.
std::set<std::string> explained(const std::string& part) {
    std::set<std::string> all;
    for (const Row& row : rows(part))
        for (std::string& word : words(row.at(theirs))) all.insert(std::move(word));
    return all;
}

/// Which identifiers of `list` the page does not explain in the part of their system, one a line: "libco: co_create".
std::string missing_in(const std::string& page, const std::string& list) {
    std::string missing;
    const std::set<std::string> common = explained(below(page, "##", "Used as they are"));
    for (const std::string& system : matches("\n" + list, "\n# ([^\n]+)", 1)) {
        const std::set<std::string> here = explained(below(page, "##", system));
        for (const std::string& name : words(below(list, "#", system)))
            if (!here.contains(name) && !common.contains(name))
                missing.append(system).append(": ").append(name) += '\n';
    }
    return missing;
}

}  // namespace

TEST_CASE("names: every file and every name that the page of names gives is there") {
    const std::vector<Row> all = rows(read(fs::path(ROOT) / "docs/names.md"));
    std::string found;
    for (const Row& row : all)
        if (const std::string wrong = wrong_with(row, fs::path(ROOT) / "labs"); !wrong.empty())
            found += row.at(theirs) + ": " + wrong + "\n";
    INFO(found);
    CHECK(found.empty());
    CHECK(all.size() > 200);
}

TEST_CASE("names: no identifier of the six descriptions is missing") {
    const std::string list = read(fs::path(ROOT) / "testing/tests/names_of_the_six.txt");
    const std::string missing = missing_in(read(fs::path(ROOT) / "docs/names.md"), list);
    INFO(missing);
    CHECK(missing.empty());
    CHECK(words(list).size() > 500);
    CHECK(matches("\n" + list, "\n# ([^\n]+)", 1).size() == 6);
}

TEST_CASE("names: an identifier that no row of its own system explains is found") {
    const std::string head = "| name | here | file | step | differs, because |\n|---|---|---|---|---|\n";
    const std::string page = "# Names\n\n## one\n\n" + head + "| `a`, `b` | – | – | – | not built |\n\n## two\n\n" +
                             head + "| `c` | – | – | – | not built |\n\n## Used as they are\n\n" + head +
                             "| `read` | – | – | – | of POSIX |\n";
    CHECK(missing_in(page, "about it\n\n# one\na b\nread\n\n# two\nc\n").empty());
    CHECK(missing_in(page, "# one\na c\n\n# two\nb here\n# three\na\n") == "one: c\ntwo: b\ntwo: here\nthree: a\n");
}

TEST_CASE("names: a row with a file, a name or a reason that is missing is found") {
    const fs::path root = fs::path(ROOT) / "testing/tests";
    const auto wrong = [&](const std::string& row) { return wrong_with(rows(row + "\n").at(0), root); };
    CHECK(wrong("| `a` | `has_word` | `names_test.cpp` | – |  |").empty());
    CHECK(wrong("| `a` | – | – | – | not built |").empty());
    CHECK(wrong("| `a` | – | – | – |  |") == "is not here, and no reason is given");
    CHECK(wrong("| `a` | `b` | `no.cpp` | – |  |") == "no.cpp is not there");
    CHECK(wrong(std::string("| `a` | `has_") + "words` | `names_test.cpp` | – |  |") ==
          std::string("has_") + "words is not in `names_test.cpp`");
    CHECK(wrong("| `a` | `b` | – | – |  |") == "b is not in –");
}
