// Animation of set members, computed without a screen.
#include "viewer/layout/sets/glide.h"

#include <cmath>

#include "testing/catch.h"
#include "traces/words/words.h"
#include "viewer/model/document.h"
#include "viewer/panels/workspace.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kWide{10, 20, 1160, 420};

Sets sets_after(Document& document, std::size_t playhead) {
    document.selection().playhead = playhead;
    document.sync();
    return layout_sets({document.replay(), document.index(), kWide, {}});
}

/// The event of a kind whose sentence contains `words`.
std::size_t event_that_says(const Document& document, std::string_view words) {
    const trace::Trace& trace = document.replay().trace();
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace::describe(trace, n).find(words) != std::string::npos) return n;
    FAIL("there is no such event");
    return 0;
}

const SetBox* box_of(const Sets& sets, std::uint32_t set, std::uint32_t id) {
    for (const SetView& tree : sets.trees)
        for (const SetBox& box : tree.boxes)
            if (tree.set == set && box.id() == id) return &box;
    return nullptr;
}

}  // namespace

TEST_CASE("glide: tree nodes are interpolated by the given progress, with their size and links") {
    Document document(made::sample("04_mixed"));
    std::size_t moved = 0;
    for (std::size_t at = 90; at < 400; ++at) {
        const Sets from = sets_after(document, at), to = sets_after(document, at + 1), half = between(from, to, 0.5F);
        INFO(at);
        bool any = false;
        for (std::size_t t = 0; t < to.trees.size(); ++t) {
            for (std::size_t i = 0; i < to.trees[t].boxes.size(); ++i) {
                const SetBox &now = to.trees[t].boxes[i], &on_way = half.trees[t].boxes[i];
                CHECK(on_way.rect.width() == Approx(now.rect.width()));
                CHECK(on_way.rect.height() == Approx(now.rect.height()));
                const SetBox* was = box_of(from, to.trees[t].set, now.id());
                if (was == nullptr || was->ghost || now.ghost) continue;
                CHECK(on_way.rect.middle_x() == Approx((was->rect.middle_x() + now.rect.middle_x()) / 2).margin(0.1));
                CHECK(on_way.rect.middle_y() == Approx((was->rect.middle_y() + now.rect.middle_y()) / 2).margin(0.1));
                const bool goes = std::abs(was->rect.middle_x() - now.rect.middle_x()) > 1 ||
                                  std::abs(was->rect.middle_y() - now.rect.middle_y()) > 1;
                any = any || goes;
            }
            for (const SetLine& line : half.trees[t].lines) {
                if (line.way == LinkWay::cut || line.upper == kNoBox) continue;
                const Rect &upper = half.trees[t].boxes[line.upper].rect, &lower = half.trees[t].boxes[line.lower].rect;
                CHECK(line.from.x == Approx(upper.middle_x()).margin(0.1));
                CHECK(line.from.y == Approx(upper.y1).margin(0.1));
                CHECK(line.to.x == Approx(lower.middle_x()).margin(0.1));
                CHECK(line.to.y == Approx(lower.y0).margin(0.1));
            }
        }
        moved += any ? 1 : 0;
        if (any) CHECK(moves(from, to));
        CHECK_FALSE(moves(to, to));
    }
    CHECK(moved > 20);
}

TEST_CASE("glide: a woken task moves out of the place where it waited, which stays visible") {
    Document document(made::sample("04_mixed"));
    const std::size_t leaves = event_that_says(document, "wake: reader of 7 leaves waiting");
    const trace::Trace& trace = document.replay().trace();
    const std::uint32_t reader = trace[leaves].co, waiting = trace[leaves].set;
    const Sets before = sets_after(document, leaves), left = sets_after(document, leaves + 1);
    REQUIRE(box_of(left, waiting, reader) != nullptr);
    for (const SetView& tree : left.trees)
        for (const SetBox& box : tree.boxes) {
            CHECK(box.ghost == (tree.set == waiting && box.id() == reader));
            const SetBox* was = box_of(before, tree.set, box.id());
            REQUIRE(was != nullptr);
            INFO(box.name << " keeps its place");
            CHECK(was->rect.x0 == Approx(box.rect.x0).margin(0.1));
            CHECK(was->rect.y0 == Approx(box.rect.y0).margin(0.1));
        }
    const std::size_t enters = event_that_says(document, "wake: reader of 7 enters ready, from waiting");
    REQUIRE(enters == leaves + 2);
    const Sets on_way = sets_after(document, enters), ready = sets_after(document, enters + 1);
    const SetBox* ghost = box_of(on_way, waiting, reader);
    REQUIRE(ghost != nullptr);
    const Sets begin = between(on_way, ready, 0);
    for (const SetView& row : begin.queues)
        for (const SetBox& box : row.boxes)
            if (box.co == reader) {
                CHECK(box.rect.middle_x() == Approx(ghost->rect.middle_x()));
                CHECK(box.rect.middle_y() == Approx(ghost->rect.middle_y()));
            }
    const Sets after = sets_after(document, enters + 2);
    CHECK(box_of(after, waiting, reader) == nullptr);
}

TEST_CASE("glide: a stolen task leaves a ghost in its former queue") {
    Document document(made::sample("04_gs"));
    const std::size_t enters = event_that_says(document, "steal: worker 1 enters runnable of machine 1");
    const Sets sets = sets_after(document, enters + 1);
    std::size_t ghosts = 0;
    for (const SetView& row : sets.queues)
        if (row.left && row.left->ghost) {
            ++ghosts;
            CHECK(row.name == "runnable of machine 0");
            CHECK(row.left->name == "steal: worker 1 leaves");
        }
    CHECK(ghosts == 1);
}

TEST_CASE("glide: the hand of a wheel takes the shorter way; its old position and fired timers are visible") {
    Document document(made::sample("06_three_stores_wheel"));
    const std::size_t turn = event_that_says(document, "the hand of timers goes from slot 31 to slot 41");
    const Sets from = sets_after(document, turn), to = sets_after(document, turn + 1), half = between(from, to, 0.5F);
    REQUIRE(to.wheels.size() == 1);
    const Dial &was = from.wheels[0].ring, &is = to.wheels[0].ring, &on_way = half.wheels[0].ring;
    REQUIRE(is.before);
    CHECK(is.before->x == Approx(was.hand.x).margin(0.5));
    CHECK(is.before->y == Approx(was.hand.y).margin(0.5));
    const float x = was.hand.x + is.hand.x - 2 * is.middle.x, y = was.hand.y + is.hand.y - 2 * is.middle.y;
    CHECK(std::atan2(on_way.hand.y - is.middle.y, on_way.hand.x - is.middle.x) ==
          Approx(std::atan2(y, x)).margin(0.01));
    CHECK(std::hypot(on_way.hand.x - is.middle.x, on_way.hand.y - is.middle.y) ==
          Approx(std::hypot(is.hand.x - is.middle.x, is.hand.y - is.middle.y)));
    const Sets fired = sets_after(document, turn + 2);
    std::size_t ghosts = 0;
    for (const SetBox& box : fired.wheels[0].boxes) ghosts += box.ghost && box.place == 41 ? 1 : 0;
    CHECK(ghosts == 1);
}

TEST_CASE("members glide for at most a fifth of a second, not beyond the next event, and not when playing fast") {
    Playback playback;
    CHECK(glide_seconds(playback) == Approx(0.2));
    playback.playing = true;
    for (playback.speed = 0; playback.speed < Playback::kSpeeds.size(); ++playback.speed) {
        CHECK(glide_seconds(playback) <= 0.2);
        CHECK(glide_seconds(playback) < 1 / playback.events_per_second());
        CHECK((glide_seconds(playback) > 0) == (playback.events_per_second() <= 10));
    }
}

TEST_CASE("after a step nodes glide if enabled, arrive, and then nothing moves") {
    made::Reader reader(Language::english, {1280, 720, 16});
    const auto frame = [](Workspace& workspace) {
        ImGui::GetIO().DisplaySize = {1280, 720};
        ImGui::GetIO().DeltaTime = 0.02F;
        ImGui::NewFrame();
        workspace.draw(1280, 720, 0);
        ImGui::Render();
    };
    for (const bool glides : {false, true}) {
        const auto workspace = reader.open({made::sample("04_mixed")});
        if (glides) workspace->let_glide();
        Document& document = workspace->document();
        document.selection().playhead = event_that_says(document, "wake: reader of 7 enters ready") + 1;
        for (int i = 0; i < 4; ++i) frame(*workspace);
        CHECK_FALSE(workspace->busy());
        for (const Action step : {Action::step, Action::step_back}) {
            workspace->apply(step);
            frame(*workspace);
            CHECK(workspace->busy() == glides);
            const Sets begun = workspace->drawn_sets();
            int frames = 0;
            for (; workspace->busy() && frames < 100; ++frames) frame(*workspace);
            CHECK(frames < 14);
            const Sets arrived = workspace->drawn_sets();
            CHECK(moves(begun, arrived) == glides);
            frame(*workspace);
            CHECK_FALSE(moves(arrived, workspace->drawn_sets()));
        }
        INFO("after a long jump they move at once");
        workspace->apply(Action::end);
        frame(*workspace);
        CHECK_FALSE(workspace->busy());
    }
}
