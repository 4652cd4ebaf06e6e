// Saved settings, links to places, and pictures of sets.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testing/catch.h"
#include "viewer/layout/page/frame.h"
#include "viewer/layout/page/modes.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/model/document.h"
#include "viewer/model/find/offers.h"
#include "viewer/model/place.h"
#include "viewer/model/settings.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

std::filesystem::path place_of_settings() {
    const auto folder = std::filesystem::temp_directory_path() / "fiberscope-viewer-settings";
    std::filesystem::remove_all(folder);
    return folder / "fiberscope" / "viewer.txt";
}

}  // namespace

TEST_CASE("settings are read back unchanged") {
    const auto file = place_of_settings();
    Settings settings;
    settings.theme = Theme::light;
    settings.zoom = 1.5F;
    settings.sets = false;
    settings.width = 1000;
    settings.height = 640;
    remember_file(settings, "/a/first one.json");
    remember_file(settings, "/a/second.json");
    remember_file(settings, "/a/first one.json");
    REQUIRE(write_settings(file, settings));
    const Settings back = read_settings(file);
    CHECK(back.theme == Theme::light);
    CHECK(back.zoom == Approx(1.5));
    CHECK_FALSE(back.sets);
    CHECK_FALSE(back.table);
    CHECK(back.width == 1000);
    CHECK(back.recent == std::vector<std::string>{"/a/first one.json", "/a/second.json"});
    for (int i = 0; i < 40; ++i) remember_file(settings, "/a/" + std::to_string(i));
    CHECK(settings.recent.size() == kMostRecent);
    CHECK(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}) == 1);
    std::filesystem::remove_all(file.parent_path().parent_path());
}

TEST_CASE("offers of a window: recent files, lectures, local recordings, samples by lab") {
    const std::filesystem::path root = FIBERSCOPE_ROOT;
    Recordings found = recordings_in(root);
    CHECK(found.samples.size() > 40);
    CHECK(recordings_in({}).samples.empty());
    CHECK(recordings_in("/no/such/folder").recorded.empty());
    found.recorded = {"/r/04_mixed.json", "/r/" + std::string(300, 'x') + ".json"};
    const auto groups = offers_of(found, {"/a/b/one.json"}, Language::english);
    REQUIRE(groups.size() == 9);
    CHECK(groups[0].offers[0].about == "/a/b");
    REQUIRE(groups[1].offers.size() == 6);
    CHECK(groups[1].offers[0].about == "Chapter 1, a stack of callers");
    CHECK(offers_of(found, {}, Language::chinese)[0].offers[0].about == "第一章，协程调用栈");
    CHECK(groups[2].offers[0].name == "04_mixed");
    std::size_t samples = 0;
    for (std::size_t i = 3; i < groups.size(); ++i) samples += groups[i].offers.size();
    CHECK(samples == found.samples.size());
    CHECK(offers_of({}, {}, Language::english).empty());
    for (const float width : {360.0F, 800.0F, 1500.0F}) {  // each has its own place, within the width
        const OfferPage page = layout_offers(width, groups, {});
        for (std::size_t i = 0; i < page.places.size(); ++i) {
            const Rect r = page.places[i].name;
            CHECK(r.x0 >= 0);
            CHECK(r.x1 <= width);
            CHECK(r.y1 <= page.height);
            CHECK(Metrics().width(page.places[i].text) <= r.width());
            for (std::size_t k = 0; k < i; ++k) {
                const Rect other = page.places[k].name;
                const bool apart = r.x0 >= other.x1 || other.x0 >= r.x1 || r.y0 >= other.y1 || other.y0 >= r.y1;
                CHECK(apart);
            }
        }
    }
}

TEST_CASE("mode tabs: with keys, without, as many as fit, and always the last") {
    const std::vector<ModeWord> words{{"compare", "C"}, {"predict", "P"}, {"search", "Ctrl F"}, {"more", ":"}};
    const auto texts = [&](float width) {
        std::string all;
        for (const ModeTab& tab : layout_modes({10, 0, 10 + width, 20}, words, {})) {
            CHECK((tab.rect.x0 >= 9.9F || width < 60));
            CHECK(tab.rect.x1 <= 10.1F + width);
            all += tab.text + "|";
        }
        return all;
    };
    CHECK(texts(600) == "compare  C|predict  P|search  Ctrl F|more  :|");
    CHECK(texts(320) == "compare|predict|search|more|");
    CHECK(texts(230) == "compare|predict|more|");
    CHECK(texts(30) == "more|");
    CHECK(layout_modes({0, 0, 600, 20}, words, {}).back().rect.x1 == Approx(600));
}

TEST_CASE("invalid settings are ignored") {
    const auto file = place_of_settings();
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "theme pink\nzoom 400\nsize -3 x\nsets maybe\n\nfile\n\x01\x02 binary\nzoom\n";
    const Settings back = read_settings(file);
    CHECK(back.theme == Theme::dark);
    CHECK(back.zoom == Approx(1));
    CHECK(back.width == 0);
    CHECK(back.sets);
    CHECK(back.recent.empty());
    CHECK(read_settings("/no/such/file").recent.empty());
    CHECK(read_settings("/dev/zero").recent.empty());
    CHECK_FALSE(write_settings("/proc/none/viewer.txt", {}));
    std::filesystem::remove_all(file.parent_path().parent_path());
}

TEST_CASE("a place: reading and writing a link round-trips") {
    for (const std::string link :
         {"", "trace=01_nested", "trace=01_nested&at=12&select=3&view=-330..33330&lang=zh&theme=light",
          "trace=04_mixed&with=04_mixed_go&with=04_mixed_netco&at=300&lock=number&show=present,sets",
          "trace=a&trace=b&show=no-sets", "trace=a&pin=m0,m2,17", "trace=a%20name%26more%3D%25"}) {
        INFO(link);
        CHECK(write_place(read_place(link)) == link);
    }
}

TEST_CASE("a place: the parts of a link") {
    const LinkedPlace place = read_place("trace=04_mixed&with=04_mixed_go&at=300&select=7&view=5..90&lock=number");
    CHECK(place.files == std::vector<std::string>{"04_mixed", "04_mixed_go"});
    CHECK(place.beside);
    CHECK(place.at == 300U);
    CHECK(place.chosen == 7U);
    REQUIRE(place.visible);
    CHECK(place.visible->from == 5);
    CHECK(place.visible->to == 90);
    CHECK(place.lock == Lock::number);
    CHECK_FALSE(read_place("trace=a&trace=b").beside);
    CHECK(read_place("trace=a&press=O%20nothing%20H").press == std::vector{Action::order_lanes, Action::hide_dead});
    CHECK_FALSE(read_place("trace=a").beside);
    CHECK(read_place("trace=a%2Fb%41").files.front() == "a/bA");
}

TEST_CASE("a place: unknown parts are ignored") {
    std::istringstream links(
        "at= at=-1 at=1x at=99999999999999999999 select=4294967296 view=9..9 view=9 view=9..1 lock=never "
        "pin= pin=m pin=1,x pin=m0,,1 lang=fr show=,,x &&&=& trace= nonsense % trace");
    for (std::string link; links >> link;) {
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

TEST_CASE("on a phone the panels are stacked, each as wide as the window") {
    const float em = 15, width = 390, height = 844;
    for (const float sets : {0.0F, 300.0F})
        for (Rect Frame::*tab : {static_cast<Rect Frame::*>(nullptr), &Frame::states, &Frame::events, &Frame::stacks}) {
            const Frame f =
                layout_frame({0, 0, width, height}, em, {.timeline = 700, .registers = true, .sets = sets, .tab = tab});
            const bool chosen = tab != nullptr && tab != &Frame::stacks;  // there are no shared stacks
            const Rect below = chosen ? f.*tab : sets > 0 ? f.sets : f.states;
            float y = 0;
            for (const Rect& r : {f.sentence, f.timeline, f.tabs, below, f.playback}) {
                CHECK(r.width() > 0.9F * width);
                CHECK(r.y0 >= y);
                CHECK(r.height() >= 1.8F * em);
                y = r.y1;
            }
            CHECK(y <= height);
            CHECK(f.events.empty() == (tab != &Frame::events));
            CHECK(f.registers.empty());
        }
}
