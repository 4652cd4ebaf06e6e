// One panel instead of all: by key, by double click, and by the tabs of a small window.
#include "testing/catch.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr const char* kOne[] = {"04_mixed"};
constexpr std::size_t kLink = 98, kSwitch = 623;

struct Shown : made::Drawn {
    explicit Shown(made::Screenful screen = {1280, 720, 15}, std::span<const char* const> files = kOne)
        : Drawn(files, screen) {
        go(kSwitch);
    }
    void go(std::size_t at) {
        workspace->go(at, trace::kNone, std::nullopt, {});
        look();
    }
    void press(Action action) {
        workspace->apply(action);
        look();
    }
    const NotedPanel* panel(std::string_view name) const {
        for (const NotedPanel& panel : workspace->panels())
            if (panel.name == name) return &panel;
        return nullptr;
    }
    void point(const NotedPanel* panel, float below_top = 40) {
        REQUIRE(panel != nullptr);
        ImGui::GetIO().MousePos = {panel->rect.middle_x(), panel->rect.y0 + below_top};
    }
    /// Whether only this panel is drawn, apart from the sentence.
    bool alone(std::string_view name) const { return panel(name) != nullptr && workspace->panels().size() == 2; }
    void click() {
        for (const bool down : {true, false}) {
            ImGui::GetIO().MouseDown[0] = down;
            look();
        }
    }
};

}  // namespace

TEST_CASE("a key maximizes the panel under the mouse, and restores all") {
    Shown shown;
    const std::size_t all = shown.workspace->panels().size();
    for (const char* name : {"lanes", "sets", "states"}) {
        INFO(name);
        shown.point(shown.panel(name));
        shown.press(Action::maximize);
        CHECK(shown.alone(name));
        shown.press(std::string_view(name) == "sets" ? Action::choose_none : Action::maximize);
        CHECK(shown.workspace->panels().size() == all);
    }
    INFO("another choice of panels restores all");
    shown.point(shown.panel("lanes"));
    shown.press(Action::maximize);
    shown.press(Action::table);
    CHECK(shown.panel("table") != nullptr);
    CHECK(shown.panel("lanes") != nullptr);
}

TEST_CASE("without a mouse the key maximizes the panel that shows the event") {
    Shown shown;
    shown.press(Action::maximize);
    CHECK(shown.alone("lanes"));
    shown.press(Action::maximize);
    shown.go(kLink);
    shown.press(Action::maximize);
    CHECK(shown.alone("sets"));
}

TEST_CASE("in a presentation a change of a tree maximizes the sets") {
    Shown shown;
    shown.press(Action::present);
    CHECK(shown.panel("lanes") != nullptr);
    shown.go(kLink);
    CHECK(shown.alone("sets"));
    shown.go(kSwitch);
    CHECK(shown.panel("lanes") != nullptr);
    for (const Action restore : {Action::maximize, Action::choose_none}) {
        shown.go(kLink);
        CHECK(shown.alone("sets"));
        shown.press(restore);
        CHECK(shown.panel("lanes") != nullptr);
        INFO("also at the next change, and until the key is pressed again or another presentation begins");
        shown.go(kLink + 1);
        CHECK(shown.panel("lanes") != nullptr);
        shown.press(Action::maximize);
        CHECK(shown.alone("sets"));
        shown.press(restore);
        CHECK(shown.panel("lanes") != nullptr);
        shown.press(Action::present);
        shown.press(Action::present);
    }
}

TEST_CASE("a double click on a heading maximizes its panel") {
    Shown shown;
    const std::size_t all = shown.workspace->panels().size();
    for (const char* name : {"states", "lanes"}) {
        INFO(name);
        for (const bool alone : {true, false}) {
            shown.point(shown.panel(name), 10);
            for (int i = 0; i < 50; ++i) shown.look();  // later clicks are no part of the double click
            shown.click();
            shown.click();
            CHECK(shown.alone(name) == alone);
        }
        CHECK(shown.workspace->panels().size() == all);
    }
}

TEST_CASE("a panel of one of several files is maximized, and the files stay synchronized") {
    constexpr const char* kTwo[] = {"04_mixed", "04_mixed_go"};
    Shown shown({1280, 720, 15}, kTwo);
    shown.press(Action::side_by_side);
    const auto& panels = shown.workspace->panels();
    const auto second = std::find_if(panels.begin(), panels.end(), [](const NotedPanel& p) { return p.file == 1; });
    REQUIRE(second != panels.end());
    shown.point(&*second);
    shown.press(Action::maximize);
    CHECK(shown.alone("lanes"));
    CHECK(shown.workspace->active() == 1);
    const std::size_t first = shown.workspace->document(0).selection().playhead;
    shown.press(Action::end);
    CHECK(shown.workspace->document(0).selection().playhead != first);
    shown.press(Action::choose_none);
    CHECK(shown.workspace->side_by_side());
}

TEST_CASE("tabs lead to each panel of a small window") {
    for (const made::Screenful screen : {made::Screenful{390, 844, 15}, {844, 390, 15}}) {
        Shown shown(screen);
        CHECK(shown.panel("sets") != nullptr);
        for (const char* name : {"states", "events", "registers", "sets"}) {
            INFO(name << " " << screen.width);
            const auto tab = std::find_if(shown.reader.written().begin(), shown.reader.written().end(),
                                          [&](const Written& text) { return text.text == name; });
            REQUIRE(tab != shown.reader.written().end());
            ImGui::GetIO().MousePos = {tab->rect.middle_x(), tab->rect.middle_y()};
            shown.look();
            shown.click();
            shown.look();
            CHECK(shown.panel(name) != nullptr);
            CHECK(shown.panel("lanes") != nullptr);
        }
    }
}

TEST_CASE("on a phone both trees have more nodes than their root, and maximized all") {
    Shown shown({390, 774, 15});
    shown.go(300);
    REQUIRE(shown.workspace->drawn_sets().trees.size() == 2);
    for (const SetView& tree : shown.workspace->drawn_sets().trees) CHECK(tree.boxes.size() >= 3);
    shown.point(shown.panel("sets"));
    shown.press(Action::maximize);
    CHECK(shown.workspace->drawn_sets().trees[0].boxes.size() == 7);
    CHECK(shown.workspace->drawn_sets().trees[1].boxes.size() == 5);
}
