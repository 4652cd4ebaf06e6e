// The real window, operated like a user: xdotool presses keys and moves the mouse under Xvfb.
#include <cstdlib>
#include <tuple>

#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/hands.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using fiberscope::viewer::tests::Hands;
namespace made = fiberscope::viewer::tests;

TEST_CASE("keys move the playhead, choose, and open the help", "[window]") {
    Hands hands;
    const std::size_t start = hands.selection().playhead;
    hands.act("key Right Right Right");
    CHECK(hands.until([&] { return hands.selection().playhead == start + 3; }));
    hands.act("key Left");
    CHECK(hands.until([&] { return hands.selection().playhead == start + 2; }));
    hands.act("key Home");
    CHECK(hands.until([&] { return hands.selection().playhead == 0; }));
    hands.act("key Down Down Down");
    CHECK(hands.until([&] { return hands.selection().chosen == 2; }));
    hands.act("key period");
    CHECK(hands.until([&] { return hands.selection().playhead == hands.workspace().document().index().spawn(2) + 1; }));
    hands.act("key End");
    CHECK(hands.until([&] { return hands.selection().playhead == hands.workspace().document().replay().size(); }));
    hands.act("key question");
    CHECK(hands.until([&] { return hands.workspace().overlays().help; }));
    hands.act("key Escape");
    CHECK(hands.until([&] { return !hands.workspace().overlays().help; }));
    CHECK(hands.selection().chosen == 2);
    hands.act("key t");
    CHECK(hands.until([&] { return hands.workspace().theme() == Theme::light; }));
    hands.act("key Next");
    CHECK(hands.until([&] { return hands.workspace().active() == 1; }));
    hands.act("key space Right Home");
    hands.act("key Prior");
    CHECK(hands.until([&] { return hands.workspace().active() == 0; }));
}

TEST_CASE("the wheel zooms at the cursor, W and S too; A, D and dragging pan", "[window]") {
    Hands hands;
    const auto& selection = hands.selection();
    const Range all = selection.visible;
    const double under = hands.timeline().scale.t(500);
    hands.act("click 4");
    CHECK(hands.until([&] { return selection.visible.span() < 0.9 * all.span(); }));
    hands.frames(2);
    CHECK(hands.timeline().scale.t(500) == Approx(under).margin(all.span() * 0.005));
    const double wheel = selection.visible.span();
    hands.act("key w w w");
    CHECK(hands.until([&] { return selection.visible.span() < 0.6 * wheel; }));
    const Range before = selection.visible;
    hands.act("key d");
    CHECK(hands.until([&] { return selection.visible.from > before.from; }));
    hands.act("key a");
    CHECK(hands.until([&] { return selection.visible.from == Approx(before.from).margin(1); }));
    hands.act("mousedown 3");
    hands.move(400, 250);
    CHECK(hands.until([&] { return selection.visible.from > before.from + 0.02 * before.span(); }));
    hands.act("mouseup 3");
    hands.act("key s");
    CHECK(hands.until([&] { return selection.visible.span() > before.span() * 1.1; }));
    hands.act("key 0");
    CHECK(hands.until([&] { return selection.visible.span() == Approx(all.span()); }));
}

TEST_CASE("dragging moves the playhead, clicking a lane chooses it", "[window]") {
    Hands hands;
    const Rect area = hands.timeline().lanes_area;
    const Lane lane = hands.timeline().lanes[5];
    hands.move(area.x0 + 50, lane.rect.middle_y());
    hands.act("mousedown 1");
    CHECK(hands.until([&] { return hands.selection().chosen == lane.id; }));
    const std::size_t early = hands.selection().playhead;
    hands.move(area.x0 + 300, lane.rect.middle_y());
    CHECK(hands.until([&] { return hands.selection().playhead > early + 10; }));
    hands.act("mouseup 1");
    const std::size_t there = hands.selection().playhead;
    hands.move(area.x0 + 100, lane.rect.middle_y());
    CHECK(hands.selection().playhead == there);
    const Lane other = hands.timeline().lanes[8];
    hands.move(hands.timeline().names.x0 + 30, other.rect.middle_y());
    hands.act("click 1");
    CHECK(hands.until([&] { return hands.selection().chosen == other.id; }));
    CHECK(hands.selection().playhead == there);  // a click on a name does not change the time
}

TEST_CASE("the lanes are filtered, ordered and folded with keys, and the minimap moves the view", "[window]") {
    Hands hands;
    hands.act("key slash");
    CHECK(hands.until([&] { return hands.workspace().overlays().lanes.open(); }));
    hands.frames(3);
    hands.act("type --delay 60 'er 1'");
    CHECK(hands.until([&] { return hands.selection().lanes.filter == "er 1"; }));
    CHECK(hands.until([&] { return hands.timeline().lanes.size() == 12; }));  // terms: "er" and "1"
    hands.act("keydown Return");                                              // ImGui reads the keys once per frame
    CHECK(hands.until([&] { return !hands.workspace().overlays().lanes.open(); }));
    hands.act("keyup Return");
    hands.act("key o o");
    CHECK(hands.until([&] { return hands.selection().lanes.order == LaneOrder::parent; }));
    hands.act("key h");
    CHECK(hands.until([&] { return hands.selection().lanes.hides_dead; }));
    const double all = hands.selection().visible.span();
    hands.act("key w w w w");
    CHECK(hands.until([&] { return hands.selection().visible.span() < 0.5 * all; }));
    const Rect map = hands.timeline().minimap.rect;
    const Range before = hands.selection().visible;
    hands.move(map.x1 - 20, map.middle_y());
    hands.act("mousedown 1");
    CHECK(hands.until([&] { return hands.selection().visible.from > before.from + 0.2 * all; }));
    hands.act("mouseup 1");
}

TEST_CASE("a region is selected with Shift and a drag, and keys mark it, zoom to it and show the table", "[window]") {
    Hands hands;
    const Rect area = hands.timeline().lanes_area;
    const std::size_t playhead = hands.selection().playhead;
    hands.move(area.x0 + 100, area.middle_y());
    hands.act("keydown Shift_L mousedown 1");
    hands.move(area.x0 + 200, area.middle_y());
    CHECK(hands.until([&] { return hands.selection().region && hands.selection().region->span() > 0; }));
    hands.act("mouseup 1 keyup Shift_L");
    CHECK(hands.selection().playhead == playhead);
    const Range region = *hands.selection().region;
    hands.act("key r");
    CHECK(hands.until([&] { return hands.selection().visible.span() < 1.2 * region.span(); }));
    hands.act("key Escape");
    CHECK(hands.until([&] { return !hands.selection().region; }));
    hands.act("key m Right Right Right Right m");
    CHECK(hands.until([&] { return hands.selection().region && hands.selection().region->span() > 0; }));
    hands.act("key j");
    CHECK(hands.until([&] { return hands.workspace().table(); }));
    hands.act("key j");
    CHECK(hands.until([&] { return !hands.workspace().table(); }));
}

TEST_CASE("a click on a sign chooses its difference, also in a presentation", "[window]") {
    Hands hands(FIBERSCOPE_ROOT "/traces/samples/04_pipeline.json");
    Workspace& workspace = hands.workspace();
    hands.act("key c");
    CHECK(hands.until(
        [&] { return workspace.side_by_side() && workspace.comparing().differences()->all.places.size() > 0; }));
    for (const char* key : {"", "key F5"}) {
        INFO(key);
        if (*key != 0) hands.act(key);
        hands.act("key Home");
        hands.frames(5);
        REQUIRE_FALSE(workspace.comparing().difference_here());
        const auto& lane = workspace.drawn_timeline(1).differences;
        const auto bar =
            std::find_if(lane.bars.begin(), lane.bars.end(), [](const auto& b) { return !b.sign.empty(); });
        REQUIRE(bar != lane.bars.end());
        const std::size_t index = bar->index;
        const Point at{bar->sign.middle_x(), bar->sign.middle_y()};
        hands.move(at.x, at.y);
        hands.act("click 1");
        CHECK(hands.until([&] { return workspace.comparing().difference_here() == index; }));
    }
    CHECK(workspace.presenting());
}

TEST_CASE("layout, colours and files are restored, and a recent file is opened", "[window]") {
    Hands hands;
    hands.act("key t j");
    CHECK(hands.until([&] { return hands.workspace().table() && hands.workspace().theme() == Theme::light; }));
    hands.remember();
    const Settings settings = read_settings(settings_file());
    CHECK(settings.theme == Theme::light);
    CHECK(settings.table);
    CHECK(settings.width == 1000);
    REQUIRE_FALSE(settings.recent.empty());
    CHECK(settings.recent.front().ends_with("fiberscope-viewer-window.json"));
    hands.act("key ctrl+o");
    CHECK(hands.until([&] { return hands.workspace().overlays().offers.open(); }));
    hands.move(500, 94);
    hands.act("key Escape");
    CHECK(hands.until([&] { return !hands.workspace().overlays().offers.open(); }));
}

TEST_CASE("typing into a field triggers no shortcut, however fast", "[window]") {
    constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./-[]?:";
    Hands hands(FIBERSCOPE_ROOT "/traces/samples/04_pipeline.json");
    Workspace& workspace = hands.workspace();
    const auto state = [&] {
        const Selection& its = hands.selection();
        return std::tuple(its.playhead, its.chosen, its.visible.from, its.visible.to, its.lanes.order, its.lanes.groups,
                          its.lanes.hides_dead, its.region.has_value(), workspace.theme(), workspace.table(),
                          workspace.sets(), workspace.side_by_side(), workspace.lock(), workspace.predict().on(),
                          workspace.overlays().help, workspace.document().playback().playing, workspace.size(),
                          workspace.active());
    };
    const auto before = state();
    for (const char* key : {"ctrl+f", "slash", "ctrl+k", "colon"}) {
        INFO(key);
        hands.act("key " + std::string(key) + " type --delay 0 '" + kLetters + "'");
        hands.frames(10);
        hands.act("key ctrl+c ctrl+a");
        hands.frames(5);
        CHECK(state() == before);
        CHECK(workspace.said().empty());
        const Overlays& over = workspace.overlays();
        CHECK((over.palette.open()  ? std::string(over.palette.text())
               : over.search.open() ? std::string(over.search.text())
                                    : hands.selection().lanes.filter) == kLetters);
        hands.act("key Escape");
        hands.frames(5);
        hands.selection().lanes = {};
    }
    CHECK(state() == before);
    hands.act("key ctrl+k type --delay 0 'dark or'");
    hands.frames(10);
    hands.act("keydown Return");
    hands.act("keyup Return");
    CHECK(hands.until([&] { return workspace.theme() == Theme::light; }));
    CHECK_FALSE(workspace.overlays().palette.open());
}

TEST_CASE("keys typed before a field has the focus trigger no shortcut", "[window]") {
    Hands hands;
    const Workspace& workspace = hands.workspace();
    const auto type = [&](const char* letters) {  // a letter per frame
        for (const char* letter = letters; *letter != 0; ++letter) {
            REQUIRE(std::system(("xdotool key " + std::string(1, *letter)).c_str()) == 0);
            hands.frames(1);
        }
    };
    const auto is_unchanged = [&] {
        return workspace.theme() == Theme::dark && !workspace.table() && hands.selection().playhead == 3 &&
               workspace.size() == 2;
    };
    hands.act("key Home Right Right Right");
    REQUIRE(std::system("xdotool key N") == 0);
    type("tjtjnbt");
    CHECK(hands.until([&] { return workspace.document().lecture()[0].text == "tjtjnbt"; }));
    CHECK(is_unchanged());
    hands.act("key Escape");
    CHECK(hands.until([&] { return !workspace.writes(); }));
    hands.act("key Escape");
    INFO("Enter ends the editing of the field, which then gets the focus again");
    hands.act("key ctrl+f type zz");
    CHECK(hands.until([&] { return workspace.overlays().search.text() == std::string("zz"); }));
    for (int i = 0; i < 5; ++i) {
        REQUIRE(std::system("xdotool keydown Return keyup Return") == 0);
        hands.frames(i);
        type("tjtj");
        CHECK(is_unchanged());
    }
    hands.act("key Escape");
    INFO("a click opens the field");
    hands.move(hands.timeline().names.x0 + 10, hands.timeline().minimap.rect.middle_y());
    REQUIRE(std::system("xdotool click 1") == 0);
    REQUIRE(hands.until([&] { return workspace.overlays().lanes.open(); }));
    type("tjtj");
    CHECK(hands.until([&] { return hands.selection().lanes.filter.ends_with("tjtj"); }));
    CHECK(is_unchanged());
}

TEST_CASE("a window without a file offers recordings, and a click opens one", "[window]") {
    Options options;
    options.width = 1000;
    options.height = 640;
    options.scale = 1;
    Window window(options);
    const auto frames = [&](int count) {
        for (int i = 0; i < count; ++i) REQUIRE(window.frame(0.02));
    };
    frames(5);
    CHECK(window.workspace().document().none());
    for (const char* keys : {"space Right Home End c p F5 j bracketright", "p p F5 j Escape"}) {
        REQUIRE(std::system(("xdotool key " + std::string(keys)).c_str()) == 0);
        frames(5);
    }
    CHECK(window.workspace().document().none());
    REQUIRE(std::system("xdotool mousemove 60 150") == 0);
    frames(4);
    REQUIRE(std::system("xdotool click 1") == 0);
    for (int i = 0; i < 200 && window.workspace().document().none(); ++i) frames(1);
    CHECK(window.workspace().size() == 1);
    for (int i = 0; i < 200 && window.workspace().loading(); ++i) frames(1);
    CHECK(window.workspace().document().readable());
}
