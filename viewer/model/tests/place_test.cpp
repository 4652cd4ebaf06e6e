// A place in the viewer, as a link says it.
#include <string>

#include "testing/catch.h"
#include "viewer/layout/page/frame.h"
#include "viewer/model/place.h"

using namespace fiberscope::viewer;

TEST_CASE("a place: what a link says is what is written into a link") {
    for (const std::string link :
         {"", "trace=01_nested", "trace=01_nested&at=12&select=3&view=-330..33330&lang=zh&theme=light",
          "trace=04_mixed&with=04_mixed_go&with=04_mixed_netco&at=300&lock=turn&show=present,overlaid,sets",
          "trace=a&with=b&show=tabs,no-sets", "trace=a%20name%26more%3D%25"}) {
        INFO(link);
        CHECK(write_place(read_place(link)) == link);
    }
}

TEST_CASE("a place: a link says where") {
    const LinkedPlace place = read_place("trace=04_mixed&with=04_mixed_go&at=300&select=7&view=5..90&lock=number");
    CHECK(place.files == std::vector<std::string>{"04_mixed", "04_mixed_go"});
    CHECK(place.beside);
    CHECK(place.at == 300U);
    CHECK(place.chosen == 7U);
    REQUIRE(place.visible);
    CHECK(place.visible->from == 5);
    CHECK(place.visible->to == 90);
    CHECK(place.lock == Lock::number);
    CHECK_FALSE(read_place("trace=a&with=b&show=tabs").beside);
    CHECK(read_place("trace=a&press=O%20nothing%20H").press == std::vector{Action::order_lanes, Action::hide_dead});
    CHECK_FALSE(read_place("trace=a").beside);
    CHECK(read_place("trace=a%2Fb%41").files.front() == "a/bA");
}

TEST_CASE("a place: what is not understood is as if it was not there") {
    for (const std::string link :
         {"at=", "at=-1", "at=1x", "at=99999999999999999999", "select=4294967296", "view=9..9", "view=9", "view=9..1",
          "lock=never", "lang=fr", "show=,,x", "&&&=&", "trace=", "nonsense", "%", "trace"}) {
        INFO(link);
        CHECK(write_place(read_place(link)).empty());
    }
    CHECK(read_place("trace=%4").files.front() == "%4");
    CHECK(read_place("trace=%").files.front() == "%");
    CHECK(read_place("trace=" + std::string(300, 'x')).files.empty());
    std::string many = "trace=a";
    for (int i = 0; i < 100; ++i) many += "&with=b";
    CHECK(read_place(many).files.size() == 16);
}

TEST_CASE("on a phone the panels lie below each other, each as wide as the window") {
    const float em = 15, width = 390, height = 844;
    for (const float sets : {0.0F, 300.0F}) {
        const Frame f = layout_frame({0, 0, width, height}, em, {.timeline = 700, .registers = true, .sets = sets});
        const Rect below = sets > 0 ? f.sets : f.states;
        float y = 0;
        for (const Rect& r : {f.sentence, f.timeline, below, f.playback}) {
            CHECK(r.width() > 0.9F * width);
            CHECK(r.y0 >= y);
            CHECK(r.height() >= 2 * em);
            y = r.y1;
        }
        CHECK(y <= height);
        CHECK(f.events.empty());
        CHECK(f.registers.empty());
    }
}
