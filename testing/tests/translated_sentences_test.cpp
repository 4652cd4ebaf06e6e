// Every sentence that a lab's tests say of a failure stands in Chinese in labs/*/sentences.zh.txt, where the grader
// finds it (labs/grader/words/sentences.h); and what stands there is said.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;
using fiberscope::testing::Translations;
using fiberscope::testing::translations_in;

/// Where the literal that begins at `at` ends: behind its second quotation mark.
std::size_t end_of_literal(const std::string& source, std::size_t at) {
    const char quote = source[at];
    for (++at; source[at] != quote; ++at)
        if (source[at] == '\\') ++at;
    return at + 1;
}

/// What the arguments of a sentence say: its literals, and "{0}", "{1}" … for what else is put out between them. `at`
/// is behind the opening bracket.
std::string said_by(const std::string& source, std::size_t at) {
    std::string text;
    int depth = 0, holes = 0;
    bool in_hole = false, after_hole = false;  // two that stand side by side are one
    const auto hole = [&] {
        if (!after_hole) text += "{" + std::to_string(holes++) + "}";
        in_hole = after_hole = true;
    };
    for (;;) {
        const char c = source[at];
        if (c == '"' && !in_hole && depth == 0) {
            const std::size_t end = end_of_literal(source, at);
            for (std::size_t i = at + 1; i + 1 < end; ++i)
                if (source[i] != '\\')
                    text += source[i];
                else
                    text += source[++i];
            after_hole = false;
            at = end;
        } else if (c == '"' || c == '\'') {
            hole();
            at = end_of_literal(source, at);
        } else {
            if (c == '(' || c == '[' || c == '{') ++depth;
            if (c == ')' && depth == 0) return text;
            if (c == ')' || c == ']' || c == '}') --depth;
            if (depth == 0 && source.compare(at, 2, "<<") == 0) {
                in_hole = false;
                ++at;
            } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
                hole();
            }
            ++at;
        }
    }
}

/// All sentences of a source; those that are nothing but what is filled in are left out.
std::set<std::string> sentences_of(const std::string& source) {
    static const std::regex kWord("\\b(?:INFO|EXPECTS)\\("), kHole("\\{[0-9]\\}");
    std::set<std::string> found;
    for (std::sregex_iterator it(source.begin(), source.end(), kWord), end; it != end; ++it) {
        const std::string text = said_by(source, static_cast<std::size_t>(it->position() + it->length()));
        const std::string fixed = std::regex_replace(text, kHole, "");
        if (std::any_of(fixed.begin(), fixed.end(), [](unsigned char c) { return std::isalpha(c) != 0; }))
            found.insert(text);
    }
    return found;
}

/// "{0}" of "machine {0}, lock {1}, machine {0}" twice, and "{1}".
std::multiset<std::string> holes_of(const std::string& text) {
    static const std::regex kHole("\\{[0-9]\\}");
    std::multiset<std::string> holes;
    for (std::sregex_iterator it(text.begin(), text.end(), kHole), end; it != end; ++it) holes.insert(it->str());
    return holes;
}

/// The tests of each lab with what supports them, and the file of their sentences; and those that labs share.
std::vector<std::pair<fs::path, fs::path>> rooms() {
    std::vector<std::pair<fs::path, fs::path>> found;
    const fs::path labs = fs::path(ROOT) / "labs";
    for (const auto& lab : fs::directory_iterator(labs))
        if (std::isdigit(static_cast<unsigned char>(lab.path().filename().string()[0])) != 0)
            found.emplace_back(lab.path() / "tests", lab.path() / "sentences.zh.txt");
    found.emplace_back(labs / "kit" / "testing", labs / "kit" / "testing" / "sentences.zh.txt");
    return found;
}

bool is_known(const Translations& known, const std::string& sentence) {
    return known.count(sentence) != 0 || known.count("(" + sentence + ")") != 0;
}

}  // namespace

TEST_CASE("sentences: each that a test says of a failure stands in Chinese too") {
    std::string missing;
    for (const auto& [tests, file] : rooms()) {
        const Translations known = translations_in(file);
        for (const auto& entry : fs::recursive_directory_iterator(tests)) {
            const fs::path extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".h") continue;
            for (const std::string& sentence : sentences_of(read(entry.path())))
                if (!is_known(known, sentence))
                    missing += file.lexically_relative(ROOT).string() + ": " + sentence + "\n";
        }
    }
    INFO("write these there, and below each its Chinese, two columns in:\n" << missing);
    CHECK(missing.empty());
}

TEST_CASE("sentences: the Chinese is Chinese, fills in the same, and is of a sentence that a test says") {
    std::string wrong;
    std::size_t looked_at = 0;
    for (const auto& [tests, file] : rooms()) {
        std::string sources;
        for (const auto& entry : fs::recursive_directory_iterator(tests)) sources += read(entry.path());
        const std::set<std::string> said = sentences_of(sources);
        for (const auto& [english, chinese] : translations_in(file)) {
            ++looked_at;
            const bool is_ascii =
                std::none_of(chinese.begin(), chinese.end(), [](unsigned char c) { return c >= 0x80; });
            const bool is_case = english.starts_with('(') && english.ends_with(')');
            const std::string bare = is_case ? english.substr(1, english.size() - 2) : english;
            if (is_ascii || holes_of(english) != holes_of(chinese)) wrong += english + " | " + chinese + "\n";
            // A part of an expression is found by its literal.
            if (said.count(bare) == 0 && sources.find(bare.substr(0, bare.find('{'))) == sources.npos)
                wrong += "nothing says: " + english + "\n";
        }
    }
    INFO(wrong);
    CHECK(wrong.empty());
    CHECK(looked_at > 900);
}

TEST_CASE("sentences: what a source says is read as it is put together") {
    using Set = std::set<std::string>;
    CHECK(sentences_of("INFO(\"a \" \"b\");") == Set{"a b"});
    CHECK(sentences_of("INFO(\"the \\\"top\\\" is \" << hex(top) << \", \" << f(1 << 2));") ==
          Set{"the \"top\" is {0}, {1}"});
    CHECK(sentences_of("EXPECTS(\"x; (y)\"); INFO(kind); INFO(kind << \", \" << n);") == Set{"x; (y)"});
    CHECK(sentences_of("INFO((a ? \"b\" : \"c\") << \" d\");") == Set{"{0} d"});
    CHECK(sentences_of("INFO(\"a \" << b << c << \" d\");") == Set{"a {0} d"});
    CHECK(sentences_of("INFO(\"machine \"\n     << machine);") == Set{"machine {0}"});
}
