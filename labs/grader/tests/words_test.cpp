#include "labs/grader/words/words.h"

#include <string>
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

}  // namespace

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
