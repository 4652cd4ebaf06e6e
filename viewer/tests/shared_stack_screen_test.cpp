// Pictures of shared stacks and of several traces side by side.
#include <algorithm>
#include <cmath>

#include "viewer/tests/stage/stage.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

std::size_t at_copy(const Document& document, std::size_t n) { return document.index().copies()[n] + 1; }

}  // namespace

TEST_CASE("a picture has the shared stacks at the positions of the layout") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        auto documents = documents_of({shared_stacks(4, 2, 4)});
        documents[0]->selection().playhead = at_copy(*documents[0], 8);
        Stage stage(std::move(documents), options);
        const Picture picture = stage.draw();
        const SharedStacks& stacks = stage.workspace().drawn_stacks();
        REQUIRE(stacks.boxes.size() == 2);
        std::size_t images = 0;
        for (const SharedStackBox& box : stacks.boxes) {
            const Color owner = look(box.owner_state, theme).fill;
            const double area = static_cast<double>(box.owner_box.width() * box.owner_box.height());
            REQUIRE(box.owner != trace::kNone);
            CHECK(static_cast<double>(count_in(picture, box.owner_box, owner)) > 0.5 * area);
            CHECK(count_near(picture, box.out, palette(theme).text, palette(theme).panel) > 40);
            for (const TenantRow& row : box.rows) {
                if (row.image.empty()) continue;
                ++images;
                const Color fill = look(row.state, theme).fill;
                const double image = static_cast<double>(row.image.width() * row.image.height());
                CHECK(static_cast<double>(count_in(picture, row.image, fill)) > 0.4 * image);
                const Rect free{row.buffer.x1 + 2, row.room.y0, row.room.x1, row.room.y1};
                CHECK(count_in(picture, free, fill) == 0);
            }
        }
        CHECK(images >= 2);
    }
}

TEST_CASE("a picture shows the marks of copies and of the hazard") {
    Stage stage(documents_of({hazard()}));
    stage.workspace().apply(Action::home);
    const Picture picture = stage.draw();
    const Palette& colors = palette(Theme::dark);
    std::size_t hazards = 0, copies = 0;
    for (const Mark& mark : stage.workspace().drawn_timeline().marks) {
        const Rect r{mark.at.x - mark.size, mark.at.y - mark.size, mark.at.x + mark.size, mark.at.y + mark.size};
        if (mark.kind == MarkKind::hazard) {
            ++hazards;
            CHECK(count_in(picture, r, colors.hazard) > 40);
        } else if (mark.kind == MarkKind::copy_out) {
            ++copies;
            CHECK(count_in(picture, r, colors.panel) > 40);
            CHECK(count_in(picture, r, colors.hazard) == 0);
            const Rect label{r.x0 - 20, r.y0, r.x0, r.y1};
            CHECK(count_near(picture, label, colors.text, colors.panel) > 20);
        }
    }
    CHECK(hazards == 2);
    CHECK(copies == 1);
}

TEST_CASE("traces without shared stacks show none") {
    Stage stage(documents_of({round_robin(3, 4)}));
    stage.draw();
    CHECK(stage.workspace().drawn_stacks().boxes.empty());
}

TEST_CASE("side by side: every trace is drawn, with the playhead line at the same position") {
    Stage stage(documents_of({shared_stacks(4, 1, 4), shared_stacks(4, 2, 4), shared_stacks(4, 4, 4)}));
    stage.workspace().apply(Action::side_by_side);
    const Picture picture = stage.draw();
    const Color playhead = palette(Theme::dark).playhead;
    const Timeline& first = stage.workspace().drawn_timeline(0);
    float below = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Timeline& timeline = stage.workspace().drawn_timeline(i);
        CHECK(timeline.lanes_area.y0 > below);
        below = timeline.lanes_area.y1;
        CHECK(timeline.scale.x0 == Approx(first.scale.x0));
        CHECK(timeline.playhead_x == Approx(first.playhead_x));
        const Rect line{std::round(timeline.playhead_x) - 1, timeline.lanes_area.y0,
                        std::round(timeline.playhead_x) + 1, timeline.lanes_area.y1};
        CHECK(static_cast<float>(count_in(picture, line, playhead)) > 1.5F * line.height());
        const Color running = look(trace::State::running, Theme::dark).fill;
        CHECK(count_in(picture, timeline.lanes_area, running) > 3000);
    }
    stage.workspace().apply(Action::side_by_side);
    stage.draw();
    CHECK_FALSE(stage.workspace().side_by_side());
}

TEST_CASE("side by side: one file, or an unreadable one, is shown alone") {
    Stage one(documents_of({shared_stacks(4, 1, 4)}));
    one.workspace().apply(Action::side_by_side);
    CHECK_FALSE(one.workspace().side_by_side());
}

TEST_CASE("side by side: unreadable files are omitted, small windows work") {
    auto documents = documents_of({shared_stacks(4, 1, 4), round_robin(20, 8), all_states()});
    documents.insert(documents.begin() + 1, std::make_unique<Document>(std::filesystem::path("no/such/file.json")));
    Options small;
    small.width = 900;
    small.height = 400;
    Stage stage(std::move(documents), small);
    stage.workspace().apply(Action::side_by_side);
    REQUIRE(stage.workspace().side_by_side());
    for (const Action action : {Action::step, Action::step_back, Action::next_tab, Action::choose_next, Action::focus,
                                Action::next_tab, Action::next_tab, Action::play_pause, Action::theme, Action::end}) {
        stage.workspace().apply(action);
        stage.draw(1, 0.05);
        CHECK(stage.workspace().document().readable());
    }
}

TEST_CASE("the panel scrolls to the stack of the event at the playhead") {
    auto documents = documents_of({shared_stacks(24, 3, 3)});
    Options small;
    small.width = 900;
    small.height = 600;
    Stage stage(std::move(documents), small);
    Document& document = stage.workspace().document();
    for (const std::size_t n : {std::size_t{40}, std::size_t{41}, std::size_t{42}}) {
        document.selection().playhead = at_copy(document, n);
        document.sync();
        stage.draw();
        const std::uint32_t stack = document.replay().trace()[document.replay().at() - 1].set;
        const std::string name = "stack " + std::to_string(stack);
        const auto& boxes = stage.workspace().drawn_stacks().boxes;
        CHECK(std::any_of(boxes.begin(), boxes.end(), [&](const SharedStackBox& box) { return box.name == name; }));
    }
}
