// Consistency of the catalogues of all rooms, and lookup of texts.
#include <algorithm>
#include <cerrno>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "languages/catalogue.h"
#include "languages/say.h"
#include "languages/spoken_error.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

/// The placeholders of the text, except those that only select between two words.
std::set<char> values_shown(std::string_view text) {
    std::set<char> shown;
    for (std::size_t at = 0, next; (next = place_in(text.substr(at))) != text.npos; ++at)
        if (at += next; text.substr(at, text.find('}', at) - at).find('|') == text.npos) shown.insert(text[at + 1]);
    return shown;
}

/// "{0}", "{0:one|several}", "{0}".
bool places_are_whole(std::string_view text) {
    for (std::size_t at = 0, next; (next = place_in(text.substr(at))) != text.npos; ++at) {
        at += next;
        const auto close = text.find('}', at);
        if (close != at + 2 && text[at + 2] != ':') return false;
        at = close;
    }
    return true;
}

bool has_chinese(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
}

}  // namespace

TEST_CASE("catalogues: a translation has the places of its text") {
    std::size_t seen = 0;
    for (const languages::Catalogue& room : languages::catalogues())
        for (const languages::Entry& entry : room.entries) {
            const std::string_view english = entry.key.substr(entry.key.find('\4') + 1);
            INFO(room.room << ": " << english << " / " << entry.chinese);
            ++seen;
            CHECK_FALSE(has_chinese(english));
            CHECK(places_are_whole(english));
            CHECK(places_are_whole(entry.chinese));
            CHECK(values_shown(english) == values_shown(entry.chinese));
        }
    CHECK(seen > 1000);
}

TEST_CASE("catalogues: two rooms translate one text in one way") {
    for (const languages::Catalogue& room : languages::catalogues())
        for (const languages::Entry& entry : room.entries) {
            const std::size_t end = entry.key.find('\4');
            const Text text =
                end == entry.key.npos ? Text(entry.key, "") : Text(entry.key.substr(end + 1), entry.key.substr(0, end));
            INFO(room.room << ": " << text.english << ": give one of them a context, as in mark(\"ready\", \"state\")");
            CHECK(text_of(text, Language::chinese) == entry.chinese);
        }
}

TEST_CASE("a text without a translation is said in English") {
    CHECK(say(Language::chinese, Text("The moon is {0}.", ""), "full") == "The moon is full.");
    CHECK(text_of(mark("ready"), Language::english) == "ready");
    CHECK(text_of(Text(), Language::chinese).empty());
}

TEST_CASE("one English with two meanings has a context") {
    CHECK(text_of(mark("ready", "state"), Language::chinese) == "就绪");
    CHECK(text_of(mark("ready", "set"), Language::chinese) == "就绪队列");
    CHECK(say(Language::english, mark("ready", "set")) == "ready");
}

TEST_CASE("values take their places, one or several has its word") {
    CHECK(say(Language::english, "{0} {0:byte|bytes}", "1") == "1 byte");
    CHECK(say(Language::english, "{0} {0:byte|bytes}", "1,072") == "1,072 bytes");
    CHECK(say(Language::english, "{0} and {1}", 7, "{0}") == "7 and {0}");
    CHECK(say(Language::english, "{0} of {1}", 7) == "7 of ");
}

TEST_CASE("in Chinese a space parts a character from a letter or a digit, and from nothing else") {
    const auto filled_in = [](std::string_view text, const Value& a, const Value& b) {
        return filled(text, Language::chinese, std::array{a, b});
    };
    CHECK(filled_in("{0}恢复{1}", "main", "A") == "main 恢复 A");
    CHECK(filled_in("{0}恢复{1}", "生产者", "消费者") == "生产者恢复消费者");
    CHECK(filled_in("{0}恢复{1}", "worker (2)", "André（x）") == "worker (2) 恢复 André（x）");
    CHECK(filled_in("（{0}）", "READY", "") == "（READY）");
}

TEST_CASE("the language is that of a word") {
    CHECK(language_of("en") == Language::english);
    CHECK(language_of("zh") == Language::chinese);
    CHECK_FALSE(language_of("fr"));
}

TEST_CASE("a message is formatted with its values, of which some are messages") {
    const std::string inner = message("the file was cut short before {0}", mark("the name of a field"));
    const std::string outer = message("{0}: nothing was read: {1}.", "a.json", Value::of(inner));
    CHECK(english_of(outer) == "a.json: nothing was read: the file was cut short before the name of a field.");
    CHECK(formatted(outer, Language::english) == english_of(outer));
    const std::string chinese = formatted(outer, Language::chinese);
    CHECK(chinese.starts_with("a.json："));
    CHECK(chinese.find(text_of("the name of a field", Language::chinese)) != std::string::npos);
    CHECK(formatted(message("{0}", Text("ready", "set")), Language::chinese) == "就绪队列");
    CHECK(english_of(message("{0} {0:byte|bytes} of {1}", 1, Text("ready", "set"))) == "1 byte of ready");
    CHECK(english_of("a program's own {0}") == "a program's own {0}");
    CHECK(formatted("a program's own {0}", Language::chinese) == "a program's own {0}");
    INFO("a message that is cut, and one with values without a place");
    for (std::size_t size = 0; size <= outer.size(); ++size) {
        const std::string part = outer.substr(0, size);
        CHECK(formatted(part, Language::english) == english_of(part));
    }
    CHECK(english_of("{1} of {0}\ta") == " of a");
}

TEST_CASE("what an exception says is its message") {
    CHECK(message_of(SpokenError("{0} needs a value.", "--at")) == message("{0} needs a value.", "--at"));
    CHECK(message_of(std::runtime_error("a program's own")) == "a program's own");
    const std::system_error refused(ENOENT, std::generic_category(), "cannot make a pipe");
    CHECK(english_of(message_of(refused)) == refused.what());
    const SpokenSystemError spoken(ENOENT, message("cannot set {0}", "a flag"));
    CHECK(english_of(spoken.message()) == spoken.what());
}

TEST_CASE("an error is said in each language") {
    const SpokenError error("{0} needs a value.", "--at");
    CHECK(error.what() == std::string("--at needs a value."));
    CHECK(error.in(Language::english) == "--at needs a value.");
    CHECK(error.in(Language::chinese) == "--at 需要一个值。");
}

TEST_CASE("an invalid or truncated catalogue is refused") {
    CHECK_THROWS_AS(languages::entries_of(""), std::runtime_error);
    CHECK_THROWS_AS(languages::entries_of(std::string(64, 'x')), std::runtime_error);
    const std::string_view whole = languages::embedded().front().mo;
    CHECK(languages::entries_of(whole).size() == languages::catalogues().front().entries.size());
    for (std::size_t size = 0; size + 1 < whole.size(); size += 97)
        CHECK_THROWS_AS(languages::entries_of(whole.substr(0, size)), std::runtime_error);
}
