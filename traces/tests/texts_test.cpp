// The texts in their languages: none is missing, and the sentences of whole recordings are as data/golden/ has them.
// After a wanted change of the words run this with FIBERSCOPE_UPDATE_GOLDENS=1 and read the difference.
#include "traces/words/texts/say.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "testing/catch.h"
#include "traces/tests/support.h"
#include "traces/words/chosen.h"
#include "traces/words/texts/noted.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"

using namespace fiberscope;
using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// The numbers of the values that the text shows. Where one only chooses between two words it need not be shown.
std::set<char> values_shown(std::string_view text) {
    std::set<char> shown;
    for (std::size_t at = 0; (at = text.find('{', at)) != text.npos; ++at)
        if (text[at + 2] == '}') shown.insert(text[at + 1]);
    return shown;
}

bool braces_are_whole(std::string_view text) {
    for (std::size_t at = 0; (at = text.find_first_of("{}", at)) != text.npos; ++at) {
        const auto close = text.find('}', at);
        if (text[at] != '{' || close == text.npos || text[at + 1] < '0' || text[at + 1] > '9') return false;
        const std::string_view place = text.substr(at + 2, close - at - 2);
        if (!place.empty() && (place.front() != ':' || place.find('|') == place.npos)) return false;
        at = close;
    }
    return true;
}

bool has_chinese(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0xE3) return true;
    return false;
}

/// What has no Chinese: signs, and words that the handouts leave in English too.
template <TextKey Key>
const std::set<Key> kStay;
template <>
const std::set<ToldText> kStay<ToldText>{ToldText::state_normal, ToldText::fd_n, ToldText::lab_n,
                                         ToldText::subject_says, ToldText::waits_for_what};
template <>
const std::set<DrawnText> kStay<DrawnText>{DrawnText::t_normal, DrawnText::f_poller, DrawnText::f_p50,
                                           DrawnText::f_p99,    DrawnText::percent,  DrawnText::of_bytes};
template <>
const std::set<TypedText> kStay<TypedText>{};

std::string sentences_of(const std::filesystem::path& file, Language language) {
    const Trace trace = read(file);
    Replay replay(trace);
    std::string text;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        replay.forward();
        text += std::to_string(n + 1) + " " + describe(trace, n, language) + "\n";
        if (trace[n].kind != Kind::switch_) continue;
        text += "    " + why_chosen(replay, n, language) + "\n";
        for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
            text += "    " + trace.name(co) + ": " + why_not_running(replay, co, language) + "\n";
            text += "      " + why_in_short(replay, co, language) + "\n";
        }
    }
    return text;
}

void compare_with_golden_text(const std::string& name, const std::string& text) {
    const std::filesystem::path file = data("golden/" + name);
    if (std::getenv("FIBERSCOPE_UPDATE_GOLDENS") != nullptr) std::ofstream(file) << text;
    INFO(file.string());
    CHECK(text == file_text(file));
}

}  // namespace

TEMPLATE_TEST_CASE("texts: each stands in both languages, with the same values", "", ToldText, DrawnText, OfferedText,
                   FoundText, TypedText, RefusedText) {
    for (std::size_t i = 0; i < kTexts<TestType>; ++i) {
        const auto key = static_cast<TestType>(i);
        const std::string english(text_of(key, Language::english)), chinese(text_of(key, Language::chinese));
        INFO(english << " / " << chinese);
        CHECK_FALSE(has_chinese(english));
        CHECK((has_chinese(chinese) || kStay<TestType>.contains(key) ||
               english.find_first_of("abcdefghijklmnopqrstuvwxyz") == english.npos));
        CHECK(braces_are_whole(english));
        CHECK(braces_are_whole(chinese));
        CHECK(values_shown(english) == values_shown(chinese));
    }
}

TEST_CASE("texts: what the reader, the checker and the explorer say in English is found again in Chinese") {
    for (std::size_t i = 0; i < kTexts<FoundText>; ++i) {
        if (static_cast<FoundText>(i) == FoundText::b_in_set) continue;  // "in queue 0" is said of a set only
        const std::string english = say(Language::english, static_cast<FoundText>(i), "7", "8", "9", "10");
        INFO(english);
        CHECK((has_chinese(translated(english, Language::chinese)) ||
               has_chinese(translated_step(english, Language::chinese))));
    }
    for (std::size_t i = 0; i < kTexts<RefusedText>; ++i) {
        const std::string english = say(Language::english, static_cast<RefusedText>(i), "7", "8", "9", "10");
        INFO(english);
        CHECK(has_chinese(translated_call(english, Language::chinese)));
    }
}

TEST_CASE("texts: values take their places, one or several has its word") {
    CHECK(say(Language::english, ToldText::bytes_n, "1") == "1 byte");
    CHECK(say(Language::english, ToldText::bytes_n, "1,072") == "1,072 bytes");
    CHECK(say(Language::english, ToldText::leaves_poller_with, "{1}", 1) == "{1} leaves the poller with 1 event");
    CHECK(say(Language::chinese, ToldText::leaves_poller_with, "机器 0", 2) == "机器 0 离开 poller，带回 2 个事件");
}

TEST_CASE("texts: in Chinese a space parts a character from a letter or a digit, and from nothing else") {
    CHECK(say(Language::chinese, ToldText::resumes, "main", "A", "") == "main 恢复 A");
    CHECK(say(Language::chinese, ToldText::resumes, "生产者", "消费者", "") == "生产者恢复消费者");
    CHECK(say(Language::chinese, ToldText::resumes, "worker (2)", "André", "（x）") == "worker (2) 恢复 André（x）");
    CHECK(say(Language::chinese, ToldText::brackets, "READY") == "（READY）");
}

TEST_CASE("texts: the language is that of a word, or of the environment") {
    CHECK(language_of("en") == Language::english);
    CHECK(language_of("zh") == Language::chinese);
    CHECK_FALSE(language_of("fr"));
}

TEST_CASE("texts: what the kit says of waiting is translated, what a program says is not") {
    struct Row {
        const char *reason, *chinese;
    };
    for (const auto& [reason, chinese] :
         std::array{Row{"fd 7 readable", "fd 7 可读"}, Row{"fd 7 writable and 2 more", "fd 7 可写等（另有 2 个）"},
                    Row{"A to end", "A 结束"}, Row{"the lock 'table' to read", "锁“table”（读）"},
                    Row{"the lock 'table' to write", "锁“table”（写）"}, Row{"a timer", "一个定时器"},
                    Row{"salt and pepper", "salt and pepper"}, Row{"the lock 'x", "the lock 'x"}}) {
        CHECK(reason_in_words(reason, Language::chinese) == chinese);
        CHECK(awaited(reason, Language::chinese) == chinese);
        CHECK(reason_in_words(reason, Language::english) == reason);
    }
}

TEST_CASE("texts: what the demos note is shown in Chinese, and a recording keeps its English") {
    // Words that a ping-pong of words says, and what a reader of a trace sees of a mistake.
    const std::set<std::string> names{"ping", "pong", "?"};
    std::string untold;
    std::size_t notes = 0;
    for (const auto& sample : std::filesystem::directory_iterator(FIBERSCOPE_SAMPLES)) {
        if (sample.path().extension() != ".json") continue;
        const Trace trace = read(sample.path());
        for (std::size_t n = 0; n < trace.size(); ++n) {
            if (trace[n].kind != Kind::note) continue;
            ++notes;
            const std::string english(trace.text(trace[n].text).bytes()),
                told = translated_note(english, Language::chinese);
            CHECK(describe(trace, n, Language::english).ends_with(english));
            if (told == english && !names.contains(english))
                untold += sample.path().filename().string() + ": " + english + "\n";
        }
    }
    INFO("write these into traces/words/texts/noted.cpp:\n" << untold);
    CHECK(untold.empty());
    CHECK(notes > 100);
}

TEST_CASE("texts: the sets of the samples, and what they are ordered by, have Chinese names") {
    std::set<std::string> unnamed;
    for (const auto& sample : std::filesystem::directory_iterator(FIBERSCOPE_SAMPLES)) {
        if (sample.path().extension() != ".json") continue;
        const Trace trace = read(sample.path());
        for (std::size_t n = 0; n < trace.size(); ++n) {
            if (trace[n].kind != Kind::set) continue;
            const std::string name = printable(trace.set_name(trace[n].set));
            if (!has_chinese(set_in(name, Language::chinese))) unnamed.insert(name);
            if (trace[n].other == kNone) continue;
            const std::string key = printable(trace.text(trace[n].other));
            if (!has_chinese(order_in(key, Language::chinese))) unnamed.insert(key);
        }
    }
    CHECK(unnamed.empty());
    CHECK(set_in("ready", Language::chinese) == "就绪队列");
    CHECK(set_in("runnable of machine 1", Language::chinese) == "机器 1 的可运行队列");
    CHECK(set_in("waiting for the lock 'table'", Language::chinese) == "锁“table”的等待队列");
    CHECK(set_in("my own", Language::chinese) == "my own");
    CHECK(set_in("ready", Language::english) == "ready");
}

TEST_CASE("texts: of a note only what a demo says is translated, and each text can be reached") {
    const auto told = [](std::string_view english) { return translated_note(english, Language::chinese); };
    CHECK(told("puts 3") == "放入 3");
    CHECK(told("puts it on the table") == "puts it on the table");
    CHECK(translated_note("puts 3", Language::english) == "puts 3");
    for (const Noted& one : noted()) {
        std::string english(one.english);
        for (std::size_t at; (at = english.find('{')) != english.npos;) english.replace(at, 3, "7");
        INFO(english);
        CHECK(values_shown(one.english) == values_shown(one.chinese));
        CHECK(told(english) == filled(one.chinese, Language::chinese, {"7", "7", "7", "7"}));
    }
}

TEST_CASE("texts: the sentences of recordings, in both languages") {
    const std::filesystem::path samples = FIBERSCOPE_SAMPLES;
    for (const auto& [name, file] : std::array<std::pair<std::string, std::filesystem::path>, 4>{
             std::pair{"all_kinds", data("good/all_kinds.json")}, std::pair{"01_nested", samples / "01_nested.json"},
             std::pair{"03_owners_2", samples / "03_owners_2.json"}, std::pair{"04_gs", samples / "04_gs.json"}}) {
        compare_with_golden_text(name + ".en.txt", sentences_of(file, Language::english));
        compare_with_golden_text(name + ".zh.txt", sentences_of(file, Language::chinese));
    }
}
