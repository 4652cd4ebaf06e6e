// The structure of the tree: how many files a folder has, how long a header and a line are, where tests stand, and the
// subjects of commits.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kEntries = 30, kHeaderLines = 200, kColumns = 120, kSubject = 72;

/// The first commit whose subject is checked is the one after this.
constexpr const char* kBefore = "eb93b91";

/// The files of the tree, as paths below its root; what is built or hidden is no part of it.
std::vector<std::string> files() {
    std::vector<std::string> found;
    for (auto it = fs::recursive_directory_iterator(ROOT); it != fs::recursive_directory_iterator(); ++it) {
        const std::string name = it->path().filename().string();
        if (it->is_directory() &&
            (name.starts_with('.') || name == "__pycache__" || (name == "build" && it.depth() == 0)))
            it.disable_recursion_pending();
        else if (it->is_regular_file() && !name.starts_with('.'))
            found.push_back(it->path().lexically_relative(ROOT).string());
    }
    return found;
}

std::vector<std::string> lines_of(const std::string& file) {
    std::vector<std::string> lines;
    std::ifstream text(fs::path(ROOT) / file);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

/// Folders of data, where many files are right.
bool is_data(const std::string& path) {
    static const std::regex kData(".*(^|/)(samples|golden|corpus|data|pictures)(/.*)?");
    return std::regex_match(path, kData);
}

/// The folders that have too many entries, with the count.
std::string crowded(const std::vector<std::string>& all) {
    std::map<std::string, std::map<std::string, int>> entries;
    for (const std::string& file : all)
        for (fs::path path = file; path.has_relative_path() && !path.empty(); path = path.parent_path())
            entries[path.parent_path().string()][path.filename().string()] = 1;
    std::string found;
    for (const auto& [folder, members] : entries)
        if (members.size() > kEntries && !is_data(folder))
            found += folder + " has " + std::to_string(members.size()) + " entries\n";
    return found;
}

/// In characters of UTF-8.
std::size_t columns(const std::string& line) {
    std::size_t count = 0;
    for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80 ? 1 : 0;
    return count;
}

/// Prose is checked by style_test.cpp. A line with an address cannot be wrapped.
bool too_long(const std::string& line) { return columns(line) > kColumns && line.find("://") == line.npos; }

bool is_code(const std::string& file) {
    static const std::regex kCode(".*\\.(cpp|h|S|c|sh|cmake|py|pml)|(.*/)?CMakeLists\\.txt|lab");
    return std::regex_match(file, kCode) && !is_data(file);
}

/// What is wrong with where a C++ file of tests stands; empty if nothing is.
std::string misplaced(const std::string& file, bool has_tests) {
    static const std::regex kTest("(.*/)?tests/[^/]*_test\\.cpp");
    const bool named = std::regex_match(file, kTest);
    if (has_tests && !named) return file + " has tests, and is not tests/*_test.cpp\n";
    if (!has_tests && named) return file + " is called a test and has none\n";
    return "";
}

/// Why a subject is not in the style of docs/style.md; empty if it is.
std::string wrong_subject(const std::string& subject) {
    static const std::regex kPast("[A-Z][a-z]*(ed|ing)"), kThird("[A-Z][a-z]*[^s]s");
    static const std::regex kImperatives("Embed|Feed|Heed|Need|Speed|Seed|Shed|Bring|String|Focus|Canvas");
    const std::string first = subject.substr(0, subject.find_first_of(" ,:"));
    if (columns(subject) > kSubject) return "more than 72 characters";
    if (subject.empty() || std::isupper(static_cast<unsigned char>(subject[0])) == 0) return "begins without a capital";
    if (subject.ends_with('.')) return "ends with a full stop";
    if (std::regex_match(first, kImperatives)) return "";
    if (std::regex_match(first, kPast) || std::regex_match(first, kThird)) return "is not imperative";
    return "";
}

/// What a command prints, a line each; none if it fails or there is no git.
std::vector<std::string> output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::string text;
    std::array<char, 4096> buffer{};
    while (pipe && std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr)
        text += buffer.data();
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("structure: no folder has more than 30 entries") {
    const std::string found = crowded(files());
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("structure: no header of a lab has more than 200 lines") {
    std::string found;
    for (const std::string& file : files())
        if (file.starts_with("labs/") && file.ends_with(".h") && lines_of(file).size() > kHeaderLines)
            found += file + " has " + std::to_string(lines_of(file).size()) + " lines\n";
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("structure: no line of code or comment has more than 120 columns") {
    std::string found;
    for (const std::string& file : files()) {
        if (!is_code(file)) continue;
        const std::vector<std::string> lines = lines_of(file);
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (too_long(lines[i])) found += file + ":" + std::to_string(i + 1) + "\n";
    }
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("structure: tests stand in tests/*_test.cpp, and nothing else does") {
    static const std::regex kTestCase("^(TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)\\(.*");
    std::string found;
    for (const std::string& file : files()) {
        if (!file.ends_with(".cpp")) continue;
        bool has_tests = false;
        for (const std::string& line : lines_of(file)) has_tests |= std::regex_match(line, kTestCase);
        // The grader's own tests run a lab that is broken on purpose; and a file may get its tests from a shared
        // header.
        if (file == "labs/grader/tests/broken_lab.cpp" || file.find("/behaviour") != file.npos) continue;
        found += misplaced(file, has_tests);
    }
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("structure: the subjects of commits are imperative and short") {
    const std::string git = "git -C '" + std::string(ROOT) + "' ";
    // A tree without history, or with a part of it, has less to check.
    std::string found;
    for (const std::string& subject :
         output_of(git + "log --no-merges --format=%s " + std::string(kBefore) + "..HEAD 2>/dev/null"))
        if (const std::string why = wrong_subject(subject); !why.empty()) found += "\"" + subject + "\" " + why + "\n";
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("structure: what breaks a rule is found") {
    std::vector<std::string> many, samples;
    for (int i = 0; i < 31; ++i)
        many.push_back("a/b/" + std::to_string(i)), samples.push_back("traces/samples/" + std::to_string(i));
    CHECK(crowded(many) == "a/b has 31 entries\n");
    CHECK(crowded(samples).empty());
    CHECK(too_long(std::string(121, 'a')));
    CHECK(!too_long(std::string(120, 'a')));
    CHECK(!too_long("https://" + std::string(121, 'a')));
    CHECK(is_code("labs/kit/run/core.h"));
    CHECK(is_code("lab"));
    CHECK(!is_code("traces/samples/01_nested.json"));
    CHECK(!misplaced("labs/01_switch_asm/switch_test.cpp", true).empty());
    CHECK(!misplaced("labs/01_switch_asm/tests/switch_test.cpp", false).empty());
    CHECK(misplaced("labs/01_switch_asm/tests/switch_test.cpp", true).empty());
    CHECK(misplaced("labs/01_switch_asm/tests/support.cpp", false).empty());
    CHECK(wrong_subject("Refuse a machine count of zero").empty());
    CHECK(wrong_subject("Pass the lock as an argument").empty());
    CHECK(!wrong_subject("Fixed it").empty());
    CHECK(!wrong_subject("Adds a test").empty());
    CHECK(!wrong_subject("Fix it.").empty());
    CHECK(!wrong_subject("add a test").empty());
    CHECK(!wrong_subject("A" + std::string(72, 'a')).empty());
}
