// Search, prediction, and files that change.
#include <filesystem>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/tests/made/files.h"
#include "traces/words/words.h"
#include "viewer/model/document.h"
#include "viewer/model/find/search.h"
#include "viewer/model/predict.h"
#include "viewer/panels/over/text_box.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/playhead.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;
namespace fs = std::filesystem;

namespace {

const fs::path kSamples = fs::path(FIBERSCOPE_ROOT) / "traces" / "samples";

}  // namespace

TEST_CASE("coroutines are found by substrings of their names, ignoring case") {
    const Document document(made::parsed(made::round_robin(20, 4)));
    const trace::Trace& trace = document.replay().trace();
    CHECK(find_coroutines(trace, "WORKER 1", 100).size() == 10);
    CHECK(find_coroutines(trace, "main", 100) == std::vector<std::uint32_t>{0});
    CHECK(find_coroutines(trace, "worker", 6).size() == 6);
    CHECK(find_coroutines(trace, "nobody", 6).empty());
}

TEST_CASE("the event search counts hits, goes in both directions, and wraps around") {
    const Document document(made::parsed(made::round_robin(3, 4)));
    const trace::Trace& trace = document.replay().trace();
    EventHits hits;
    hits.look_for(trace, "Resumes worker 02");
    for (std::size_t slices = 1; hits.step(7); ++slices) CHECK(slices < trace.size());
    std::vector<std::size_t> wanted;
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace::describe(trace, n).find("resumes worker 02") != std::string::npos) wanted.push_back(n);
    REQUIRE(wanted.size() > 2);
    CHECK(hits.all() == wanted);
    CHECK(hits.beside(wanted[0], true) == 1);
    CHECK(hits.beside(wanted[1], false) == 0);
    CHECK(hits.beside(wanted[0] - 1, true) == 0);
    CHECK(hits.beside(wanted.back(), true) == 0);
    CHECK(hits.beside(wanted[0], false) == wanted.size() - 1);
    CHECK(hits.rank(wanted[2]) == 2);
    CHECK_FALSE(hits.rank(wanted[2] + 1));
    for (const char* none : {"steals", ""}) {
        hits.look_for(trace, none);
        while (hits.step(1000)) {
        }
        CHECK(hits.all().empty());
        CHECK_FALSE(hits.beside(0, true));
    }
}

TEST_CASE("prediction stops while the next coroutine is still in its queue, and keeps the score") {
    Document document(kSamples / "04_mixed.json");
    REQUIRE(document.readable());
    const trace::Replay& replay = document.replay();
    const TraceIndex& index = document.index();
    Predict predict;
    CHECK(predict.stop(replay, index, 0, replay.size()) == replay.size());
    predict.toggle();
    std::size_t at = 0, asked = 0;
    while (asked < 40) {
        at = predict.stop(replay, index, at, replay.size());
        if (!predict.asks()) break;
        ++asked;
        made::put_playhead(document, at);
        const auto next = std::lower_bound(index.decisions().begin(), index.decisions().end(), at);
        REQUIRE(next != index.decisions().end());
        const std::uint32_t right = replay.trace()[*next].other;
        CHECK(replay.coroutine(right).state != trace::State::running);
        if (at < *next) CHECK(replay.trace()[at].kind == trace::Kind::remove);
        CHECK(predict.words(replay).starts_with("Which runs next?"));
        at = predict.answer(replay, asked % 4 == 0 ? 0 : right);
        CHECK(at == *next + 1);
        made::put_playhead(document, at);
        CHECK(predict.words(replay).starts_with(asked % 4 == 0 ? "No, " : "Right. "));
    }
    CHECK(asked == 40);
    CHECK(predict.right() == 30);
    CHECK(predict.answers() == 40);
    made::put_playhead(document, replay.size());
    CHECK(predict.words(replay).starts_with("The end: 30 of 40 right. Missed: event "));
    predict.toggle();
    predict.toggle();
    CHECK(predict.words(replay).empty());
}

TEST_CASE("N and B move between decisions") {
    Document document(kSamples / "04_mixed.json");
    made::put_playhead(document, 0);
    document.apply(Action::next_decision);
    const std::size_t first = document.selection().playhead;
    CHECK(document.replay().trace()[first - 1].kind == trace::Kind::switch_);
    document.apply(Action::next_decision);
    CHECK(document.selection().playhead > first);
    document.apply(Action::previous_decision);
    CHECK(document.selection().playhead == first);
    document.apply(Action::previous_decision);
    CHECK(document.selection().playhead == 0);
}

TEST_CASE("U plays until the chosen coroutine is entered or left") {
    Document document(kSamples / "04_mixed.json");
    made::put_playhead(document, 0);
    document.apply(Action::until);
    CHECK_FALSE(document.playback().playing);  // no coroutine is selected
    const trace::Trace& trace = document.replay().trace();
    document.selection().chosen = 5;
    for (int i = 0; i < 3; ++i) {
        const std::size_t from = document.selection().playhead;
        document.apply(Action::until);
        REQUIRE(document.playback().playing);
        for (int turn = 0; turn < 1000 && document.playback().playing; ++turn) document.advance(10);
        const std::size_t at = document.selection().playhead;
        REQUIRE(at > from);
        const trace::Event& e = trace[at - 1];
        CHECK(e.kind == trace::Kind::switch_);
        CHECK((e.co == 5 || e.other == 5));
        for (std::size_t n = from; n + 1 < at; ++n)
            CHECK_FALSE((trace[n].kind == trace::Kind::switch_ && (trace[n].co == 5 || trace[n].other == 5)));
    }
    document.apply(Action::play_pause);
    document.advance(1e6);
    CHECK(document.selection().playhead == document.replay().size());
}

TEST_CASE("consecutive link writes are one row of the event list") {
    const Document document(kSamples / "04_mixed.json");
    const auto rows = document.index().rows();
    const trace::Trace& trace = document.replay().trace();
    CHECK(rows.size() < trace.size());
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        if (rows[i + 1] == rows[i] + 1) continue;
        for (std::size_t n = rows[i]; n < rows[i + 1]; ++n) CHECK(trace[n].kind == trace::Kind::link);
    }
}

TEST_CASE("a question about a set offers all sets of the trace, also those that are declared later") {
    constexpr const char* kFiles[] = {"04_mixed"};
    made::Drawn drawn(kFiles, {1280, 720, 15});
    for (int i = 0; i < 2; ++i) drawn.workspace->apply(Action::predict);
    drawn.look();
    drawn.look();
    const auto& panels = drawn.workspace->panels();
    const auto lanes = std::find_if(panels.begin(), panels.end(), [](const auto& p) { return p.name == "lanes"; });
    REQUIRE(lanes != panels.end());
    for (const char* name : {"sleeping", "waiting"}) {
        INFO(name);
        CHECK(std::any_of(drawn.reader.written().begin(), drawn.reader.written().end(), [&](const Written& text) {
            return text.text == name && lanes->rect.contains({text.rect.middle_x(), text.rect.middle_y()});
        }));
    }
}

TEST_CASE("prediction asks into which set a coroutine goes, and keeps the score") {
    Document document(kSamples / "04_mixed.json");
    const trace::Replay& replay = document.replay();
    Predict predict;
    predict.toggle();
    predict.toggle();
    CHECK(predict.on());
    std::size_t at = 0;
    for (int asked = 0; asked < 20; ++asked) {
        at = predict.stop(replay, document.index(), at, replay.size());
        REQUIRE(predict.asks_set());
        CHECK(replay.trace()[at].kind == trace::Kind::insert);
        made::put_playhead(document, at);
        CHECK(predict.words(replay).starts_with("Into which set does "));
        const std::uint32_t right = replay.trace()[at].set;
        at = predict.answer(replay, asked == 3 ? right + 1 : right);
        made::put_playhead(document, at);
        CHECK(predict.words(replay).starts_with(asked == 3 ? "No: " : "Right: "));
    }
    CHECK(predict.right() == 19);
    predict.toggle();
    CHECK_FALSE(predict.on());
}

TEST_CASE("a single question, about the next switch or insert, blocks the playhead until it is answered") {
    Document document(kSamples / "01_nested.json");
    const trace::Replay& replay = document.replay();
    Predict predict;
    REQUIRE(predict.ask_once(replay, document.index(), 10, false));
    CHECK(predict.asks());
    CHECK(predict.stop(replay, document.index(), 10, 20) == 10);
    const std::uint32_t right = replay.trace()[10].other;
    CHECK(replay.trace().name(right) == "B");  // C yields to B, which is not a decision
    const std::size_t after = predict.answer(replay, right);
    CHECK(after == 11);
    made::put_playhead(document, after);
    CHECK(predict.words(replay).starts_with("Right. "));
    CHECK(predict.stop(replay, document.index(), 11, 40) == 40);
    INFO("it is asked once, until it is forgotten");
    CHECK_FALSE(predict.ask_once(replay, document.index(), 10, false));
    predict.forget();
    INFO("going back cancels it");
    REQUIRE(predict.ask_once(replay, document.index(), 10, false));
    CHECK(predict.stop(replay, document.index(), 10, 9) == 9);
    CHECK_FALSE(predict.asks());
    CHECK(predict.answers() == 1);
    CHECK_FALSE(predict.ask_once(replay, document.index(), replay.size(), false));
    predict.toggle();
    CHECK_FALSE(predict.ask_once(replay, document.index(), 10, false));
}

TEST_CASE("a long text is wrapped in its field, and unchanged without the soft breaks") {
    const Metrics metrics;  // 9 pixels per byte
    for (const char* text : {"", "one", "one two three four five six", "wordsthatarelongerthanalineofthefield",
                             "a  b   c    d     e      f", "协程是一个有自己的栈的函数。这里创建了三个。",
                             "A 接着恢复 B。A 现在是 normal：它没有挂起"}) {
        INFO(text);
        const std::string broken = broken_softly(metrics, 100, text);
        CHECK(joined(broken) == text);
        CHECK((broken.find('\n') != std::string::npos) ==
              (std::string_view(text).size() > 11 && std::string_view(text).find("wordsthat") != 0));
    }
    CHECK(joined("one\ntwo") == "one two");
}
