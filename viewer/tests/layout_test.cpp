// The timeline, the frame and the axis, computed without a screen.
#include <algorithm>
#include <cctype>
#include <set>

#include "viewer/layout/base/look.h"
#include "viewer/layout/page/frame.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/playhead.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kArea{10, 20, 1010, 620};

Timeline timeline_of(Document& document, float scroll = 0) {
    return layout_timeline({document.replay(), document.index(), document.selection(), kArea, {}, scroll});
}

const Lane& lane_of(const Timeline& timeline, std::uint32_t co) {
    const auto found = std::find_if(timeline.lanes.begin(), timeline.lanes.end(),
                                    [&](const Lane& lane) { return !lane.machine && lane.id == co; });
    REQUIRE(found != timeline.lanes.end());
    return *found;
}

std::vector<Zone> zones_in(const Timeline& timeline, const Lane& lane) {
    std::vector<Zone> zones;
    for (const Zone& zone : timeline.zones)
        if (zone.rect.y0 >= lane.rect.y0 && zone.rect.y1 <= lane.rect.y1) zones.push_back(zone);
    return zones;
}

}  // namespace

TEST_CASE("zones are at their times, and show the state") {
    Document document(made::parsed(made::round_robin(3, 4)));
    const Timeline timeline = timeline_of(document);
    for (std::uint32_t co = 0; co < 4; ++co) {
        const Lane& lane = lane_of(timeline, co);
        const auto stretches = document.replay().stretches(co);
        const std::vector<Zone> zones = zones_in(timeline, lane);
        REQUIRE_FALSE(zones.empty());
        for (const Zone& zone : zones) {
            CHECK(zone.co == co);
            CHECK(zone.rect.x0 >= lane.rect.x0);
            CHECK(zone.rect.x1 <= lane.rect.x1);
            if (zone.merged) continue;
            const auto from = std::find_if(stretches.begin(), stretches.end(), [&](const auto& stretch) {
                return static_cast<double>(stretch.from) == zone.from && static_cast<double>(stretch.to) == zone.to;
            });
            REQUIRE(from != stretches.end());
            CHECK(zone.state == from->state);
            CHECK(zone.rect.x0 == Approx(timeline.scale.x(zone.from)).margin(0.5));
            CHECK(zone.rect.x1 == Approx(timeline.scale.x(zone.to)).margin(0.5));
        }
    }
}

TEST_CASE("zones of a lane neither overlap nor leave gaps") {
    Document document(made::parsed(made::round_robin(20, 60)));
    const Timeline timeline = timeline_of(document);
    for (std::uint32_t co = 0; co < 21; ++co) {
        const std::vector<Zone> zones = zones_in(timeline, lane_of(timeline, co));
        REQUIRE_FALSE(zones.empty());
        for (std::size_t i = 1; i < zones.size(); ++i)
            CHECK(zones[i].rect.x0 == Approx(zones[i - 1].rect.x1).margin(0.01));
        CHECK(zones.front().from == static_cast<double>(document.replay().stretches(co).from(0)));
        CHECK(zones.back().to == static_cast<double>(document.index().duration()));
    }
}

TEST_CASE("a machine's lane names the running coroutine, without gaps") {
    Document document(made::parsed(made::round_robin(3, 4)));
    const Timeline timeline = timeline_of(document);
    const std::vector<Zone> zones = zones_in(timeline, timeline.lanes[0]);
    REQUIRE(zones.size() > 4);
    for (std::size_t i = 0; i + 1 < zones.size(); ++i) CHECK(zones[i].to == zones[i + 1].from);
    CHECK(std::any_of(zones.begin(), zones.end(), [](const Zone& zone) { return zone.text == "worker 02"; }));
}

namespace {

/// Texts on the lane of a coroutine with these frames when it begins, calls, and leaves.
std::vector<std::string> frames_on_lane(const std::string& backend, const std::string& begins, const std::string& calls,
                                        const std::string& leaves) {
    Document document(made::parsed(R"({"fiberscope":1,"meta":{"lab":"04_scheduler"},"events":[
{"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"},
{"t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"a","backend":")" +
                                   backend + R"("},
{"t":0,"m":0,"ev":"frame","co":1,"op":"call","frames":")" +
                                   begins + R"("},
{"t":1000,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal"},
{"t":2000,"m":0,"ev":"frame","co":1,"op":"call","frames":")" +
                                   calls + R"("},
{"t":3000,"m":0,"ev":"frame","co":1,"op":"at","frames":")" +
                                   leaves + R"("},
{"t":3000,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended"},
{"t":5000,"m":0,"ev":"note","text":"later"}
],"end":{"events":8,"dropped":0}})"));
    std::vector<std::string> texts;
    for (const Zone& zone : timeline_of(document).zones)
        if (zone.co == 1 && !zone.on_machine && zone.from > 0) texts.push_back(zone.text);
    return texts;
}

}  // namespace

TEST_CASE("a lane shows the first frame of a stretch, for an interpreter's coroutine and a C++20 one") {
    CHECK(frames_on_lane("interpreter", "main+0 n=3", "visit+0 room=3; main+2 n=3", "visit+4 room=3; main+2 n=3") ==
          std::vector<std::string>{"R main+0", "S visit+4"});
    CHECK(frames_on_lane("stackless", "tour", "visit; tour:31", "visit:17; tour:31") ==
          std::vector<std::string>{"R tour", "S visit:17"});
}

TEST_CASE("an arrow leads from the lane that is left to the lane that is entered") {
    Document document(made::parsed(made::round_robin(3, 4)));
    document.selection().chosen = 2;
    const Timeline timeline = timeline_of(document);
    REQUIRE(timeline.arrows.size() >= document.index().switches().size() / 2);
    for (const Arrow& arrow : timeline.arrows) {
        if (arrow.merged) continue;
        const trace::Event& event = document.replay().trace()[arrow.event];
        CHECK(arrow.y0 == Approx(lane_of(timeline, event.co).rect.middle_y()));
        CHECK(arrow.y1 == Approx(lane_of(timeline, event.other).rect.middle_y()));
        CHECK(arrow.x == Approx(timeline.scale.x(static_cast<double>(event.t))));
        CHECK(arrow.of_chosen == (event.co == 2 || event.other == 2));
    }
}

TEST_CASE("dense arrows are merged, except the one at the playhead") {
    Document document(made::parsed(made::round_robin(20, 200)));
    const auto switches = document.index().switches();
    made::put_playhead(document, switches[switches.size() / 2] + 1);
    const Timeline timeline = timeline_of(document);
    CHECK(timeline.arrows.size() <= static_cast<std::size_t>(timeline.lanes_area.width() / kThinnest) + 2);
    CHECK(std::any_of(timeline.arrows.begin(), timeline.arrows.end(), [](const Arrow& a) { return a.merged; }));
    const auto now = std::count_if(timeline.arrows.begin(), timeline.arrows.end(),
                                   [](const Arrow& a) { return a.at_playhead && !a.merged; });
    CHECK(now == 1);
}

TEST_CASE("the chosen coroutine's switches are drawn individually if there are few, and merged if there are many") {
    Document few(made::parsed(made::round_robin(20, 8)));
    few.selection().chosen = 7;
    std::size_t switches = 0;
    for (const std::uint32_t n : few.replay().events_of(7))
        if (few.replay().trace()[n].kind == trace::Kind::switch_) ++switches;
    std::set<std::uint32_t> drawn;
    for (const Arrow& arrow : timeline_of(few).arrows)
        if (arrow.of_chosen && !arrow.merged) drawn.insert(arrow.event);
    CHECK(drawn.size() == switches);

    Document many(made::parsed(made::round_robin(2, 5000)));
    many.selection().chosen = 1;
    many.apply(Action::home);
    const double end = static_cast<double>(many.index().duration());
    const auto merged = [&](double part) {
        many.selection().visible = {0, part * end};
        const std::vector<Arrow> arrows = timeline_of(many).arrows;
        return std::count_if(arrows.begin(), arrows.end(), [](const Arrow& a) { return a.merged; });
    };
    INFO("very many per column of pixels are shown only by the shares of the lanes");
    CHECK(merged(1) == 0);
    CHECK(std::max({merged(0.5), merged(0.25), merged(0.12), merged(0.06)}) > 100);
}

TEST_CASE("the playhead is at the time of its event") {
    Document document(made::parsed(made::round_robin(3, 4)));
    for (const std::size_t playhead : {std::size_t{1}, std::size_t{9}, document.replay().size()}) {
        made::put_playhead(document, playhead);
        const Timeline timeline = timeline_of(document);
        const auto t = static_cast<double>(document.replay().trace()[playhead - 1].t);
        CHECK(timeline.playhead_x == Approx(timeline.scale.x(t)));
        CHECK(timeline.lanes_area.contains({timeline.playhead_x, timeline.lanes_area.middle_y()}));
    }
}

TEST_CASE("only the visible ones of ten thousand lanes are laid out, and scrolling reaches the last") {
    Document document(made::parsed(made::round_robin(10000, 2)));
    const Timeline top = timeline_of(document);
    CHECK(top.lanes.size() < 60);
    CHECK(top.lanes.front().name == "machine 0");
    const Timeline bottom = timeline_of(document, 1e9F);
    CHECK(bottom.lanes.size() < 60);
    CHECK(bottom.lanes.back().name == "worker 10000");
    CHECK(bottom.lanes.back().rect.y1 == Approx(kArea.y1).margin(1));
    CHECK(bottom.scroll == Approx(bottom.content_height - bottom.lanes_area.height()).margin(1));
}

TEST_CASE("the lane and zone under the mouse are found") {
    Document document(made::parsed(made::round_robin(3, 4)));
    const Timeline timeline = timeline_of(document);
    const Zone& zone = timeline.zones.back();
    CHECK(timeline.zone_at({zone.rect.middle_x(), zone.rect.middle_y()}) == &zone);
    CHECK(timeline.zone_at({kArea.x0 - 5, kArea.y0}) == nullptr);
    CHECK(timeline.lane_at(timeline.lanes[2].rect.middle_y()) == &timeline.lanes[2]);
    CHECK(timeline.lane_at(kArea.y0) == nullptr);
}

TEST_CASE("each kind of idleness has a colour, a pattern and a letter that no state has") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        std::vector<const Look*> all;
        for (const trace::State state : kLegendOrder) all.push_back(&look(state, theme));
        for (const trace::Idle idle : kIdleOrder) all.push_back(&look(idle, theme));
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i + 1; j < all.size(); ++j) {
                CHECK_FALSE(all[i]->fill == all[j]->fill);
                CHECK(all[i]->pattern != all[j]->pattern);
                CHECK(all[i]->letter != all[j]->letter);
                CHECK(std::tolower(all[i]->letter[0]) != std::tolower(all[j]->letter[0]));
            }
    }
}

TEST_CASE("a machine that polls is drawn as idle on its lane and on the lane of the coroutine that runs there") {
    made::TraceScript script("idle");
    script.thread(0, "main");
    script.spend(100);
    script.event("\"poll\",\"phase\":\"enter\",\"timeout\":800");
    script.spend(800);
    script.event("\"poll\",\"phase\":\"leave\",\"ready\":1");
    script.spend(100);
    script.event("\"note\",\"text\":\"the end\"");
    Document document(made::parsed(script.finish()));
    const Timeline timeline = timeline_of(document);
    CHECK(timeline.lanes[0].note == "20 % busy");
    CHECK(timeline.lanes[1].note.empty());
    for (const Lane& lane : timeline.lanes) {
        const std::vector<Zone> zones = zones_in(timeline, lane);
        REQUIRE(zones.size() == 3);
        CHECK(zones[0].idle == trace::Idle::none);
        CHECK(zones[1].idle == trace::Idle::polls);
        CHECK(zones[1].from == 100);
        CHECK(zones[1].to == 900);
        CHECK(zones[1].text == (lane.machine ? "P polls" : "P"));
        CHECK(zones[2].idle == trace::Idle::none);
    }
    made::put_playhead(document, 2);
    CHECK(idle_now(document.replay(), document.index(), 0) == trace::Idle::polls);
    CHECK(state_row(document.replay(), document.index(), 0).why.find("in the poller") != std::string::npos);
}

TEST_CASE("lanes shrink to five pixels so that all are visible, and then have no letters") {
    Document document(made::parsed(made::round_robin(90, 3)));
    const Timeline usual = timeline_of(document);
    CHECK(usual.lane_height > 16);
    TimelineRequest request{document.replay(), document.index(), document.selection(), kArea, {}};
    request.least_lane = 5;
    const Timeline low = layout_timeline(request);
    CHECK(low.lanes.size() == 92);
    CHECK(low.lane_height >= 5);
    CHECK(low.content_height <= kArea.height());
    for (const Zone& zone : low.zones) CHECK(zone.text.empty());
}

TEST_CASE("the axis has round ticks with one unit, far enough apart") {
    const TimeScale scale{{0, 123456}, 0, 1000};
    const std::vector<Tick> all = ticks(scale, 100);
    std::vector<Tick> labelled;
    std::copy_if(all.begin(), all.end(), std::back_inserter(labelled), [](const Tick& t) { return !t.label.empty(); });
    REQUIRE(labelled.size() >= 4);
    REQUIRE(labelled.size() <= 10);
    CHECK(labelled[1].label == "20 µs");
    for (std::size_t i = 0; i + 1 < labelled.size(); ++i)
        CHECK(scale.x(labelled[i + 1].t) - scale.x(labelled[i].t) >= 99.9F);
    const std::vector<Tick> fine = ticks({{1000000, 1000030}, 0, 1000}, 100);
    CHECK(std::any_of(fine.begin(), fine.end(),
                      [](const Tick& tick) { return tick.label == "1000.005 µs" || tick.label == "1.000005 ms"; }));
}

TEST_CASE("zooming keeps the time under the cursor and stays within the trace") {
    const std::uint64_t duration = 100000;
    const Range all = whole(duration);
    const Range in = zoomed(all, 25000, 0.5, duration);
    const TimeScale before{all, 0, 1000}, after{in, 0, 1000};
    CHECK(after.x(25000) == Approx(before.x(25000)));
    CHECK(in.span() == Approx(all.span() / 2));
    CHECK(zoomed(in, 25000, 1000, duration).span() == Approx(all.span()));
    CHECK(zoomed(in, 25000, 1e-9, duration).span() == Approx(10));
    CHECK(panned(in, 1e12, duration).to == Approx(all.to));
    CHECK(panned(in, -1e12, duration).from == Approx(all.from));
    CHECK(following(in, 90000, duration).contains(90000));
    CHECK(following(in, 25000, duration).from == in.from);
}

TEST_CASE("a maximized panel gets the room of all others except the sentence and the playback") {
    for (const bool present : {false, true})
        for (const auto& [width, height] : {std::pair{1280.0F, 720.0F}, {390.0F, 844.0F}, {844.0F, 390.0F}}) {
            Wishes wishes{.timeline = 400, .states = 300, .sets = 300, .present = present};
            wishes.maximized = &Frame::sets;
            const Frame f = layout_frame({0, 0, width, height}, 15, wishes);
            CHECK(f.sets.width() > 0.95F * width);
            CHECK(f.sets.height() > height - (present ? 12 : 15) * 15.0F);
            CHECK(f.sentence.y1 <= f.sets.y0);
            for (const Rect& other : {f.timeline, f.legend, f.states, f.events, f.tabs}) CHECK(other.empty());
            CHECK(f.playback.empty() == present);
            INFO("there are no shared stacks");
            wishes.maximized = &Frame::stacks;
            CHECK(layout_frame({0, 0, width, height}, 15, wishes).timeline.height() > 50);
        }
}

TEST_CASE("a low window has the lanes beside the panel of the chosen tab, above the playback") {
    for (const float height : {390.0F, 330.0F, 300.0F}) {
        const Rect all{0, 0, 844, height};
        for (const auto tab : {&Frame::sets, &Frame::states, &Frame::events, &Frame::registers}) {
            const Frame f = layout_frame(
                all, 15, {.timeline = 400, .legend = 60, .states = 300, .registers = true, .sets = 300, .tab = tab});
            CHECK(f.legend.empty());
            for (const Rect& r : {f.timeline, f.*tab, f.tabs}) {
                CHECK(r.height() > 20);
                CHECK(r.y1 <= f.playback.y0);
                CHECK(r.y0 >= f.sentence.y1);
            }
            CHECK(f.timeline.x1 < (f.*tab).x0);
            CHECK(f.tabs.y1 <= (f.*tab).y0);
        }
    }
}

TEST_CASE("the panels are inside the window and do not overlap") {
    for (const auto& [width, height] :
         {std::pair{1600.0F, 900.0F}, {1280.0F, 720.0F}, {900.0F, 600.0F}, {3840.0F, 2160.0F}}) {
        for (const bool registers : {true, false}) {
            const Frame f = layout_frame({0, 0, width, height}, 16, {.timeline = 700, .registers = registers});
            CHECK(f.registers.empty() == !registers);
            const std::vector<Rect> all{f.sentence, f.timeline, f.legend, f.states, f.events, f.registers, f.playback};
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (all[i].empty()) {  // lanes that need more got the room of empty panels
                    CHECK((!registers && (i == 4 || i == 5)));
                    continue;
                }
                CHECK(all[i].width() > 100);
                CHECK(all[i].height() > 20);
                CHECK(all[i].x0 >= 0);
                CHECK(all[i].y0 >= 0);
                CHECK(all[i].x1 <= width);
                CHECK(all[i].y1 <= height);
                for (std::size_t j = i + 1; j < all.size(); ++j) {
                    const bool apart = all[i].x1 <= all[j].x0 || all[j].x1 <= all[i].x0 || all[i].y1 <= all[j].y0 ||
                                       all[j].y1 <= all[i].y0;
                    CHECK(apart);
                }
            }
        }
    }
}
