// Malicious files: their texts are drawn but never interpreted; and the time for many things, or for long names, grows
// linearly.
#include <ctime>

#include "testing/catch.h"
#include "traces/read/printable.h"
#include "traces/words/words.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/layout/timeline/lanes.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/locks.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/playhead.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

std::string document_of(const std::string& lines, const std::string& meta = "{}") {
    return "{\"fiberscope\":1,\"meta\":" + meta + ",\"events\":[" + lines + "],\"end\":{}}";
}

/// JSON escapes: terminal escapes, C1 control characters, a bidi override, and a tag.
const std::string kEvil = "\\u001b[2J\\u0007\\u009b31m\\u202e<script>alert(1)</script>&\\\"'%s%n##x";

std::string evil_trace() {
    std::string lines = R"({"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main@"},
{"t":0,"m":0,"ev":"set","set":"ready@","role":"ready","structure":"queue","key":"@"},
{"t":0,"m":0,"ev":"set","set":"tree@","role":"sleep","structure":"rbtree","key":"@"},
{"t":0,"m":0,"ev":"set","set":"heap@","role":"timer","structure":"heap","key":"@"},
{"t":0,"m":0,"ev":"spawn","co":1,"kind":"task","name":"@"},
{"t":1,"m":0,"ev":"insert","set":"heap@","timer":0,"key":"@","at":0},
{"t":1,"m":0,"ev":"link","set":"tree@","node":1,"left":null,"right":null,"parent":null,"color":"black"},
{"t":1,"m":0,"ev":"link","set":"tree@","root":1},
{"t":1,"m":0,"ev":"insert","set":"tree@","co":1,"key":"@"},
{"t":1,"m":0,"ev":"insert","set":"ready@","co":1,"key":"@"},
{"t":1,"m":0,"ev":"lock","co":0,"object":"@","op":"acquire","mode":"mutex"},
{"t":1,"m":0,"ev":"note","co":1,"text":"@"},
{"t":2,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"waiting","reason":"@","saved":{"@":"@"}})";
    for (std::size_t at = 0; (at = lines.find('@', at)) != std::string::npos; at += kEvil.size())
        lines.replace(at, 1, kEvil);
    return document_of(
        lines, "{\"lab\":\"" + kEvil + "\",\"program\":\"" + kEvil + "\",\"names\":{\"" + kEvil + "\":\"waiting\"}}");
}

/// Whether a terminal or an XML parser treats it as plain text.
bool harmless(std::string text) {
    std::erase(text, '\n');
    std::erase(text, '\t');
    return trace::printable(text) == text;
}

template <class F>
double seconds_of(F&& f) {
    const std::clock_t begin = std::clock();  // processor time, since the computer may be busy
    f();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Computes the layouts of a picture and a window.
void lay_out(Document& document) {
    made::put_playhead(document, document.replay().size());
    const trace::Replay& replay = document.replay();
    const Rect area{0, 0, 1600, 900};
    layout_timeline({replay, document.index(), document.selection(), area, {}});
    layout_sets({replay, document.index(), area, {}});
    locks_at(replay, document.index());
    set_rows(replay, 8, 8, Language::english);
    sets_that_fit(replay, {}, 300, 2);
    LaneWishes wishes;
    for (std::uint32_t co = 0; co < replay.coroutines(); co += 2) wishes.folded.push_back(co);
    static_cast<void>(LaneTable(replay, document.index(), wishes, Language::english));
}

/// Checks that four times the input takes about four times as long; quadratic time would be 16 times.
void grows_linearly(std::size_t n, std::string (*lines_of)(std::size_t)) {
    const auto made = [&](std::size_t count) {
        std::string lines = R"({"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"})";
        for (std::size_t i = 1; i <= count; ++i) lines += ",\n" + lines_of(i);
        return document_of(lines);
    };
    const std::string small = made(n), large = made(4 * n);
    const auto seconds = [](const std::string& text) {
        return seconds_of([&] {
            Document document(made::parsed(text));
            for (int i = 0; i < 3; ++i) lay_out(document);
        });
    };
    seconds(small);
    const double least = std::max(seconds(small), 0.03), most = seconds(large);
    INFO(lines_of(1) << ": " << least << " s for " << n << ", " << most << " s for four times as many");
    CHECK(most < 10 * least);
}

std::string number(std::size_t i) { return std::to_string(i); }

}  // namespace

TEST_CASE("drawn and copied texts contain no escape sequences from the file") {
    Document document(made::parsed(evil_trace()));
    document.sync();
    for (std::size_t at = 0; at <= document.replay().size(); ++at) {
        made::put_playhead(document, at);
        const trace::Replay& replay = document.replay();
        const TraceIndex& index = document.index();
        for (const Language language : {Language::english, Language::chinese}) {
            const Sentence words = sentence_at(replay, index, document.selection(), language);
            for (const std::string& text : {words.happened, words.why, words.chosen, title_line(replay.trace()),
                                            sets_in_short(replay, language, 4)})
                CHECK(harmless(text));
            for (const SetRow& row : set_rows(replay, 8, 8, language)) CHECK(harmless(row.name));
            for (const trace::State state : kLegendOrder)
                CHECK(harmless(trace::state_name(replay.trace(), state, language)));
        }
    }
}

TEST_CASE("layout time is not quadratic in the number of sets, locks or coroutines") {
    grows_linearly(2000, [](std::size_t i) {
        return R"({"t":1,"m":0,"ev":"set","set":"queue )" + number(i) + R"(","role":"wait","structure":"queue"})";
    });
    grows_linearly(2000, [](std::size_t i) {
        return R"({"t":1,"m":0,"ev":"set","set":"tree )" + number(i) + R"(","role":"sleep","structure":"rbtree"})";
    });
    grows_linearly(4000, [](std::size_t i) {
        return R"({"t":1,"m":0,"ev":"lock","co":0,"object":"lock )" + number(i) + R"(","op":"acquire","mode":"mutex"})";
    });
    grows_linearly(2000, [](std::size_t i) {
        return R"({"t":1,"m":0,"ev":"spawn","co":)" + number(i) + R"(,"kind":"task","name":"task )" + number(i) + "\"}";
    });
}

TEST_CASE("layout time is not quadratic in the length of a chain of nodes or of names") {
    grows_linearly(1000, [](std::size_t i) {
        const std::string co = number(i), set = i > 1 ? ""
                                                      : R"({"t":1,"m":0,"ev":"set","set":"t","role":"sleep",)"
                                                        R"("structure":"rbtree"},{"t":1,"m":0,"ev":"link",)"
                                                        R"("set":"t","root":1},)";
        return set + R"({"t":1,"m":0,"ev":"spawn","co":)" + co + R"(,"kind":"task","name":"n"},)" +
               R"({"t":1,"m":0,"ev":"link","set":"t","node":)" + co + R"(,"left":null,"right":)" + number(i + 1) +
               R"(,"parent":)" + (i == 1 ? "null" : number(i - 1)) + R"(,"color":"black"},)" +
               R"({"t":1,"m":0,"ev":"insert","set":"t","co":)" + co + R"(,"key":")" + co + " ns\"}";
    });
    const auto named = [](std::size_t size) {
        std::string lines;
        for (std::size_t i = 0; i < 20; ++i)
            lines +=
                (i == 0 ? "" : ",") + (R"({"t":1,"m":0,"ev":"spawn","co":)" + number(i) +
                                       R"(,"kind":"thread","name":")" + std::string(size, 'n') + number(i) + "\"}");
        return document_of(lines);
    };
    Document document(made::parsed(named(900'000)));
    CHECK(document.replay().trace().name(3).size() < 300);
    CHECK(seconds_of([&] { lay_out(document); }) < 5);
}
