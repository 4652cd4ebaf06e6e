// The choice points of an explorer: their lane, and where a failing run leaves a passing one.
#include <algorithm>

#include "testing/catch.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/divergence.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kChoicesArea{0, 0, 1200, 500};

void add_choice(made::TraceScript& script, int n, unsigned next, const std::string& turn, const std::string& others) {
    script.event("\"choice\",\"n\":" + std::to_string(n) + ",\"turn\":\"" + turn +
                 "\",\"next\":" + std::to_string(next) + (others.empty() ? "" : ",\"others\":\"" + others + "\""));
    script.spend(1000);
}

/// Two choices that every run makes, and a third by which machine `last` goes on.
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

TEST_CASE("an explored run has a lane of its choice points: which machine went on, and which could have") {
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

TEST_CASE("choices that stand too close are one mark, and other traces have no such lane") {
    Document crowded = explored(0, 40);
    const ChoiceLane lane = choices_of(crowded);
    CHECK(lane.marks.size() < 5);
    CHECK(std::any_of(lane.marks.begin(), lane.marks.end(), [](const ChoiceMark& mark) { return mark.merged == 41; }));
    Document plain(made::parsed(made::round_robin(3, 4)));
    CHECK(choices_of(plain).rect.empty());
    const Timeline timeline = layout_timeline({plain.replay(), plain.index(), plain.selection(), kChoicesArea, {}});
    CHECK(timeline.lanes_area.y0 == timeline.ruler.y1);
}

TEST_CASE("a failing and a passing run part at the first choice that differs") {
    const Document failing = explored(0), passing = explored(1);
    const Run a{failing.replay(), failing.index()}, b{passing.replay(), passing.index()};
    const auto places = divergences(a, b).places;
    REQUIRE(places.size() == 1);
    CHECK(places[0].first.event == 3);
    CHECK(places[0].second.event == 3);
    CHECK(places[0].decision == 2);
    const std::string words = divergence_in_words(a, b, places[0]);
    INFO(words);
    CHECK(words.find("choice 3: machine 0 goes on by preemption; machine 1 could have") != std::string::npos);
    CHECK(words.find("choice 3: machine 1 goes on; machine 0 could have") != std::string::npos);
    CHECK(divergences(a, a).places.empty());
}
