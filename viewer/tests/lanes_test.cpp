// The lanes: selection and order; and the lane of an explorer's choices.
#include <algorithm>
#include <filesystem>

#include "testing/catch.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/divergence.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"
#include "viewer/tests/stage/playhead.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// The lanes at the playhead, one after the other: [machine], # heading, then coroutines, indented by their depth.
std::string lanes_as_text(const Document& document) {
    const Timeline timeline =
        layout_timeline({document.replay(), document.index(), document.selection(), {0, 0, 1000, 3000}, {}});
    std::string text;
    for (const Lane& lane : timeline.lanes) {
        text += text.empty() ? "" : " | ";
        text += lane.heading ? "# " : std::string(lane.depth, '>');
        text += lane.machine ? "[" + lane.name + "]" : lane.name;
        if (!lane.machine && !lane.note.empty()) text += " " + lane.note;
    }
    return text;
}

Document sample(const char* name, std::size_t at) {
    Document document(std::filesystem::path(FIBERSCOPE_ROOT) / "traces" / "samples" / (std::string(name) + ".json"));
    REQUIRE(document.readable());
    document.selection().playhead = at;
    document.sync();
    return document;
}

}  // namespace

TEST_CASE("a filter keeps the lanes that match all terms, and all machines") {
    Document document = sample("04_mixed", 300);
    LaneWishes& wishes = document.selection().lanes;
    wishes.filter = "HOG";
    CHECK(lanes_as_text(document) == "[machine 0] | hog 1 | hog 2 | hog 3");
    wishes.filter = "hog 2";
    CHECK(lanes_as_text(document) == "[machine 0] | hog 2");
    wishes.filter = "kind:thread";
    CHECK(lanes_as_text(document) == "[machine 0] | main");
    wishes.filter = "state:running";
    CHECK(lanes_as_text(document).find("[machine 0] | ") == 0);
    wishes.filter = "parent:main hog";
    CHECK(lanes_as_text(document) == "[machine 0] | hog 1 | hog 2 | hog 3");
    wishes.filter = "machine:7";
    CHECK(lanes_as_text(document) == "[machine 0]");
}

TEST_CASE("groups of lanes have headings; the heading of a machine's group is its lane") {
    Document document(made::parsed(made::machines()));
    tests::put_playhead(document, document.replay().size() / 2);
    LaneWishes& wishes = document.selection().lanes;
    wishes.order = LaneOrder::kind;
    CHECK(lanes_as_text(document) ==
          "[machine 0] | [machine 1] | [machine 2] | # thread | main | thread 1 | thread 2 | # task | A | B | C | D | "
          "E | worker | worker (2) | writer");
    wishes.order = LaneOrder::machine;
    CHECK(lanes_as_text(document) ==
          "[machine 0] | main | A | [machine 1] | thread 1 | worker | [machine 2] | thread 2 | worker (2) | writer | "
          "# has not run on a machine yet | B | C | D | E");
    wishes.order = LaneOrder::state;
    CHECK(lanes_as_text(document) ==
          "[machine 0] | [machine 1] | [machine 2] | # running | thread 1 | A | worker (2) | # ready | B | C | D | E | "
          "# normal | main | thread 2 | # waiting | writer | # dead | worker");
    wishes.groups = false;
    CHECK(lanes_as_text(document).find('#') == std::string::npos);
}

TEST_CASE("dead coroutines are hidden only while they are dead") {
    Document document(made::parsed(made::round_robin(3, 4)));
    document.apply(Action::hide_dead);
    document.apply(Action::end);
    CHECK(lanes_as_text(document) == "[machine 0] | main");
    document.apply(Action::home);
    CHECK(lanes_as_text(document).find("worker 03") != std::string::npos);
    document.apply(Action::hide_dead);
    document.apply(Action::end);
    CHECK(lanes_as_text(document).find("worker 03") != std::string::npos);
}

TEST_CASE("a folded subtree is one lane, to which its switches lead") {
    Document document(made::parsed(made::nested(4)));
    document.selection().chosen = 2;
    document.apply(Action::order_lanes);
    document.apply(Action::order_lanes);
    REQUIRE(document.selection().lanes.order == LaneOrder::parent);
    CHECK(lanes_as_text(document) == "[machine 0] | main | >level 01 | >>level 02 | >>>level 03 | >>>>level 04");
    document.apply(Action::fold);
    CHECK(lanes_as_text(document) == "[machine 0] | main | >level 01 | >>level 02 +2");
    const Timeline timeline =
        layout_timeline({document.replay(), document.index(), document.selection(), {0, 0, 1000, 600}, {}});
    for (const Arrow& arrow : timeline.arrows) {
        CHECK(arrow.y1 < timeline.lanes_area.y1);
        CHECK(arrow.y0 != arrow.y1);
    }
    CHECK(lane_middle(timeline, 4) == lane_middle(timeline, 2));
    document.apply(Action::fold);
    CHECK(document.selection().lanes.folded.empty());
}

TEST_CASE("a switch to a filtered lane has no arrow") {
    Document document(made::parsed(made::round_robin(4, 3)));
    const auto arrows = [&] {
        return layout_timeline({document.replay(), document.index(), document.selection(), {0, 0, 3000, 600}, {}})
            .arrows.size();
    };
    const std::size_t all = arrows();
    document.selection().lanes.filter = "parent:main";
    CHECK(all > 0);
    CHECK(arrows() == 0);
}

TEST_CASE("up and down move along the visible lanes") {
    Document document = sample("04_mixed", 300);
    document.selection().lanes.filter = "hog";
    document.apply(Action::choose_next);
    const std::uint32_t first = document.selection().chosen;
    CHECK(document.replay().trace().name(first) == "hog 1");
    document.apply(Action::choose_next);
    CHECK(document.replay().trace().name(document.selection().chosen) == "hog 2");
    document.apply(Action::choose_next);
    CHECK(document.replay().trace().name(document.selection().chosen) == "hog 3");
    document.apply(Action::choose_next);
    CHECK(document.replay().trace().name(document.selection().chosen) == "hog 3");
    document.apply(Action::choose_previous);
    document.apply(Action::choose_previous);
    CHECK(document.selection().chosen == first);
}

TEST_CASE("the minimap shows the whole trace, the visible range and the playhead") {
    Document document(made::parsed(made::round_robin(20, 8)));
    tests::put_playhead(document, document.replay().size() / 2);
    document.apply(Action::focus);
    TimelineRequest request{document.replay(), document.index(), document.selection(), {0, 0, 1000, 600}, {}};
    CHECK(layout_timeline(request).minimap.rect.empty());
    request.minimap = true;
    const Timeline timeline = layout_timeline(request);
    const Minimap& map = timeline.minimap;
    CHECK(map.rect.y1 <= timeline.ruler.y0);
    CHECK(map.rect.x0 == timeline.lanes_area.x0);
    CHECK(map.x0 == map.scale.x(0));
    CHECK(map.from > map.rect.x0);
    CHECK(map.to < map.rect.x1);
    CHECK(map.from < map.playhead);
    CHECK(map.playhead < map.to);
    REQUIRE(map.heights.size() > 100);
    CHECK(*std::max_element(map.heights.begin(), map.heights.end()) >= 1.0F);
    INFO("every event is in exactly one column");
    float sum = 0;
    for (const float height : map.heights) sum += height;
    CHECK(sum > 1);
}

TEST_CASE("a full column of the minimap does not flatten the others") {
    Document document(made::parsed(made::round_robin(7000, 1)));  // all are created at t = 0
    TimelineRequest request{document.replay(), document.index(), document.selection(), {0, 0, 1000, 600}, {}};
    request.minimap = true;
    std::vector<float> heights = layout_timeline(request).minimap.heights;
    std::erase(heights, 0.0F);
    CHECK(heights.size() > 200);
    CHECK(heights.front() > 5);  // cut when it is drawn
    CHECK(*std::min_element(heights.begin(), heights.end() - 1) > 0.1F);
}

namespace {

constexpr Rect kChoicesArea{0, 0, 1200, 500};

void add_choice(made::TraceScript& script, int n, unsigned next, const std::string& turn, const std::string& others) {
    script.event("\"choice\",\"n\":" + std::to_string(n) + ",\"turn\":\"" + turn +
                 "\",\"next\":" + std::to_string(next) + (others.empty() ? "" : ",\"others\":\"" + others + "\""));
    script.spend(1000);
}

/// Two choices that every run makes, and a third that continues machine `last`.
Document explored(unsigned last, unsigned crowd = 0) {
    made::TraceScript script("explored");
    script.thread(0, "main");
    script.spend(1000);
    add_choice(script, 1, 0, "free", "1, 2");
    for (unsigned i = 0; i < crowd; ++i)
        script.event("\"choice\",\"n\":1,\"turn\":\"free\",\"next\":1,\"others\":\"0\"");
    add_choice(script, 2, 1, "seen_later", "");
    add_choice(script, 3, last, last == 0 ? "preemption" : "free", last == 0 ? "1" : "0");
    return Document(made::parsed(script.finish()));
}

ChoiceLane choices_of(Document& document) {
    return layout_timeline({document.replay(), document.index(), document.selection(), kChoicesArea, {}}).choices;
}

}  // namespace

TEST_CASE("an explored run has a lane of choice points: which machine continued, and which could have") {
    Document document = explored(0);
    document.selection().playhead = 4;
    const ChoiceLane lane = choices_of(document);
    REQUIRE(lane.marks.size() == 3);
    CHECK(lane.marks[0].chosen == "0");
    CHECK(lane.marks[0].others == "not 1, 2");
    CHECK_FALSE(lane.marks[0].costs);
    CHECK(lane.marks[1].chosen == "…");
    CHECK(lane.marks[1].costs);
    CHECK(lane.marks[2].chosen == "0");
    CHECK(lane.marks[2].costs);
    CHECK(lane.marks[2].at_playhead);
    CHECK_FALSE(lane.marks[1].at_playhead);
    const Timeline timeline =
        layout_timeline({document.replay(), document.index(), document.selection(), kChoicesArea, {}});
    CHECK(lane.rect.y0 >= timeline.ruler.y1);
    CHECK(lane.rect.y1 <= timeline.lanes_area.y0);
    for (const ChoiceMark& mark : lane.marks) CHECK(mark.rect.y1 <= timeline.lanes_area.y0);
}

TEST_CASE("choices that are too close are one mark, and other traces have no such lane") {
    Document crowded = explored(0, 40);
    const ChoiceLane lane = choices_of(crowded);
    CHECK(lane.marks.size() < 5);
    CHECK(std::any_of(lane.marks.begin(), lane.marks.end(), [](const ChoiceMark& mark) { return mark.merged == 41; }));
    Document plain(made::parsed(made::round_robin(3, 4)));
    CHECK(choices_of(plain).rect.empty());
    const Timeline timeline = layout_timeline({plain.replay(), plain.index(), plain.selection(), kChoicesArea, {}});
    CHECK(timeline.lanes_area.y0 == timeline.ruler.y1);
}

TEST_CASE("a failing and a passing run diverge at the first different choice") {
    const Document failing = explored(0), passing = explored(1);
    const Run a{failing.replay(), failing.index()}, b{passing.replay(), passing.index()};
    const auto places = divergences(a, b).places;
    REQUIRE(places.size() == 1);
    CHECK(places[0].first.event == 3);
    CHECK(places[0].second.event == 3);
    CHECK(places[0].decision == 2);
    CHECK(divergences(a, a).places.empty());
}
