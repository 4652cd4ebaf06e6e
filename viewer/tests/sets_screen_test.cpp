// Pictures of queues, trees, steals and figures.
#include <algorithm>

#include "viewer/tests/stage/stage.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

double share(const Picture& picture, const Rect& r, Color wanted) {
    return static_cast<double>(count_in(picture, r, wanted)) / static_cast<double>(r.width() * r.height());
}

/// The playhead after the n-th event of a kind, from 0.
std::size_t after(const Document& document, trace::Kind kind, std::size_t n) {
    const trace::Trace& trace = document.replay().trace();
    for (std::size_t i = 0; i < trace.size(); ++i)
        if (trace[i].kind == kind && n-- == 0) return i + 1;
    FAIL("there is no such event");
    return 0;
}

/// The playhead after the last event of a kind before `limit`.
std::size_t last_before(const Document& document, trace::Kind kind, std::size_t limit) {
    const trace::Trace& trace = document.replay().trace();
    for (std::size_t i = limit; i-- > 0;)
        if (trace[i].kind == kind) return i + 1;
    FAIL("there is no such event");
    return 0;
}

}  // namespace

TEST_CASE("a picture has queues and the arrow of a steal at the positions of the layout") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        auto documents = documents_of({machines()});
        documents[0]->selection().playhead = documents[0]->index().steals()[0] + 1;
        Stage stage(std::move(documents), options);
        const Picture picture = stage.draw();
        const Sets& sets = stage.workspace().drawn_sets();
        REQUIRE(sets.queues.size() == 5);
        std::size_t boxes = 0;
        for (const SetView& row : sets.queues)
            for (const SetBox& box : row.boxes) {
                ++boxes;
                CHECK(share(picture, box.rect, look(box.state, theme).fill) > 0.3);
            }
        CHECK(boxes == 5);
        REQUIRE(sets.steal);
        const Rect arrow{sets.steal->from.x - 4, sets.steal->from.y, sets.steal->from.x + 4, sets.steal->to.y};
        CHECK(share(picture, arrow, palette(theme).playhead) > 0.3);
        const Timeline& timeline = stage.workspace().drawn_timeline();
        REQUIRE(timeline.steals.size() == 3);
        CHECK(timeline.steals[0].at_playhead);
        const Steal& other = timeline.steals[1];
        const Rect shaft{other.x - 2, std::min(other.y0, other.y1) + 8, other.x + 2, std::max(other.y0, other.y1) - 8};
        CHECK(share(picture, shaft, palette(theme).arrow) > 0.4);
    }
}

TEST_CASE("a picture shows a tree in red and black, and the links written by its event") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        auto documents = documents_of({sleepers(15)});
        documents[0]->selection().playhead = after(*documents[0], trace::Kind::insert, 14) - 2;
        Stage stage(std::move(documents), options);
        const Palette& colors = palette(theme);
        const Picture picture = stage.draw();
        REQUIRE(stage.workspace().drawn_sets().trees.size() == 1);
        const SetView& tree = stage.workspace().drawn_sets().trees[0];
        REQUIRE(tree.boxes.size() == 15);
        std::size_t now = 0;
        for (const SetBox& box : tree.boxes) {
            const bool red = box.color == trace::Color::red;
            CHECK(share(picture, box.rect, red ? colors.node_red : colors.node_black) > 0.3);
            CHECK(share(picture, box.rect, red ? colors.node_black : colors.node_red) < 0.02);
            CHECK(count_near(picture, box.rect, colors.node_ink, red ? colors.node_red : colors.node_black) > 40);
            const Rect edge{box.rect.x0, box.rect.y0 + 12, box.rect.x0 + 3, box.rect.y1 - 12};
            now += share(picture, edge, colors.playhead) > 0.3 ? 1U : 0U;
        }
        CHECK(now == 1);
    }
}

TEST_CASE("a picture shows a heap as a tree and as an array, with the item moved by its event in both") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        auto documents = documents_of({heap_of_timers(15)});
        const std::size_t full = after(*documents[0], trace::Kind::insert, 14);
        documents[0]->selection().playhead = last_before(*documents[0], trace::Kind::move, full);
        Stage stage(std::move(documents), options);
        const Palette& colors = palette(theme);
        const Picture picture = stage.draw();
        REQUIRE(stage.workspace().drawn_sets().heaps.size() == 1);
        const SetView& heap = stage.workspace().drawn_sets().heaps[0];
        REQUIRE(heap.boxes.size() == 14);
        REQUIRE(heap.cells.size() == 14);
        for (const auto* boxes : {&heap.boxes, &heap.cells})
            for (const SetBox& box : *boxes) {
                const Rect& r = box.rect;
                CHECK(share(picture, r, colors.control) > 0.3);
                CHECK(count_near(picture, r, colors.text, colors.control) > 10);
                const Rect edge{r.x0, r.y0 + 4, r.x0 + 2, r.y1 - 4};
                CHECK((share(picture, edge, colors.playhead) > 0.3) == box.now);
            }
        for (const SetBox& cell : heap.cells)
            CHECK(count_near(picture, cell.below_rect, colors.text, colors.panel) > 5);
        CHECK(heap.boxes[0].now);
    }
}

TEST_CASE("a picture shows an item in transit dashed, and the line along which the other moved") {
    auto documents = documents_of({heap_of_timers(15)});
    documents[0]->selection().playhead = after(*documents[0], trace::Kind::insert, 14) + 1;
    Stage stage(std::move(documents));
    const Palette& colors = palette(Theme::dark);
    const Picture picture = stage.draw();
    const SetView& heap = stage.workspace().drawn_sets().heaps[0];
    std::size_t held = 0;
    for (const auto* boxes : {&heap.boxes, &heap.cells})
        for (const SetBox& box : *boxes) {
            if (!box.in_hand) continue;
            ++held;
            CHECK(share(picture, box.rect, colors.control) < 0.05);
        }
    CHECK(held == 2);
    const auto moved = std::find_if(heap.lines.begin(), heap.lines.end(), [](const SetLine& l) { return l.now; });
    REQUIRE(moved != heap.lines.end());
    const Rect between{std::min(moved->from.x, moved->to.x), std::min(moved->from.y, moved->to.y),
                       std::max(moved->from.x, moved->to.x), std::max(moved->from.y, moved->to.y)};
    CHECK(count_in(picture, between, colors.playhead) > 20);
}

TEST_CASE("a picture shows a wheel with its hand, its slots and the small whole wheel") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        auto documents = documents_of({wheel_of_timers(12, 60'000, 7)});
        documents[0]->selection().playhead = after(*documents[0], trace::Kind::hand, 2);
        Stage stage(std::move(documents), options);
        const Palette& colors = palette(theme);
        const Picture picture = stage.draw();
        REQUIRE(stage.workspace().drawn_sets().wheels.size() == 1);
        const SetView& wheel = stage.workspace().drawn_sets().wheels[0];
        CHECK(wheel.hand_now);
        const Point middle = wheel.ring.middle, tip = wheel.ring.hand;
        for (const float part : {0.45F, 0.93F}) {
            const Point on{middle.x + part * (tip.x - middle.x), middle.y + part * (tip.y - middle.y)};
            CHECK(count_in(picture, {on.x - 3, on.y - 3, on.x + 3, on.y + 3}, colors.playhead) > 4);
        }
        for (const Point dot : wheel.ring.dots)
            CHECK(count_in(picture, {dot.x - 3, dot.y - 3, dot.x + 3, dot.y + 3}, colors.text) > 15);
        for (const SetBox& item : wheel.boxes) CHECK(share(picture, item.rect, colors.control) > 0.3);
        const Dial& whole = wheel.whole;
        CHECK(count_near(picture,
                         {whole.middle.x - whole.radius - 2, whole.middle.y - whole.radius - 2,
                          whole.middle.x + whole.radius + 2, whole.middle.y + whole.radius + 2},
                         colors.dim, colors.panel) > 40);
    }
}
