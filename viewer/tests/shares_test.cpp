// Lanes in which more happens than pixels can show: the shares of their states in buckets of time.
#include <algorithm>
#include <cmath>

#include "testing/catch.h"
#include "traces/tests/generator.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

Timeline dense(const Document& document, Range visible, float width = 900) {
    Selection selection = document.selection();
    selection.visible = visible;
    return layout_timeline({document.replay(), document.index(), selection, {0, 0, width, 2000}, {}});
}

/// Adds what of [begin, end], in which machine m runs, lies within [from, to]: idle in its ways, else running.
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

/// What a lane does in a bucket, by going through all that it ever does.
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

/// How many buckets there are, all of them checked.
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

TEST_CASE("the shares of a bucket are what the lane did in it, and their sum is the bucket") {
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

TEST_CASE("a lane of a million stretches is summed as one of a few") {
    const Document document(made::parsed(made::round_robin(2, 5000)));
    CHECK(check_buckets(document, whole(document.index().duration())) > 50);
}

TEST_CASE("panning by whole buckets shows the same picture elsewhere") {
    const Document document(made::sample("04_mixed_go"));
    const double end = static_cast<double>(document.index().duration());
    const Timeline here = dense(document, {0, 0.7 * end});
    const double bucket = bucket_span(here.scale);
    for (const int by : {1, 3, 11}) {
        const Timeline there = dense(document, {by * bucket, 0.7 * end + by * bucket});
        REQUIRE(bucket_span(there.scale) == bucket);
        const float moved = here.scale.x(0) - there.scale.x(0);
        std::size_t same = 0;
        for (const Zone& zone : here.zones) {
            if (zone.rect.x0 - moved <= there.lanes_area.x0 || zone.rect.x1 >= here.lanes_area.x1) continue;
            CAPTURE(by, zone.from, zone.to);
            CHECK(std::any_of(there.zones.begin(), there.zones.end(), [&](const Zone& z) {
                return z.merged == zone.merged && z.from == zone.from && z.to == zone.to && z.shares == zone.shares &&
                       z.rect.y0 == zone.rect.y0 && std::abs(z.rect.x0 + moved - zone.rect.x0) < 0.1F &&
                       std::abs(z.rect.x1 + moved - zone.rect.x1) < 0.1F;
            }));
            ++same;
        }
        CHECK(same > 100);
    }
}

TEST_CASE("the bars of a bucket lie one upon the other, and say their shares") {
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
