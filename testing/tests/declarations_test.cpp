// A student meets the scheduler of lab 04 by one header. These tests keep it short, and what it leads to; and no header
// of a lab leads back to itself. `tree_tests -s "lab 04: *"` prints the figures.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
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

std::string without_comments(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string code;
    for (std::string line; std::getline(in, line);)
        if (!line.starts_with('#')) code += line.substr(0, line.find("//")) + '\n';
    return code;
}

/// What a header declares for its reader: at namespace level, and in the public part of class `of`. Each is the text
/// before its end or its body.
std::vector<std::string> declarations(const std::string& code, const std::string& of) {
    std::vector<std::string> all;
    std::vector<std::string> open;  // what stands before each brace that is open
    std::string text;
    bool is_public = false;
    for (const char c : code) {
        const bool counts = open.size() == 1 || (open.size() == 2 && open[1].starts_with("class " + of) && is_public);
        if (c == ';' || (c == '{' && !open.empty())) {
            if (counts && !text.empty() && text.front() != ')') all.push_back(text);  // not the end of a default `{}`
        } else if (c == ':' && (text == "public" || text == "private" || text == "protected")) {
            is_public = text == "public";
            text.clear();
            continue;
        }
        if (c == '{') open.push_back(text);
        if (c == '}') open.pop_back();
        if (c == ';' || c == '{' || c == '}')
            text.clear();
        else if (std::isspace(static_cast<unsigned char>(c)) == 0 || (!text.empty() && text.back() != ' '))
            text += std::isspace(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
    }
    return all;
}

using fiberscope::testing::read;
using Includes = std::map<std::string, std::vector<std::string>>;

/// The headers of the tree that a header includes, as they stand on lines of their own.
std::vector<std::string> includes_in(const std::string& text) {
    static const std::regex kInclude("\n#include \"((labs|traces)/[^\"]+)\"");
    const std::string padded = "\n" + text;
    std::vector<std::string> names;
    for (std::sregex_iterator it(padded.begin(), padded.end(), kInclude), end; it != end; ++it)
        names.push_back((*it)[1]);
    return names;
}

Includes headers_of_the_labs() {
    Includes all;
    for (const auto& file : fs::recursive_directory_iterator(fs::path(ROOT) / "labs"))
        if (file.path().extension() == ".h")
            all[file.path().lexically_relative(ROOT).string()] = includes_in(read(file.path()));
    return all;
}

/// Puts what `header` leads to into `seen`; the way back to a header that is on the way already, in words, or nothing.
std::string circle_from(const std::string& header, const Includes& all, std::vector<std::string>& way,
                        std::set<std::string>& seen) {
    if (std::find(way.begin(), way.end(), header) != way.end()) return way.back() + " leads back to " + header + "\n";
    if (!seen.insert(header).second) return "";
    way.push_back(header);
    std::string found;
    if (const auto includes = all.find(header); includes != all.end())
        for (const std::string& next : includes->second) found += circle_from(next, all, way, seen);
    way.pop_back();
    return found;
}

std::string circles_in(const Includes& all) {
    std::set<std::string> seen;
    std::vector<std::string> way;
    std::string found;
    for (const auto& [header, includes] : all) found += circle_from(header, all, way, seen);
    return found;
}

/// `header` and all that it leads to.
void collect(const std::string& header, std::set<std::string>& all) {
    if (!all.insert(header).second) return;
    for (const std::string& next : includes_in(read(fs::path(ROOT) / header))) collect(next, all);
}

/// The fields of a struct: lines within it that declare no function.
std::size_t fields_of(const std::string& text, const std::string& name) {
    static const std::regex kField("\n    (alignas\\(64\\) )?[A-Za-z][^(\n]*;");
    const std::size_t begin = text.find("\nstruct " + name);
    const std::string body = text.substr(begin, text.find("\n};", begin) - begin);
    return static_cast<std::size_t>(std::distance(std::sregex_iterator(body.begin(), body.end(), kField), {}));
}

}  // namespace

TEST_CASE("lab 04: one header of at most 130 lines, with at most 25 declarations, is enough for steps 4.1 to 4.5") {
    const std::filesystem::path header = ROOT "/labs/04_scheduler/scheduler.h";
    std::ifstream in(header);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    CHECK(lines <= 130);
    const std::vector<std::string> found = declarations(without_comments(header), "Scheduler");
    std::ostringstream names;
    for (const std::string& one : found) names << "  " << one << '\n';
    INFO(names.str());
    CHECK(found.size() >= 20);
    CHECK(found.size() <= 25);
}

TEST_CASE("lab 04: declarations are counted") {
    const std::string code =
        "namespace n {\nstruct A {\n  int x;\n};\nvoid f();\nclass Scheduler {\n  public:\n  Scheduler();\n"
        "  int g() { return 1; }\n  private:\n  int y_;\n};\n}\n";
    CHECK(declarations(code, "Scheduler") ==
          std::vector<std::string>{"struct A ", "void f()", "class Scheduler ", "Scheduler()", "int g() "});
}

TEST_CASE("lab 04: no header has more than 200 lines, and machines.h is first included by step 4.6") {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ROOT "/labs/04_scheduler")) {
        if (entry.path().extension() != ".h" || entry.path().parent_path().filename() == "tests") continue;
        std::ifstream in(entry.path());
        std::size_t lines = 0;
        for (std::string line; std::getline(in, line);) ++lines;
        INFO(entry.path());
        CHECK(lines <= 200);
    }
    for (const char* file :
         {"scheduler.cpp", "sleep_tree.cpp", "wait_tree.cpp", "producer_consumer.cpp", "multi_state.cpp"})
        for (const char* folder : {"/exercise/", "/solution/"}) {
            std::ifstream in(std::string(ROOT "/labs/04_scheduler") + folder + file);
            std::stringstream text;
            text << in.rdbuf();
            INFO(folder << file);
            CHECK(text.str().find("machines.h") == std::string::npos);
        }
}

TEST_CASE("lab 04: no header of a lab leads back to itself") {
    const Includes all = headers_of_the_labs();
    const std::string found = circles_in(all);
    INFO(found);
    CHECK(found.empty());
    CHECK(all.size() > 100);
}

TEST_CASE("lab 04: a circle of headers is found") {
    CHECK(circles_in({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}).empty());
    CHECK(circles_in({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}}) == "c leads back to a\n");
    CHECK(includes_in("// #include \"labs/no.h\"\n#include \"labs/yes.h\"\n") ==
          std::vector<std::string>{"labs/yes.h"});
}

TEST_CASE("lab 04: the headers of steps 4.1 to 4.3 are few and short, and a task has few fields") {
    const char* const header = "labs/04_scheduler/scheduler.h";
    std::set<std::string> all;
    collect(header, all);
    std::size_t lines = 0;
    std::string names;
    for (const std::string& one : all) {
        const std::string text = read(fs::path(ROOT) / one);
        lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        names += one + "\n";
    }
    INFO(names);
    CHECK(all.size() <= 12);
    CHECK(lines <= 1000);
    CHECK(fields_of(read(fs::path(ROOT) / "labs/04_scheduler/parts/task.h"), "alignas(64) Task ") <= 12);
    CHECK(fields_of("\nstruct A {\n    int a;\n    int f();\n    int b = 0;  ///< b\n};\n", "A ") == 2);
}
