// What lanes say where much falls together: counts of marks and of steals, the length of the ready queues; and the
// lanes that are pinned.
#include <algorithm>
#include <cmath>
#include <map>

#include "testing/catch.h"
#include "traces/tests/generator.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

Timeline shown(const Document& document, Range visible, float height = 2000) {
    Selection selection = document.selection();
    selection.visible = visible;
    return layout_timeline({document.replay(), document.index(), selection, {0, 0, 900, height}, {}});
}

/// A thread that notes something `notes` times, every `apart` ns, and has a fault in the middle.
trace::Trace noting(unsigned notes, unsigned apart) {
    made::TraceScript script("noting");
    script.thread(0, "main");
    for (unsigned i = 0; i < notes; ++i) {
        script.spend(apart);
        if (i == notes / 2) script.event("\"fault\",\"co\":0,\"text\":\"stack overflow\"");
        if (i == notes / 2) script.spend(apart);
        script.event("\"note\",\"co\":0,\"text\":\"note " + std::to_string(i) + "\"");
    }
    return made::parsed(script.finish());
}

/// How many marks stand for which event.
std::size_t counted(const Timeline& timeline) {
    std::size_t count = 0;
    for (const Mark& mark : timeline.marks) count += mark.count;
    return count;
}

}  // namespace

TEST_CASE("marks that fall together are one that counts them, in the colour of the worst") {
    const Document document(noting(200, 10));
    const Timeline all = shown(document, whole(document.index().duration()));
    CHECK(all.marks.size() < 40);
    CHECK(counted(all) == 201);
    const auto faulty =
        std::find_if(all.marks.begin(), all.marks.end(), [](const Mark& m) { return m.kind == MarkKind::fault; });
    REQUIRE(faulty != all.marks.end());
    CHECK(faulty->count > 1);
    CHECK(faulty->text == std::to_string(faulty->count));
    CHECK(std::count_if(all.marks.begin(), all.marks.end(), [](const Mark& m) { return m.kind == MarkKind::fault; }) ==
          1);
    for (std::size_t i = 0; i + 1 < all.marks.size(); ++i)
        CHECK(all.marks[i].at.x + all.marks[i].size <= all.marks[i + 1].at.x - all.marks[i + 1].size);
    const auto zoom = around(document.replay().trace(), *faulty);
    REQUIRE(zoom);
    const Timeline near = shown(document, *zoom);
    CHECK(counted(near) >= faulty->count);
    CHECK(near.marks.size() > 1);
}

TEST_CASE("a mark that counts says how many of which kind, the worst first, and how many more") {
    const Document document(noting(200, 10));
    const Timeline all = shown(document, whole(document.index().duration()));
    const auto faulty =
        std::find_if(all.marks.begin(), all.marks.end(), [](const Mark& m) { return m.kind == MarkKind::fault; });
    REQUIRE(faulty != all.marks.end());
    const std::string words = mark_words(document.replay(), document.index(), *faulty, Language::english);
    INFO(words);
    const std::size_t fault = words.find("fault: 1"), notes = words.find("note: " + std::to_string(faulty->count - 1));
    CHECK(fault != std::string::npos);
    CHECK(notes != std::string::npos);
    CHECK(fault < notes);
    CHECK(words.find("and " + std::to_string(faulty->count - 3) + " more") != std::string::npos);
    CHECK(std::count(words.begin(), words.end(), '\n') == 4);
}

TEST_CASE("what falls together is the same wherever the view begins, and nothing is left out or counted twice") {
    for (const unsigned apart : {3U, 17U, 101U}) {
        const Document document(noting(3000, apart));
        const double end = static_cast<double>(document.index().duration());
        const auto events = document.index().marks().of_coroutine(0);
        std::map<std::uint32_t, std::uint32_t> parts;  // first event, last event
        for (const double from : {0.0, 0.013, 0.131, 0.32, 0.4771}) {
            const Timeline timeline = shown(document, {from * end, (from + 0.5) * end});
            for (const Mark& mark : timeline.marks) {
                const auto first = std::lower_bound(events.begin(), events.end(), mark.event);
                CHECK(first[mark.count - 1] == mark.last);
                const auto [known, is_new] = parts.try_emplace(mark.event, mark.last);
                CHECK(known->second == mark.last);
            }
            for (std::size_t i = 0; i + 1 < timeline.marks.size(); ++i)
                CHECK(timeline.marks[i + 1].event == timeline.marks[i].last + 1);
        }
        std::uint32_t next = events.front();
        for (const auto& [first, last] : parts) {
            CHECK(first == next);
            next = last + 1;
        }
    }
}

TEST_CASE("marks that stand apart are drawn by themselves") {
    const Document document(noting(12, 1000));
    for (const Mark& mark : shown(document, whole(document.index().duration())).marks) CHECK(mark.count == 1);
}

TEST_CASE("steals that fall together are counted, and the one at the playhead is drawn by itself") {
    Document document(made::parsed(made::machines()));
    REQUIRE(document.index().steals().size() == 3);
    document.selection().playhead = document.index().steals()[1] + 1;
    document.sync();
    const double end = static_cast<double>(document.index().duration());
    const Timeline far = shown(document, {-100 * end, 100 * end});
    REQUIRE(far.steals.size() == 2);
    CHECK(far.steals[0].at_playhead);
    CHECK_FALSE(far.steals[0].several);
    CHECK(far.steals[1].several);
    CHECK(far.steals[1].count == "3 steals");
    CHECK(far.steals[1].y0 == Approx(far.lanes[0].rect.middle_y()));
    CHECK(far.steals[1].y1 == Approx(far.lanes[2].rect.middle_y()));
}

TEST_CASE("the strip above the lanes has the least and the most that can run, as the replay counts them") {
    Document document(made::sample("04_mixed_go"));
    const TraceIndex& index = document.index();
    std::vector<std::size_t> lengths{0};  // by events before it
    for (std::size_t at = 1; at <= document.replay().size(); ++at) {
        document.selection().playhead = at;
        document.sync();
        std::size_t ready = 0;
        for (const trace::SetNow& set : document.replay().sets())
            if (index.set(set.index).role == trace::Role::ready) ready += set.members.size();
        lengths.push_back(ready);
    }
    CHECK(index.ready().most() == *std::max_element(lengths.begin(), lengths.end()));
    const Timeline timeline = shown(document, whole(index.duration()));
    const Plot& plot = timeline.ready;
    REQUIRE(plot.columns.size() > 100);
    CHECK(plot.rect.y1 <= timeline.lanes_area.y0);
    CHECK(plot.rect.x0 == timeline.lanes_area.x0);
    for (const PlotColumn& column : plot.columns) {
        const auto event = [&](float x) {
            const auto t = static_cast<std::uint64_t>(std::llround(std::max(0.0, timeline.scale.t(x))));
            return document.replay().index_at_time(t);
        };
        const auto length = [&](float y) {
            return (plot.rect.y1 - y) / (plot.rect.height() - 1) * static_cast<float>(index.ready().most());
        };
        const std::size_t first = column.x0 <= timeline.scale.x(0) ? 0 : event(column.x0);
        const auto [least, most] =
            std::minmax_element(lengths.begin() + static_cast<std::ptrdiff_t>(first),
                                lengths.begin() + static_cast<std::ptrdiff_t>(event(column.x1)) + 1);
        CHECK(length(column.low) == Approx(static_cast<double>(*least)).margin(0.01));
        CHECK(length(column.high) == Approx(static_cast<double>(*most)).margin(0.01));
    }
    CHECK(shown(Document(made::parsed(made::nested(3))), {0, 1000}).ready.rect.empty());
}

TEST_CASE("pinned lanes stay at the top, whatever is scrolled, filtered or folded") {
    Document document(made::parsed(made::round_robin(40, 8)));
    Selection& selection = document.selection();
    selection.chosen = 30;
    document.apply(Action::pin);
    document.apply(Action::pin_machines);
    CHECK(selection.lanes.pins == Pins{{0}, {30}});
    selection.scroll = 10;
    selection.lanes.filter = "worker";
    const Timeline timeline = shown(document, whole(document.index().duration()), 300);
    REQUIRE(timeline.lanes.size() > 4);
    CHECK(timeline.lanes[0].machine);
    CHECK(timeline.lanes[1].id == 30);
    CHECK(timeline.lanes[1].pinned);
    CHECK_FALSE(timeline.lanes[2].pinned);
    CHECK(timeline.pinned_end == Approx(timeline.lanes[2].rect.y0));
    CHECK(timeline.lanes[2].id == 11);
    CHECK(std::count_if(timeline.lanes.begin(), timeline.lanes.end(), [](const Lane& l) { return l.id == 30; }) == 1);
    CHECK(*lane_middle(timeline, 30) == Approx(timeline.lanes[1].rect.middle_y()));
    INFO("what is scrolled away ends where the pinned lanes do");
    CHECK(*lane_middle(timeline, 3) == timeline.pinned_end);
    for (const Arrow& arrow : timeline.arrows) CHECK(std::min(arrow.y0, arrow.y1) >= timeline.lanes_area.y0);
    selection.lanes.filter = "nothing";
    CHECK(shown(document, {0, 100}).lanes.size() == 2);
    document.apply(Action::pin);
    document.apply(Action::pin_machines);
    CHECK(selection.lanes.pins == Pins());
}

TEST_CASE("a lane below the pinned ones is scrolled into sight, a pinned one is there already") {
    Document document(made::parsed(made::round_robin(40, 8)));
    Selection& selection = document.selection();
    selection.lanes.pins = {{0}, {30, 31}};
    selection.scroll = 20;
    const auto wanted = [&](std::uint32_t co) { return scroll_to_see(shown(document, {0, 1000}, 300), co); };
    CHECK_FALSE(wanted(30));
    for (const std::uint32_t co : {1U, 20U, 40U}) {
        const auto scroll = wanted(co);
        REQUIRE(scroll);
        selection.scroll = std::max(0.0F, *scroll);
        CHECK_FALSE(wanted(co));
        const Timeline timeline = shown(document, {0, 1000}, 300);
        CHECK(std::any_of(timeline.lanes.begin(), timeline.lanes.end(),
                          [&](const Lane& lane) { return !lane.machine && lane.id == co; }));
    }
}

TEST_CASE("more pinned lanes than half of the room scroll like the others") {
    Document document(made::parsed(made::round_robin(40, 8)));
    for (std::uint32_t co = 0; co < 30; ++co) document.selection().lanes.pins.coroutines.push_back(co);
    const Timeline timeline = shown(document, {0, 1000}, 300);
    CHECK(timeline.pinned_end < timeline.lanes_area.middle_y() + timeline.lane_height);
    CHECK(timeline.lanes.size() > 8);
}

TEST_CASE("by machine, the coroutines of a pinned machine have a heading") {
    Document document(made::parsed(made::machines()));
    document.selection().lanes.order = LaneOrder::machine;
    document.selection().lanes.pins.machines = {1};
    const LaneTable table(document.replay(), document.index(), document.selection().lanes);
    CHECK(table.pinned() == 1);
    std::vector<std::string> headings;
    for (std::uint32_t place = 0; place < table.size(); ++place)
        if (table.row(place).kind == LaneRow::Kind::heading) headings.push_back(table.heading(table.row(place)));
    CHECK(headings == std::vector<std::string>{"machine 1", "ran on no machine yet"});
}

TEST_CASE("the field of the search covers no panel") {
    std::map<std::string, std::string> found;
    for (const made::Screenful size : {made::Screenful{1280, 720, 15}, made::Screenful{390, 844, 15}}) {
        made::Reader reader(Language::english, size);
        const auto workspace = reader.open({made::sample("04_mixed")});
        workspace->apply(Action::search);
        reader.look(*workspace, "search", found);
        const Rect field = workspace->overlays().search.room();
        CHECK(field.height() > size.em);
        REQUIRE_FALSE(workspace->panels().empty());
        for (const auto& [name, panel] : workspace->panels()) CHECK(panel.y0 >= field.y1);
    }
}
