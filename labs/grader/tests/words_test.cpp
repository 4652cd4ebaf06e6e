#include "labs/grader/words/words.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "labs/grader/build_progress.h"
#include "testing/catch.h"

using namespace fiberscope::grader;

namespace {

constexpr auto kCount = static_cast<int>(W::count);

std::vector<int> places_in(std::string_view text) {
    std::vector<int> places(5);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t at = 0; (at = text.find("{" + std::to_string(i) + "}", at)) != text.npos; ++at) ++places[i];
    return places;
}

bool is_ascii(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

/// The phrase of ./lab (tools/words), whose places are numbered from 1.
std::string phrase(const std::string& name, const char* language) {
    std::ifstream lines(TREE "/tools/words/" + std::string(language) + ".txt");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name + " ")) return line.substr(name.size() + 1);
    return "";
}

/// As the phrases of ./lab number them.
std::string numbered_from_1(std::string text) {
    for (char& c : text)
        if (c == '1' || c == '0') ++c;
    return text;
}

}  // namespace

TEST_CASE("words: what ./lab says of a step that is not written it says as the grader does") {
    const std::pair<const char*, W> same[] = {{"your_files", W::your_files}, {"not_yet", W::not_yet},
                                              {"next_step", W::next_step},   {"read", W::read_label},
                                              {"edit", W::edit_label},       {"type", W::type_label}};
    for (const auto& [name, word] : same) {
        INFO(name);
        CHECK(phrase(name, "en") == numbered_from_1(std::string(text_of(word, Language::english))));
        CHECK(phrase(name, "zh") == numbered_from_1(std::string(text_of(word, Language::chinese))));
    }
}

TEST_CASE("words: each stands in both languages, with the same places to fill") {
    for (int i = 0; i < kCount; ++i) {
        const std::string_view english = text_of(W(i), Language::english), chinese = text_of(W(i), Language::chinese);
        INFO(english);
        CHECK(!english.empty());
        CHECK(!is_ascii(chinese));
        CHECK(english != chinese);
        CHECK(places_in(english) == places_in(chinese));
    }
}

TEST_CASE("words: what is filled in is not filled again") {
    CHECK(say(W::some_pass, "{1}", "{0}") == "{1} of {0} tests pass");
}

TEST_CASE("words: a Chinese character takes two columns") {
    CHECK(columns("a step") == 6);
    CHECK(columns("✓ 步骤") == 6);
    CHECK(columns("（选做）") == 8);
}

TEST_CASE("words: a build says every ten seconds how far it is") {
    BuildProgress progress;
    const std::string output = "cmake\n[1/80] Building a.o\n[12/80] Building b.o\n[-Wall] is no count\n";
    CHECK(progress.line(output, Milliseconds(9'000)).empty());
    CHECK(progress.line(output, Milliseconds(10'000)) == "lab: building your files and the tests, [12/80]");
    CHECK(progress.line(output, Milliseconds(19'000)).empty());
    CHECK(progress.line("", Milliseconds(21'000)) == "lab: building your files and the tests, ");
}
