// Several traces under one playhead: what moves together, and where the rows lie.
#include "viewer/side_by_side.h"
#include "viewer/layout/beside.h"
#include "viewer/tests/approx.h"
#include "viewer/tests/made_traces.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// Three traces of one program; the first is the leader.
struct Three {
    Document one{made::parsed(made::shared_stacks(4, 1, 4))};
    Document two{made::parsed(made::shared_stacks(4, 2, 4))};
    Document four{made::parsed(made::shared_stacks(4, 4, 4))};
    Documents all{&one, &two, &four};

    Three() { begin_side_by_side(all, one); }
    bool at_one_moment() const {
        const double moment = one.selection().moment.value_or(-1);
        for (const Document* document : all) {
            const trace::Replay& replay = document->replay();
            const std::size_t playhead = document->selection().playhead;
            if (document->selection().moment != moment || replay.at() != playhead) return false;
            if (playhead > 0 && static_cast<double>(replay.trace()[playhead - 1].t) > moment) return false;
            if (playhead < replay.size() && static_cast<double>(replay.trace()[playhead].t) < moment) return false;
        }
        return true;
    }
    std::size_t events() const {
        return one.selection().playhead + two.selection().playhead + four.selection().playhead;
    }
};

}  // namespace

TEST_CASE("side by side: all stand at the time of the leader and share the longest axis") {
    Three three;
    CHECK(three.at_one_moment());
    for (const Document* document : three.all) {
        CHECK(document->selection().visible.to == Approx(three.one.selection().visible.to));
        CHECK(document->selection().visible.to >= static_cast<double>(three.two.index().duration()));
    }
}

TEST_CASE("side by side: a step is the next event of whichever has it first, and back is the same way") {
    Three three;
    apply_side_by_side(Action::home, three.all, three.one);
    CHECK(three.events() == 0);
    std::vector<std::array<std::size_t, 3>> seen;
    const auto here = [&] {
        return std::array{three.one.selection().playhead, three.two.selection().playhead,
                          three.four.selection().playhead};
    };
    do {
        seen.push_back(here());
        CHECK(three.at_one_moment());
        CHECK(three.events() == seen.size() - 1);
    } while (step_forward(three.all));
    CHECK(three.events() == three.one.replay().size() + three.two.replay().size() + three.four.replay().size());
    while (!seen.empty()) {
        CHECK(here() == seen.back());
        seen.pop_back();
        CHECK(step_back(three.all) == !seen.empty());
    }
}

TEST_CASE("side by side: home, end, playing and its end") {
    Three three;
    apply_side_by_side(Action::end, three.all, three.one);
    CHECK(three.four.selection().playhead == three.four.replay().size());
    CHECK(three.at_one_moment());
    apply_side_by_side(Action::play_pause, three.all, three.one);  // from the end: again from the start
    CHECK(three.events() == 0);
    advance_side_by_side(1, three.all, three.one);
    CHECK(three.events() == static_cast<std::size_t>(three.one.playback().events_per_second()));
    advance_side_by_side(1e6, three.all, three.one);
    CHECK_FALSE(three.one.playback().playing);
    CHECK(three.two.selection().playhead == three.two.replay().size());
}

TEST_CASE("side by side: the others follow what the mouse did to one of them") {
    Three three;
    const Selection before = three.four.selection();
    three.four.selection().playhead = 10;
    follow(three.all, three.four, before);
    CHECK(three.at_one_moment());
    CHECK(*three.one.selection().moment == static_cast<double>(three.four.replay().trace()[9].t));

    // Beyond the end of the shortest one: it stays at its end, the others go on.
    const Selection there = three.four.selection();
    const auto later = static_cast<double>(three.four.index().duration() + 1500);
    three.four.selection().moment = later;
    three.four.selection().playhead = three.four.replay().size();
    follow(three.all, three.four, there);
    CHECK(three.at_one_moment());
    CHECK(playhead_time(three.one.replay(), three.one.selection().playhead) >
          static_cast<double>(three.four.index().duration()));

    const Selection view = three.two.selection();
    apply_side_by_side(Action::zoom_in, three.all, three.two);
    CHECK(three.two.selection().visible.span() < view.visible.span());
    CHECK(three.one.selection().visible.from == three.two.selection().visible.from);
    apply_side_by_side(Action::choose_next, three.all, three.two);
    CHECK(three.one.selection().chosen == three.two.selection().chosen);
}

TEST_CASE("side by side: afterwards each is by itself again") {
    Three three;
    end_side_by_side(three.all);
    for (const Document* document : three.all) {
        CHECK_FALSE(document->selection().moment);
        CHECK(axis_end(document->index(), document->selection()) == document->index().duration());
    }
    const std::size_t two = three.two.selection().playhead;
    three.one.apply(Action::step);
    CHECK(three.two.selection().playhead == two);
}

TEST_CASE("side by side: the rows lie inside the window, do not overlap, and the active one is among them") {
    const std::vector<float> wishes{300, 300, 300, 300, 300, 300, 300};
    for (const auto& [width, height] : {std::pair{1600.0F, 900.0F}, {900.0F, 600.0F}, {600.0F, 300.0F}})
        for (std::size_t active = 0; active < wishes.size(); ++active) {
            const Beside beside = layout_beside({0, 0, width, height}, 16, wishes, active, 24);
            REQUIRE_FALSE(beside.rows.empty());
            float y = 0;
            bool shown = false;
            for (const BesideRow& row : beside.rows) {
                CHECK(row.title.y0 >= y);
                CHECK(row.timeline.y0 >= row.title.y1);
                CHECK(row.timeline.height() > 40);
                CHECK(row.timeline.x1 < row.aside.x0);
                CHECK(row.aside.x1 <= width);
                y = row.timeline.y1;
                shown = shown || row.index == active;
            }
            CHECK(shown);
            CHECK(y <= beside.legend.y0);
            CHECK(beside.legend.y1 <= beside.playback.y0);
        }
}
