// The sentences about recordings in both languages are equal to those in data/golden/. After an intended change run
// this with FIBERSCOPE_UPDATE_GOLDENS=1 and review the difference.
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
#include "traces/words/names.h"
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

TEST_CASE("texts: a reason with placeholders is shown in the reader's language, and a program's own texts stay") {
    const auto said = [](const char* reason, Language language) {
        const Trace trace = read_events({
            R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
            std::string(R"("t":9,"m":0,"ev":"switch","from":0,"to":0,"why":"yield","left":"waiting","reason":)") +
                reason,
        });
        return reason_in_words(trace, trace[1].text, language);
    };
    const char* const lock = R"("the lock '{0}' to read","values":"table")";
    CHECK(said(lock, Language::english) == "the lock 'table' to read");
    CHECK(said(lock, Language::chinese) == "锁“table”（读）");
    CHECK(said("\"a timer\"", Language::chinese) == "一个定时器");
    for (const char* own : {"salt and {0}", "the lock 'x", "fd 7 readable"})
        CHECK(said(("\"" + std::string(own) + "\"").c_str(), Language::chinese) == own);
    INFO("a reader without the translation, and more values than places");
    CHECK(said(R"("{1} of {0}","values":"a\tb\tc")", Language::chinese) == "b of a");
    CHECK(said(R"("salt","values":"\u001b[1m")", Language::chinese) == "salt");
    CHECK(said(R"("salt {0}","values":"\u001b[1m")", Language::english) == "salt \\x1b[1m");
}

TEST_CASE("texts: the notes of the demos are shown in Chinese, and a recording keeps its English") {
    // A ping-pong with messages, and the errors that a reader of a trace reports.
    const std::set<std::string> names{"ping", "pong", "?"};
    std::string untold;
    std::size_t notes = 0;
    for (const auto& file : samples()) {
        const Trace trace = read(file);
        for (std::size_t n = 0; n < trace.size(); ++n) {
            if (trace[n].kind != Kind::note) continue;
            ++notes;
            const Foreign note = trace.text(trace[n].text);
            const std::string english = english_of(note.bytes()), told = note_in(note, Language::chinese);
            CHECK(describe(trace, n, Language::english).ends_with(english));
            if (told == english && !names.contains(english)) untold += file.filename().string() + ": " + english + "\n";
        }
    }
    INFO("type languages/update.sh, and write these into the zh.po of their labs:\n" << untold);
    CHECK(untold.empty());
    CHECK(notes > 100);
}

TEST_CASE("texts: the sets of the samples, and their orders, have Chinese names") {
    std::set<std::string> unnamed;
    for (const auto& file : samples()) {
        const Trace trace = read(file);
        for (std::size_t n = 0; n < trace.size(); ++n) {
            if (trace[n].kind != Kind::set) continue;
            for (const std::string& name : {set_in(trace.set_name(trace[n].set), Language::chinese),
                                            order_in(trace.text(trace[n].other), Language::chinese)})
                if (!name.empty() && !has_chinese(name)) unnamed.insert(name);
        }
    }
    CHECK(unnamed.empty());
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")",
        R"("t":0,"m":0,"ev":"set","set":"runnable of P 1","role":"ready","structure":"queue",)"
        R"("title":"runnable of P {0}","values":"1")",
        R"("t":0,"m":0,"ev":"set","set":"runnable of P 2","role":"ready","structure":"queue")",
    });
    const auto name = [&](std::size_t n, Language language) { return set_in(trace.set_name(trace[n].set), language); };
    CHECK(name(0, Language::chinese) == "就绪队列");
    CHECK(name(0, Language::english) == "ready");
    CHECK(name(1, Language::chinese) == "P 1 的可运行队列");
    CHECK(name(1, Language::english) == "runnable of P 1");
    CHECK(name(2, Language::chinese) == "runnable of P 2");
}

TEST_CASE("texts: the part of a note that comes from a demo is translated") {
    CHECK(note_in(Foreign("puts {0}\t3"), Language::chinese) == "放入 3");
    CHECK(note_in(Foreign("puts 3"), Language::chinese) == "puts 3");
    CHECK(note_in(Foreign("puts {0}\t3"), Language::english) == "puts 3");
}

TEST_CASE("texts: the sentences of recordings, in both languages") {
    for (const auto& [name, file] : std::array<std::pair<std::string, std::filesystem::path>, 4>{
             std::pair{"all_kinds", data("good/all_kinds.json")}, std::pair{"01_nested", sample("01_nested")},
             std::pair{"03_owners_2", sample("03_owners_2")}, std::pair{"04_gs", sample("04_gs")}}) {
        compare_with_golden_text(name + ".en.txt", sentences_of(file, Language::english));
        compare_with_golden_text(name + ".zh.txt", sentences_of(file, Language::chinese));
    }
}
