// Shared stacks, the marks of copies and of the hazard, pools and the legend: all without a screen.
#include <algorithm>

#include "traces/check/checker.h"
#include "traces/words/words.h"
#include "viewer/layout/page/legend.h"
#include "viewer/layout/stacks/shared_stacks.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/playhead.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kPanel{10, 20, 450, 520};

SharedStacks stacks_at(Document& document, std::size_t playhead, Rect area = kPanel, float scroll = 0) {
    made::put_playhead(document, playhead);
    return layout_shared_stacks({document.replay(), document.index(), area, {}, scroll});
}

bool is_copy_in(const trace::Event& e) {
    return e.kind == trace::Kind::copy && e.first<trace::Direction>() == trace::Direction::in;
}
bool is_copy_out(const trace::Event& e) { return e.kind == trace::Kind::copy && !is_copy_in(e); }

Timeline timeline_of(Document& document, float height = 600) {
    return layout_timeline(
        {document.replay(), document.index(), document.selection(), {10, 20, 1610, 20 + height}, {}});
}

std::vector<Mark> marks_of(const Timeline& timeline, MarkKind kind) {
    std::vector<Mark> marks;
    std::copy_if(timeline.marks.begin(), timeline.marks.end(), std::back_inserter(marks),
                 [&](const Mark& mark) { return mark.kind == kind; });
    return marks;
}

}  // namespace

TEST_CASE("the traces generated for these tests satisfy the format") {
    for (const std::string& text : {made::shared_stacks(4, 1, 4), made::shared_stacks(4, 2, 4),
                                    made::shared_stacks(4, 4, 4), made::hazard(), made::pool()})
        CHECK(!trace::check(made::parsed(text)).has_value());
}

TEST_CASE("a shared stack shows its occupant, the images to a common scale, and the totals") {
    Document document(made::parsed(made::shared_stacks(4, 1, 4)));
    const SharedStacks start = stacks_at(document, 0);
    REQUIRE(start.boxes.size() == 1);
    CHECK(start.boxes[0].owner == trace::kNone);
    CHECK(start.boxes[0].owner_words == "no coroutine is on it");
    CHECK(start.boxes[0].out_words == "0 copies out, 0 B");
    REQUIRE(start.boxes[0].rows.size() == 4);
    CHECK(start.heading == "1 shared stack: 0 copies, 0 B");

    const std::size_t in = made::after(document, is_copy_in, 0);
    const trace::Event& event = document.replay().trace()[in - 1];
    const SharedStacks now = stacks_at(document, in);
    const SharedStackBox& box = now.boxes[0];
    CHECK(box.owner == event.co);
    CHECK(box.owner_words == document.replay().trace().name(event.co) + " is on it");
    CHECK(box.in_words.find("1 copy in, ") == 0);
    for (const TenantRow& row : box.rows) {
        CHECK(row.owns == (row.co == box.owner));
        if (row.owns) {
            CHECK(row.image.empty());
            CHECK(row.words == "is on it");
            continue;
        }
        const trace::CoroutineNow& tenant = document.replay().coroutine(row.co);
        REQUIRE(tenant.saved);
        const float scale = row.room.width() / static_cast<float>(document.index().largest_image());
        CHECK(row.image.width() == Approx(scale * static_cast<float>(tenant.copied)).margin(1));
        CHECK(row.buffer.width() == Approx(scale * static_cast<float>(tenant.capacity)).margin(1));
        CHECK(row.image.x1 <= row.buffer.x1);
        CHECK(row.buffer.x1 <= row.room.x1 + 0.01F);
    }
}

TEST_CASE("shared stacks are in two columns if one is too high, and invisible ones are not laid out") {
    Document document(made::parsed(made::shared_stacks(4, 4, 3)));
    const SharedStacks tall = stacks_at(document, 20);
    REQUIRE(tall.boxes.size() == 4);
    for (const SharedStackBox& box : tall.boxes) CHECK(box.rect.x0 == kPanel.x0);
    const SharedStacks low = stacks_at(document, 20, {10, 20, 450, 220});
    REQUIRE(low.boxes.size() == 4);
    CHECK(low.content_height < tall.content_height);
    CHECK(low.boxes[0].rect.x1 < low.boxes[1].rect.x0);
    CHECK(low.boxes[1].rect.x1 <= 450.01F);
    CHECK(low.boxes[2].rect.y0 >= low.boxes[0].rect.y1);
    Document crowd(made::parsed(made::shared_stacks(26, 1, 3)));
    const SharedStacks some = stacks_at(crowd, 40, {0, 0, 300, 200}, 250);
    REQUIRE(some.boxes.size() == 1);
    CHECK(some.boxes[0].rows.size() < 14);
    CHECK(some.boxes[0].rows.front().co > 1);
}

TEST_CASE("copies are marked on the lanes of the copied coroutines, before their switch") {
    Document document(made::parsed(made::shared_stacks(4, 2, 4)));
    const Timeline timeline = timeline_of(document);
    const trace::Trace& trace = document.replay().trace();
    const auto out = marks_of(timeline, MarkKind::copy_out), in = marks_of(timeline, MarkKind::copy_in);
    CHECK(out.size() + in.size() == document.index().copies().size());
    CHECK(static_cast<std::size_t>(std::count_if(
              out.begin(), out.end(), [&](const Mark& m) { return is_copy_out(trace[m.event]); })) == out.size());
    for (const Mark& mark : timeline.marks) {
        const trace::Event& event = trace[mark.event];
        const Lane* lane = timeline.lane_at(mark.at.y);
        REQUIRE(lane != nullptr);
        CHECK(lane->id == event.co);
        const float moment = timeline.scale.x(static_cast<double>(event.t));
        CHECK(mark.at.x + mark.size < moment);
        CHECK(mark.at.x + mark.size > moment - 8);
        if (!mark.text.empty()) CHECK(mark.text == trace::grouped(event.x));
    }
    CHECK(std::any_of(in.begin(), in.end(), [](const Mark& mark) { return !mark.text.empty(); }));
    for (const Mark& a : timeline.marks)
        for (const Mark& b : timeline.marks)
            if (&a != &b && a.at.y == b.at.y) CHECK(std::abs(a.at.x - b.at.x) >= a.size + b.size - 0.01F);
}

TEST_CASE("copies that are too close are one mark, and zooming in separates them") {
    Document document(made::parsed(made::shared_stacks(4, 1, 400)));
    const Timeline all = timeline_of(document);
    const auto several = [](const Timeline& timeline) {
        return std::count_if(timeline.marks.begin(), timeline.marks.end(), [](const Mark& m) { return m.count > 1; });
    };
    CHECK(several(all) > 0);
    CHECK(all.marks.size() < 4 * 1600 / 10);
    document.apply(Action::focus);
    const Timeline near = timeline_of(document);
    CHECK(several(near) == 0);
    CHECK_FALSE(marks_of(near, MarkKind::copy_out).empty());
}

TEST_CASE("an address of another's local is a hazard on the lane of the coroutine that uses it") {
    Document document(made::parsed(made::hazard()));
    CHECK(document.index().has_hazards());
    const Timeline timeline = timeline_of(document);
    const auto hazards = marks_of(timeline, MarkKind::hazard);
    REQUIRE(hazards.size() == 2);
    CHECK(timeline.lane_at(hazards[0].at.y)->name == "main");
    CHECK(timeline.lane_at(hazards[1].at.y)->name == "B");
    // It follows the switch of the same time; at the end of the time axis it stays inside.
    const auto moment = [&](const Mark& mark) {
        return timeline.scale.x(static_cast<double>(document.replay().trace()[mark.event].t));
    };
    CHECK(hazards[1].at.x > moment(hazards[1]));
    CHECK(hazards[0].at.x + 1.3F * hazards[0].size < timeline.lanes_area.x1);
    CHECK(marks_of(timeline, MarkKind::access).size() == 2);
    CHECK_FALSE(Document(made::parsed(made::shared_stacks(2, 1, 2))).index().has_hazards());
}

TEST_CASE("the legend explains the signs that the traces use, and wraps") {
    const auto words = [](const Document& document, float width) {
        const LegendSource source{&document.replay().trace(), &document.index()};
        std::vector<std::string> all;
        const Legend legend = layout_legend(std::span(&source, 1), width, {});
        for (const LegendItem& item : legend.items) {
            all.push_back(item.word);
            CHECK(item.place.x0 >= 0);
            CHECK(item.place.x1 + 0.35F * 16 + 9.0F * static_cast<float>(item.word.size()) <= width);
            CHECK(item.place.y1 <= legend.height);
        }
        return all;
    };
    const auto has = [](const std::vector<std::string>& all, const char* word) {
        return std::find(all.begin(), all.end(), word) != all.end();
    };
    const auto shared = words(Document(made::parsed(made::hazard())), 300);
    CHECK(has(shared, "copied out"));
    CHECK(has(shared, "copied in"));
    CHECK(has(shared, "another's address"));
    CHECK(has(shared, "READY (new)"));
    CHECK(has(shared, "RUNNING"));
    CHECK(has(shared, "normal"));
    const auto plain = words(Document(made::parsed(made::round_robin(3, 4))), 2000);
    CHECK_FALSE(has(plain, "copied out"));
    CHECK(has(plain, "running"));
}

TEST_CASE("the members of a pool at the playhead are listed, and whose memory is reused") {
    Document document(made::parsed(made::pool()));
    const auto rows_at = [&](std::size_t playhead) {
        made::put_playhead(document, playhead);
        return set_rows(document.replay(), kMostSets, 10);
    };
    CHECK(rows_at(1).empty());
    const auto both = rows_at(10);
    REQUIRE(both.size() == 1);
    CHECK(both[0].name == "fiber pool");
    CHECK(both[0].words == "2 that can be used again");
    REQUIRE(both[0].members.size() == 2);
    CHECK(both[0].members[1].name == "second");
    CHECK(both[0].members[1].state == trace::State::dead);
    CHECK(set_rows(document.replay(), kMostSets, 1)[0].left_out == 1);
    CHECK(rows_at(12)[0].members.size() == 1);
    const auto why = [&](std::uint32_t co) {
        const auto tree = document.index().tree();
        for (std::size_t n = 0; n < tree.size(); ++n)
            if (tree[n].co == co) return state_row(document.replay(), document.index(), n).why;
        return std::string();
    };
    CHECK(why(1).find("TERM: it waits in fiber pool to be used again; it ended") == 0);
    CHECK(why(2).find("TERM: third reuses its memory; it ended") == 0);
    CHECK(why(3).find("READY: has the memory of second; was created just now") == 0);
    CHECK(sets_height(document.index(), 16, false) > 0);
    CHECK(sets_height(Document(made::parsed(made::round_robin(2, 2))).index(), 16, false) == 0);
}
