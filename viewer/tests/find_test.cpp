// Search, prediction, and files that change.
#include <filesystem>
#include <fstream>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/words/words.h"
#include "viewer/layout/page/frame.h"
#include "viewer/model/document.h"
#include "viewer/model/find/search.h"
#include "viewer/model/predict.h"
#include "viewer/panels/over/text_box.h"
#include "viewer/tests/made/made_traces.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;
namespace fs = std::filesystem;

namespace {

const fs::path kSamples = fs::path(FIBERSCOPE_ROOT) / "traces" / "samples";

/// A temporary directory for one test.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / "fiberscope-viewer-find") {
        fs::remove_all(path_);
        fs::create_directories(path_ / "traces");
        fs::create_directories(path_ / "notes");
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return path_ / name;
    }

  private:
    fs::path path_;
};

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
        document.selection().playhead = at;
        document.sync();
        const auto next = std::lower_bound(index.decisions().begin(), index.decisions().end(), at);
        REQUIRE(next != index.decisions().end());
        const std::uint32_t right = replay.trace()[*next].other;
        CHECK(replay.coroutine(right).state != trace::State::running);
        if (at < *next) CHECK(replay.trace()[at].kind == trace::Kind::remove);
        CHECK(predict.words(replay).starts_with("Which runs next?"));
        at = predict.answer(replay, asked % 4 == 0 ? 0 : right);
        CHECK(at == *next + 1);
        document.selection().playhead = at;
        document.sync();
        CHECK(predict.words(replay).starts_with(asked % 4 == 0 ? "No, " : "Right. "));
    }
    CHECK(asked == 40);
    CHECK(predict.right() == 30);
    CHECK(predict.answers() == 40);
    document.selection().playhead = replay.size();
    document.sync();
    CHECK(predict.words(replay).starts_with("The end: 30 of 40 right. Missed: event "));
    predict.toggle();
    predict.toggle();
    CHECK(predict.words(replay).empty());
}

TEST_CASE("N and B move between decisions") {
    Document document(kSamples / "04_mixed.json");
    document.selection().playhead = 0;
    document.sync();
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
    document.selection().playhead = 0;
    document.sync();
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

TEST_CASE("a growing file is reread, and the position is kept") {
    const Folder folder;
    const std::string text = made::round_robin(3, 12);
    const fs::path file = folder.write("traces/live.json", text.substr(0, text.size() / 2));
    Document document(file);
    REQUIRE(document.readable());
    CHECK_FALSE(document.changed());
    const std::size_t size = document.replay().size();
    document.selection().playhead = 5;
    document.selection().chosen = 2;
    folder.write("traces/live.json", text);
    REQUIRE(document.changed());
    document.reload();
    CHECK(document.replay().size() > size);
    CHECK(document.selection().playhead == 5);
    CHECK(document.selection().chosen == 2);
    CHECK_FALSE(document.changed());
    INFO("at the end it is followed");
    document.apply(Action::end);
    folder.write("traces/live.json", made::round_robin(3, 20));
    document.reload();
    CHECK(document.selection().playhead == document.replay().size());
    INFO("a temporarily broken file recovers");
    folder.write("traces/live.json", "{");
    document.reload();
    CHECK_FALSE(document.readable());
    folder.write("traces/live.json", text);
    document.reload();
    CHECK(document.readable());
}

TEST_CASE("a file that is not regular is rejected at once") {
    CHECK(Document(fs::path("/dev/zero")).error().find("not a regular file") != std::string::npos);
    CHECK(Document(fs::temp_directory_path()).error().find("is a directory") != std::string::npos);
}

TEST_CASE("a presentation uses the window for the lanes") {
    Wishes wishes;
    wishes.timeline = 300;
    wishes.legend = 30;
    wishes.states = 400;
    wishes.present = true;
    for (const auto& [width, height] : {std::pair{900.0F, 600.0F}, {1920.0F, 1080.0F}, {3840.0F, 2160.0F}})
        for (const float sets : {0.0F, 400.0F}) {
            wishes.sets = sets;
            const Frame frame = layout_frame({0, 0, width, height}, 0.03F * height, wishes);
            CHECK(frame.states.empty());
            CHECK(frame.legend.empty());
            CHECK(frame.playback.empty());
            CHECK(frame.timeline.width() > 0.95F * width);
            CHECK(frame.timeline.y0 >= frame.sentence.y1);
            CHECK(frame.timeline.y1 <= height);
            if (!frame.sets.empty()) CHECK(frame.sets.y0 >= frame.timeline.y1);
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
        document.selection().playhead = at;
        document.sync();
        CHECK(predict.words(replay).starts_with("Into which set does "));
        const std::uint32_t right = replay.trace()[at].set;
        at = predict.answer(replay, asked == 3 ? right + 1 : right);
        document.selection().playhead = at;
        document.sync();
        CHECK(predict.words(replay).starts_with(asked == 3 ? "No: " : "Right: "));
    }
    CHECK(predict.right() == 19);
    predict.toggle();
    CHECK_FALSE(predict.on());
}

TEST_CASE("U also stops at a fault") {
    Document faulty(made::parsed(made::all_states()));
    faulty.apply(Action::home);
    const trace::Trace& trace = faulty.replay().trace();
    const std::size_t at = stop_before(trace, trace::kNone - 1, 0, trace.size());
    CHECK(trace.kind(at - 1) == trace::Kind::fault);
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
    document.selection().playhead = after;
    document.sync();
    CHECK(predict.words(replay).starts_with("Right. "));
    CHECK(predict.stop(replay, document.index(), 11, 40) == 40);
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
