// The headers of the labs: no circle, and little for the first steps of lab 04. `tree_tests -s "headers: *"` prints the
// figures.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

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

TEST_CASE("headers: none of a lab leads back to itself") {
    const Includes all = headers_of_the_labs();
    const std::string found = circles_in(all);
    INFO(found);
    CHECK(found.empty());
    CHECK(all.size() > 100);
}

TEST_CASE("headers: a circle is found") {
    CHECK(circles_in({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}).empty());
    CHECK(circles_in({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}}) == "c leads back to a\n");
    CHECK(includes_in("// #include \"labs/no.h\"\n#include \"labs/yes.h\"\n") ==
          std::vector<std::string>{"labs/yes.h"});
}

TEST_CASE("headers: those of steps 4.1 to 4.3 are few and short, and a task has few fields") {
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
    CHECK(fields_of(read(fs::path(ROOT) / header), "alignas(64) Task ") <= 12);
    CHECK(fields_of("\nstruct A {\n    int a;\n    int f();\n    int b = 0;  ///< b\n};\n", "A ") == 2);
}
