// Display at low zoom: shares of states, merged marks, the length of the ready queue; and pinned lanes.
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
#include "viewer/tests/stage/playhead.h"
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

/// A thread with `notes` notes, one every `apart` ns, and a fault in the middle.
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

/// Number of events that the marks represent.
std::size_t counted(const Timeline& timeline) {
    std::size_t count = 0;
    for (const Mark& mark : timeline.marks) count += mark.count;
    return count;
}

}  // namespace

TEST_CASE("coinciding marks are merged and counted, in the colour of the most important") {
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

TEST_CASE("a merged mark lists counts by kind, the most important first, and how many more there are") {
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

TEST_CASE("merging does not depend on where the view begins, and counts every mark once") {
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

TEST_CASE("marks with enough distance are drawn individually") {
    const Document document(noting(12, 1000));
    for (const Mark& mark : shown(document, whole(document.index().duration())).marks) CHECK(mark.count == 1);
}

TEST_CASE("the strip above the lanes shows the minimum and maximum of runnable tasks, as counted by the replay") {
    Document document(made::sample("04_mixed_go"));
    const TraceIndex& index = document.index();
    std::vector<std::size_t> lengths{0};  // by number of events before it
    for (std::size_t at = 1; at <= document.replay().size(); ++at) {
        made::put_playhead(document, at);
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

TEST_CASE("pinned lanes stay at the top despite scrolling, filters and folding") {
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
    INFO("scrolled lanes end at the pinned ones");
    CHECK(*lane_middle(timeline, 3) == timeline.pinned_end);
    for (const Arrow& arrow : timeline.arrows) CHECK(std::min(arrow.y0, arrow.y1) >= timeline.lanes_area.y0);
    selection.lanes.filter = "nothing";
    CHECK(shown(document, {0, 100}).lanes.size() == 2);
    document.apply(Action::pin);
    document.apply(Action::pin_machines);
    CHECK(selection.lanes.pins == Pins());
}

namespace {

Timeline dense(const Document& document, Range visible, float width = 900) {
    Selection selection = document.selection();
    selection.visible = visible;
    return layout_timeline({document.replay(), document.index(), selection, {0, 0, width, 2000}, {}});
}

/// Adds the parts of [begin, end], in which machine m runs, that are within [from, to]: idle times by kind, else
/// running.
void count_running(const Document& document, std::uint32_t m, Range run, Range bucket, LaneTimes& times) {
    const auto both = [](Range a, Range b) { return std::max(0.0, std::min(a.to, b.to) - std::max(a.from, b.from)); };
    const Range part{std::max(run.from, bucket.from), std::min(run.to, bucket.to)};
    if (part.span() <= 0) return;
    double worked = part.span();
    for (const trace::IdleSpan& span : document.index().idle().of(m)) {
        const double idle = both({static_cast<double>(span.from), static_cast<double>(span.to)}, part);
        times.ns[LaneTimes::of(span.kind)] += idle;
        worked -= idle;
    }
    times.ns[LaneTimes::of(trace::State::running)] += worked;
}

/// Times of a lane in a bucket, computed from all its stretches.
LaneTimes counted(const Document& document, const Lane& lane, Range bucket) {
    LaneTimes times;
    if (!lane.machine) {
        for (const trace::Stretch& s : document.replay().stretches(lane.id)) {
            const Range all{static_cast<double>(s.from), static_cast<double>(s.to)};
            if (s.state == trace::State::running)
                count_running(document, s.machine, all, bucket, times);
            else
                times.ns[LaneTimes::of(s.state)] +=
                    std::max(0.0, std::min(all.to, bucket.to) - std::max(all.from, bucket.from));
        }
        return times;
    }
    const auto runs = document.index().runs(lane.id);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto time = [&](std::size_t n) { return static_cast<double>(document.replay().trace().time(runs[n])); };
        const double end = i + 1 < runs.size() ? time(i + 1) : static_cast<double>(document.index().duration());
        count_running(document, lane.id, {time(i), end}, bucket, times);
    }
    return times;
}

/// Checks all buckets and returns their number.
std::size_t check_buckets(const Document& document, Range visible) {
    const Timeline timeline = dense(document, visible);
    std::size_t buckets = 0;
    for (const Zone& zone : timeline.zones) {
        if (!zone.merged) continue;
        ++buckets;
        const Lane* lane = timeline.lane_at(zone.rect.middle_y());
        REQUIRE(lane != nullptr);
        const LaneTimes times = counted(document, *lane, {zone.from, zone.to});
        double sum = 0;
        for (std::size_t i = 0; i < zone.shares.size(); ++i) {
            CAPTURE(lane->name, zone.from, zone.to, i);
            CHECK(static_cast<double>(zone.shares[i]) == Approx(times.ns[i] / (zone.to - zone.from)).margin(1e-5));
            sum += static_cast<double>(zone.shares[i]);
        }
        CHECK(sum == Approx(1).margin(1e-5));
    }
    return buckets;
}

}  // namespace

TEST_CASE("the shares of a bucket are the times of the lane's states, and their sum is the bucket") {
    for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
        const Document document(
            made::parsed(trace::testing::scheduler_trace({.seed = seed, .events = 4000, .registers = false})));
        const double end = static_cast<double>(document.index().duration());
        CHECK(check_buckets(document, {0, end}) > 100);
        check_buckets(document, {0.37 * end, 0.61 * end});
    }
    for (const char* name : {"04_mixed_go", "04_mixed_sylar_spinning", "05_clients_go"}) {
        const Document document(made::sample(name));
        CHECK(check_buckets(document, whole(document.index().duration())) > 50);
    }
}

TEST_CASE("sums over a lane of a million stretches are exact") {
    const Document document(made::parsed(made::round_robin(2, 5000)));
    CHECK(check_buckets(document, whole(document.index().duration())) > 50);
}

TEST_CASE("the bars of a bucket are stacked, and have their shares as text") {
    const Document document(made::sample("04_mixed_go"));
    const Timeline timeline = dense(document, whole(document.index().duration()));
    const auto zone = std::find_if(timeline.zones.begin(), timeline.zones.end(), [](const Zone& z) {
        return z.merged && !z.on_machine && share_bars(z, Theme::dark).size() >= 2;
    });
    REQUIRE(zone != timeline.zones.end());
    const std::vector<ShareBar> bars = share_bars(*zone, Theme::dark);
    CHECK(bars.front().rect.y1 == zone->rect.y1);
    CHECK(bars.back().rect.y0 == Approx(zone->rect.y0).margin(0.01));
    for (std::size_t i = 1; i < bars.size(); ++i) CHECK(bars[i].rect.y1 == bars[i - 1].rect.y0);
    Zone half;
    half.shares[LaneTimes::of(trace::State::ready)] = 0.25F;
    half.shares[LaneTimes::of(trace::State::running)] = 0.75F;
    CHECK(share_words(half, Language::english) == "running 75 %, ready 25 %");
}
