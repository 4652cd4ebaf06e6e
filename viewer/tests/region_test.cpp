// Regions, the table of coroutines, the ready queue, and the clipboard.
#include <filesystem>

#include "testing/catch.h"
#include "viewer/layout/tables/coroutine_table.h"
#include "viewer/layout/tables/region_sentence.h"
#include "viewer/layout/timeline/region.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

Document mixed(std::size_t at) {
    Document document(std::filesystem::path(FIBERSCOPE_ROOT) / "traces" / "samples" / "04_mixed.json");
    REQUIRE(document.readable());
    document.selection().playhead = at;
    document.sync();
    return document;
}

double sum_of(const Times& times) {
    double sum = times.idle;
    for (const double time : times.in) sum += time;
    return sum;
}

}  // namespace

TEST_CASE("the times of a coroutine add up to its lifetime, in any span") {
    const Document document = mixed(0);
    const trace::Replay& replay = document.replay();
    for (const Range span : {Range{0, 427'000}, {100'000, 200'000}, {245'375, 245'475}})
        for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
            double there = 0;
            for (const auto& s : replay.stretches(co))
                there += std::max(0.0, std::min(static_cast<double>(s.to), span.to) -
                                           std::max(static_cast<double>(s.from), span.from));
            CHECK(sum_of(times_of(replay, document.index(), co, span)) == Approx(there).margin(0.01));
        }
}

TEST_CASE("a region is recounted when it changes, and not in each frame") {
    Document document = mixed(300);
    Selection& selection = document.selection();
    RegionWords words;
    const auto now = [&] { return words.of(document.replay(), document.index(), selection); };
    const auto fresh = [&] { return region_in_words(document.replay(), document.index(), selection); };
    CHECK(now().empty());
    selection.region = Range{100'000, 200'000};
    CHECK(now() == fresh());
    selection.playhead = 400;
    CHECK(now() == fresh());
    CHECK(words.counted() == 1);
    selection.region->to = 210'000;
    CHECK(now() == fresh());
    selection.chosen = 1;
    CHECK(now() == fresh());
    CHECK(words.counted() == 3);
    selection.region.reset();
    CHECK(now().empty());
}

TEST_CASE("a region is marked, zoomed to, described, and cleared") {
    Document document = mixed(300);
    document.apply(Action::mark_region);
    CHECK(region_in_words(document.replay(), document.index(), document.selection()).find("press M") !=
          std::string::npos);
    for (int i = 0; i < 4; ++i) document.apply(Action::next_decision);
    document.apply(Action::mark_region);
    REQUIRE(document.selection().region);
    const Range region = *document.selection().region;
    CHECK(region.span() > 0);
    CHECK(region_in_words(document.replay(), document.index(), document.selection()) ==
          "Region: 73.155 µs, from 147.220 µs to 220.375 µs: 116 events, 9 switches, 1 wait; machines 100 % busy. All "
          "tasks: running 72.8 µs (7 %), ready 841 µs (77 %), sleeping 93.7 µs (9 %), waiting 89.6 µs (8 %).  (R: zoom "
          "to it, Esc: clear it)");
    document.selection().chosen = 1;
    CHECK(region_in_words(document.replay(), document.index(), document.selection()) ==
          "Region: 73.155 µs, from 147.220 µs to 220.375 µs: 116 events, 9 switches, 1 wait; machines 100 % busy. hog "
          "1: running 17.4 µs (24 %), ready 55.8 µs (76 %); resumed 1 time.  (R: zoom to it, Esc: clear it)");
    document.apply(Action::zoom_region);
    CHECK(document.selection().visible.from == Approx(region.from).margin(0.03 * region.span()));
    CHECK(document.selection().visible.to == Approx(region.to).margin(0.03 * region.span()));
    document.apply(Action::zoom_region);
    CHECK(document.selection().visible.span() > 400'000);
    document.apply(Action::choose_none);
    CHECK_FALSE(document.selection().region);
    CHECK(document.selection().chosen == 1);
}

TEST_CASE("the ends of a region snap to a stretch of the lane, else to an event, else not") {
    Document document(made::parsed(made::round_robin(3, 4)));
    const TimelineRequest request{document.replay(), document.index(), document.selection(), {0, 0, 1000, 400}, {}};
    const Timeline timeline = layout_timeline(request);
    const Zone& zone = timeline.zones[timeline.zones.size() / 2];
    const float y = zone.rect.middle_y();
    CHECK(snapped(request, timeline, {timeline.scale.x(zone.to) - 3, y}, 8) == zone.to);
    CHECK(snapped(request, timeline, {timeline.scale.x(zone.from) + 3, y}, 8) == zone.from);
    const float far = timeline.scale.x(zone.from) + 3;
    CHECK(snapped(request, timeline, {far, y}, 1) == Approx(timeline.scale.t(far)));
    CHECK(snapped(request, timeline, {-50, y}, 8) == 0);
}

TEST_CASE("the table has the columns with content, and sorts by each") {
    const Document document = mixed(300);
    CoroutineTable table(document.replay(), document.index(), {0, 427'000});
    const auto heads = table.heads(2000, {});
    CHECK(heads.front().column == TableColumn::name);
    CHECK(std::none_of(heads.begin(), heads.end(),
                       [](const TableHead& head) { return head.column == TableColumn::suspended; }));
    CHECK(table.row(0, heads).cells[0] == "main");
    table.sort_by(TableColumn::running);
    CHECK(table.row(0, heads).cells[0] == "hog 3");
    const std::uint32_t longest = table.row(0, heads).co;
    table.sort_by(TableColumn::running);
    CHECK(table.row(table.size() - 1, heads).co == longest);
    CHECK(table.place_of(longest) == table.size() - 1);
    table.sort_by(TableColumn::name);
    CHECK(table.row(0, heads).cells[0] == "canceller");
    INFO("a narrow table omits the last columns, and columns do not overlap");
    const auto few = table.heads(400, {});
    CHECK(few.size() < heads.size());
    for (std::size_t i = 0; i + 1 < few.size(); ++i) CHECK(few[i].x1 <= few[i + 1].x0);
    CHECK(few.back().x1 <= 401);
}
