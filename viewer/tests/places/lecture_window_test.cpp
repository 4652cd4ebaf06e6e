// A lecture that is recorded, edited and told in the real window.
#include "viewer/tests/stage/hands.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;
namespace fs = std::filesystem;

namespace {

/// A folder with recordings, removed at the end.
class Hall {
  public:
    explicit Hall(std::initializer_list<const char*> samples)
        : path_(fs::temp_directory_path() / "fiberscope-viewer-hall") {
        fs::remove_all(path_);
        fs::create_directories(path_);
        const fs::path from = fs::path(FIBERSCOPE_ROOT) / "traces" / "samples";
        for (const char* sample : samples) fs::copy_file(from / sample, path_ / sample);
    }
    ~Hall() { fs::remove_all(path_); }
    Hall(const Hall&) = delete;
    Hall& operator=(const Hall&) = delete;
    fs::path operator/(const std::string& name) const { return path_ / name; }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

  private:
    fs::path path_;
};

std::string text_of(Hands& hands, std::size_t note) {
    return std::string(hands.workspace().document().lecture()[note].text.bytes());
}

std::size_t notes(Hands& hands) { return hands.workspace().document().lecture().size(); }

}  // namespace

TEST_CASE("one key notes a place, what is typed is its text and no key, and it is saved and told", "[window]") {
    const Hall hall{"01_nested.json"};
    {
        Hands hands(hall / "01_nested.json", "no/such/file.json");
        hands.act("key Home Right Right w w N");
        CHECK(hands.until([&] { return notes(hands) == 1 && hands.workspace().writes(); }));
        const Theme theme = hands.workspace().theme();
        const double view = hands.selection().visible.from;
        hands.act("type --delay 20 'two tasks, Nothing else ][?'");
        CHECK(hands.until([&] { return text_of(hands, 0) == "two tasks, Nothing else ][?"; }));
        CHECK(hands.selection().playhead == 2);
        CHECK(hands.selection().visible.from == view);
        CHECK(hands.workspace().theme() == theme);
        CHECK(notes(hands) == 1);
        hands.act("key Escape");
        CHECK(hands.until([&] { return !hands.workspace().writes(); }));
        CHECK(text_of(hands, 0) == "two tasks, Nothing else ][?");
        hands.act("key 0 End N");
        CHECK(hands.until([&] { return notes(hands) == 2 && hands.workspace().writes(); }));
        hands.act("type --delay 20 'the end'");
        CHECK(hands.until([&] { return text_of(hands, 1) == "the end"; }));
        INFO("a window with edits is closed at the second attempt");
        CHECK(hands.close());
        CHECK(hands.workspace().said().find("not saved") != std::string::npos);
        hands.act("key ctrl+Return");
        CHECK(hands.until([&] { return fs::exists(hall / "01_nested.notes.json"); }));
        CHECK(hands.workspace().unsaved().empty());
        CHECK_FALSE(hands.close());
    }
    fs::copy_file(fs::path(FIBERSCOPE_ROOT) / "traces" / "samples" / "01_nested.json", hall / "01_nested.json");
    Hands hands(hall / "01_nested.json", "no/such/file.json");
    const double whole = hands.selection().visible.span();
    hands.act("key P");
    CHECK(hands.until([&] { return hands.selection().playhead == 2 && hands.selection().visible.span() < whole; }));
    CHECK(hands.workspace().told().find("two tasks") == std::string::npos);
    hands.act("key bracketright");
    CHECK(hands.until([&] { return hands.workspace().told().find("two tasks") != std::string::npos; }));
    hands.act("key bracketright");
    CHECK(hands.until([&] { return hands.selection().playhead == 40 && hands.selection().visible.span() > 30'000; }));
}

TEST_CASE("a question is answered by a click before its text is shown, and a pair comes and goes", "[window]") {
    const Hall hall{"01_nested.json", "01_ping_pong.json"};
    hall.write("01_nested.notes.json", R"({"title": "T", "notes": [
        {"event": 10, "question": "who?", "answer": "coroutine", "text": "because"},
        {"event": 12, "place": "with=01_ping_pong&lock=number", "text": "pair"},
        {"event": 14, "text": "alone"}, {"event": 15, "place": "with=none", "text": "missing"}]})");
    Hands hands(hall / "01_nested.json", "no/such/file.json");
    Workspace& workspace = hands.workspace();
    hands.act("key F5 bracketright");  // so there is room for the lanes
    CHECK(hands.until([&] { return workspace.predict().asks() && workspace.told() == "T, 1 of 4:  who?"; }));
    hands.act("key Right Right");
    CHECK(hands.selection().playhead == 10);
    const auto& lanes = hands.timeline().lanes;
    const auto lane = std::find_if(lanes.begin(), lanes.end(), [](const Lane& l) { return l.name == "B"; });
    REQUIRE(lane != lanes.end());
    hands.move(lane->rect.x0 + 30, lane->rect.middle_y());
    hands.act("click 1");
    CHECK(hands.until([&] { return workspace.told() == "T, 1 of 4:  who?  because"; }));
    CHECK(hands.selection().playhead == 11);
    CHECK(workspace.predict().right() == 1);
    hands.act("key bracketright");
    CHECK(hands.until([&] { return workspace.side_by_side() && workspace.size() == 3; }));
    CHECK(workspace.lock() == Lock::number);
    CHECK(workspace.document(2).selection().playhead == 12);
    CHECK(hands.until([&] { return workspace.told() == "T, 2 of 4:  pair"; }));
    hands.act("key bracketright");
    CHECK(hands.until([&] { return !workspace.side_by_side() && workspace.size() == 2; }));
    CHECK(hands.until([&] { return workspace.told() == "T, 3 of 4:  alone"; }));
    hands.act("key bracketright");
    CHECK(hands.until([&] { return workspace.said().find("none.json is not beside 01_nested") == 0; }));
    CHECK(hands.selection().playhead == 15);
}
