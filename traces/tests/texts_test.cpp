// What recordings say, in both languages: the sentences of whole ones are as data/golden/ has them.
// After a wanted change of the words run this with FIBERSCOPE_UPDATE_GOLDENS=1 and read the difference.
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "languages/say.h"
#include "testing/catch.h"
#include "traces/read/printable.h"
#include "traces/tests/support.h"
#include "traces/words/chosen.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"

using namespace fiberscope;
using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

bool has_chinese(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0xE3) return true;
    return false;
}

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
            text += "      " + why_in_short(replay, Places(replay, co), co, language) + "\n";
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

TEST_CASE("texts: what the kit says of waiting is translated, what a program says is not") {
    struct Row {
        const char *reason, *chinese;
    };
    for (const auto& [reason, chinese] :
         std::array{Row{"fd 7 readable", "fd 7 可读"}, Row{"fd 7 writable and 2 more", "fd 7 可写等（另有 2 个）"},
                    Row{"A to end", "A 结束"}, Row{"the lock 'table' to read", "锁“table”（读）"},
                    Row{"the lock 'table' to write", "锁“table”（写）"}, Row{"a timer", "一个定时器"},
                    Row{"salt and pepper", "salt and pepper"}, Row{"the lock 'x", "the lock 'x"},
                    Row{"one of: a value from the channel 'a', room in the channel 'b', a receiver at the channel 'c'",
                        "其中之一：通道“a”的一个值，通道“b”里的空位，通道“c”的接收方"}}) {
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
    for (const auto& file : samples()) {
        const Trace trace = read(file);
        for (std::size_t n = 0; n < trace.size(); ++n) {
            if (trace[n].kind != Kind::note) continue;
            ++notes;
            const std::string english(trace.text(trace[n].text).bytes()),
                told = translated_note(english, Language::chinese);
            CHECK(describe(trace, n, Language::english).ends_with(english));
            if (told == english && !names.contains(english)) untold += file.filename().string() + ": " + english + "\n";
        }
    }
    INFO("type languages/update.sh, and write these into the zh.po of their labs:\n" << untold);
    CHECK(untold.empty());
    CHECK(notes > 100);
}

TEST_CASE("texts: the sets of the samples, and what they are ordered by, have Chinese names") {
    std::set<std::string> unnamed;
    for (const auto& file : samples()) {
        const Trace trace = read(file);
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
    CHECK(set_in("runnable of P 0", Language::chinese) == "P 0 的可运行队列");
    CHECK(set_in("waiting for the lock 'table'", Language::chinese) == "锁“table”的等待队列");
    CHECK(set_in("senders of 'jobs'", Language::chinese) == "通道“jobs”的发送队列");
    CHECK(set_in("my own", Language::chinese) == "my own");
    CHECK(set_in("ready", Language::english) == "ready");
}

TEST_CASE("texts: of a note what a demo says is translated") {
    CHECK(translated_note("puts 3", Language::chinese) == "放入 3");
    CHECK(translated_note("puts it on the table", Language::chinese) == "puts it on the table");
    CHECK(translated_note("puts 3", Language::english) == "puts 3");
}

TEST_CASE("texts: the sentences of recordings, in both languages") {
    for (const auto& [name, file] : std::array<std::pair<std::string, std::filesystem::path>, 4>{
             std::pair{"all_kinds", data("good/all_kinds.json")}, std::pair{"01_nested", sample("01_nested")},
             std::pair{"03_owners_2", sample("03_owners_2")}, std::pair{"04_gs", sample("04_gs")}}) {
        compare_with_golden_text(name + ".en.txt", sentences_of(file, Language::english));
        compare_with_golden_text(name + ".zh.txt", sentences_of(file, Language::chinese));
    }
}
