// Every assertion of a lab's tests has a sentence, which a student reads when it fails: an INFO that stands before it
// in its own block or in one around it.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

/// The source without what is in comments and literals; lines stay where they are.
std::string code_of(const std::string& source) {
    static const std::regex kOther(
        "//[^\n]*"
        "|/\\*[^]*?\\*/"
        "|R\"\\(([^]*?)\\)\""
        "|\"(?:[^\"\\\\\n]|\\\\.)*\""
        "|'(?:[^'\\\\\n]|\\\\.)'");
    std::string code;
    auto rest = source.begin();
    for (std::sregex_iterator it(source.begin(), source.end(), kOther), end; it != end; ++it) {
        code.append(rest, source.begin() + it->position());
        const std::string other = it->str();
        code.append(static_cast<std::size_t>(std::count(other.begin(), other.end(), '\n')), '\n');
        rest = source.begin() + it->position() + it->length();
    }
    return code.append(rest, source.end());
}

/// The lines of the assertions that have no sentence.
std::vector<std::size_t> without_sentence(const std::string& source) {
    static const std::regex kWord("[{}\n]|\\b(?:INFO|EXPECTS|CHECK|REQUIRE)[A-Z_]*\\(");
    const std::string code = code_of(source);
    std::vector<bool> said = {false};  // of each block around, whether it has an INFO so far
    std::vector<std::size_t> found;
    std::size_t line = 1;
    for (std::sregex_iterator it(code.begin(), code.end(), kWord), end; it != end; ++it) {
        const std::string word = it->str();
        if (word == "\n") ++line;
        if (word == "{") said.push_back(said.back());
        if (word == "}" && said.size() > 1) said.pop_back();
        const bool is_sentence = word == "INFO(" || word == "EXPECTS(";
        if (is_sentence) said.back() = true;
        if (word.size() > 1 && !is_sentence && !said.back()) found.push_back(line);
    }
    return found;
}

/// The sources of a lab's tests, and the bodies of tests that labs share.
std::vector<fs::path> sources_of_tests() {
    std::vector<fs::path> found;
    const fs::path labs = fs::path(ROOT) / "labs";
    for (const auto& lab : fs::directory_iterator(labs)) {
        if (std::isdigit(static_cast<unsigned char>(lab.path().filename().string()[0])) == 0) continue;
        for (const auto& entry : fs::directory_iterator(lab.path() / "tests")) found.push_back(entry.path());
    }
    for (const auto& entry : fs::directory_iterator(labs / "kit" / "testing")) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

TEST_CASE("sentences: every assertion of a lab's tests has a sentence that a student reads when it fails") {
    std::string found;
    std::size_t files = 0;
    for (const fs::path& file : sources_of_tests()) {
        if (file.extension() != ".cpp" && file.extension() != ".h") continue;
        ++files;
        for (const std::size_t line : without_sentence(read(file)))
            found += file.lexically_relative(ROOT).string() + ":" + std::to_string(line) + '\n';
    }
    INFO("these assertions have no INFO before them, in their block or in one around it:\n" << found);
    CHECK(found.empty());
    CHECK(files > 80);
}

TEST_CASE("sentences: an assertion without one is found") {
    using Lines = std::vector<std::size_t>;
    CHECK(without_sentence("void f() {\n    CHECK(a);\n    INFO(\"b\");\n    REQUIRE_FALSE(b);\n}\n") == Lines{2});
    CHECK(without_sentence("void f() {\n    { INFO(\"{\"); }\n    CHECK(a);\n}\n") == Lines{3});
    CHECK(without_sentence("void f() {\n    EXPECTS(\"a\");\n    CHECK(a);\n}\n").empty());
    CHECK(without_sentence("void f() {\n    INFO(\"a\");\n    for (;;) {\n        CHECK(a);\n    }\n}\n").empty());
    CHECK(without_sentence("void f() {\n    INFO(\"a\");\n}\nvoid g() {\n    CHECK(a);\n}\n") == Lines{5});
    CHECK(without_sentence("// CHECK(a)\nconst char* text = \"CHECK(a)\";\n").empty());
}
