// The content of the window, as a picture.
#include <filesystem>
#include <map>
#include <set>

#include <sys/stat.h>

#include "testing/sanitized.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/playhead.h"
#include "viewer/tests/stage/stage.h"
#include "viewer/window/png.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;
namespace made = fiberscope::viewer::tests;

namespace {

bool same(const Picture& a, const Picture& b) { return a.rgb == b.rgb; }

bool has_more_colors_than(std::size_t count, const Picture& picture) {
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i + 2 < picture.rgb.size() && seen.size() <= count; i += 3)
        seen.insert(static_cast<std::uint32_t>(picture.rgb[i] << 16 | picture.rgb[i + 1] << 8 | picture.rgb[i + 2]));
    return seen.size() > count;
}

}  // namespace

TEST_CASE("a picture shows each visible zone in the colour of its state") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        Options options;
        options.theme = theme;
        Stage stage(documents_of({made::all_states()}), options);
        const Picture picture = stage.draw();
        const Timeline& timeline = stage.workspace().drawn_timeline();
        std::map<trace::State, int> seen;
        for (const Zone& zone : timeline.zones) {
            if (zone.merged || zone.rect.width() < 30) continue;
            const Color fill = look(zone.state, theme).fill;
            const double area = static_cast<double>(zone.rect.width() * zone.rect.height());
            CHECK(static_cast<double>(count_in(picture, zone.rect, fill)) > 0.3 * area);
            ++seen[zone.state];
        }
        CHECK(seen.size() == 7);  // all but suspended
    }
}

TEST_CASE("the themes differ, the help covers the window, and the same key closes it") {
    Stage stage(documents_of({made::round_robin(20, 8)}));
    const Picture before = stage.draw();
    stage.workspace().apply(Action::theme);
    const Picture light = stage.draw();
    CHECK_FALSE(same(light, before));
    CHECK(count_in(light, {0, 0, 1600, 900}, palette(Theme::light).panel) > 100000);
    stage.workspace().apply(Action::theme);
    CHECK(same(stage.draw(), before));
    stage.workspace().apply(Action::help);
    CHECK_FALSE(same(stage.draw(), before));
    stage.workspace().apply(Action::help);
    CHECK(same(stage.draw(), before));
}

TEST_CASE("registers: a changed one is highlighted") {
    auto documents = documents_of({made::two_contexts(12)});
    made::put_playhead(*documents[0], documents[0]->index().switches()[3] + 1);
    Stage stage(std::move(documents));
    const Picture with = stage.draw();
    const Color changed = palette(Theme::dark).changed;
    const Rect below{0, stage.workspace().drawn_timeline().lanes_area.y1, 1600, 900};
    const Color ground = palette(Theme::dark).panel;
    const std::size_t marked = count_near(with, below, changed, ground);
    stage.workspace().document().selection().playhead = stage.workspace().document().index().switches()[0] + 1;
    const std::size_t unmarked = count_near(stage.draw(), below, changed, ground);
    CHECK(unmarked > 20);  // the key above the table has the colour too
    CHECK(marked > unmarked + 20);
}

TEST_CASE("an unreadable file is a message in its tab, and the other tabs work") {
    auto documents = documents_of({made::round_robin(3, 4)});
    documents.push_back(std::make_unique<Document>(std::filesystem::path("no/such/file.json")));
    Stage stage(std::move(documents));
    const Rect all{0, 0, 1600, 900};
    const Color warning = palette(Theme::dark).warning;
    CHECK(count_in(stage.draw(), all, warning) == 0);
    stage.workspace().apply(Action::next_tab);
    CHECK(count_in(stage.draw(), all, warning) > 10000);
    CHECK(stage.workspace().active() == 1);
    for (const Action action : {Action::step, Action::play_pause, Action::focus, Action::end})
        stage.workspace().apply(action);
    stage.draw(3, 0.1);
    stage.workspace().apply(Action::next_tab);
    CHECK(count_in(stage.draw(), all, warning) == 0);
    CHECK(stage.workspace().active() == 0);
}

TEST_CASE("ten thousand coroutines: the last lane is drawn after it is chosen") {
    auto documents = documents_of({made::round_robin(10000, 2)});
    documents[0]->selection().chosen = 10000;
    Stage stage(std::move(documents));
    stage.draw();
    const Timeline& timeline = stage.workspace().drawn_timeline();
    CHECK(timeline.lanes.back().name == "worker 10000");
    CHECK(timeline.lanes.back().chosen);
}

TEST_CASE("pictures are written atomically, and an unwritable directory is named") {
    Stage stage(documents_of({made::round_robin(3, 4)}));
    const Picture picture = stage.draw();
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "fiberscope-viewer" / "picture.png";
    std::filesystem::remove_all(file.parent_path());
    write_png(file, picture);
    CHECK(std::filesystem::file_size(file) > 10000);
    CHECK(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}) == 1);
    std::filesystem::remove_all(file.parent_path());
    std::string message;
    try {
        write_png("/proc/none/picture.png", picture);
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message.find("/proc/none/picture.png") != std::string::npos);
    const std::filesystem::path pipe = file.parent_path() / "pipe";
    std::filesystem::create_directories(file.parent_path());
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_THROWS_AS(write_png(pipe, picture), std::runtime_error);
    CHECK(std::filesystem::is_fifo(pipe));
    std::filesystem::remove_all(file.parent_path());
    CHECK_THROWS_AS(write_png("/dev/null", picture), std::runtime_error);
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

namespace {

/// Actions of a user, over twenty frames.
constexpr Action kVisit[] = {Action::home,
                             Action::step,
                             Action::step,
                             Action::step_back,
                             Action::choose_next,
                             Action::choose_next,
                             Action::next_of_chosen,
                             Action::previous_of_chosen,
                             Action::zoom_in,
                             Action::pan_right,
                             Action::pan_left,
                             Action::zoom_out,
                             Action::focus,
                             Action::play_pause,
                             Action::faster,
                             Action::theme,
                             Action::help,
                             Action::help,
                             Action::fit,
                             Action::end};

}  // namespace

TEST_CASE("every recorded sample survives twenty frames") {
    std::vector<std::filesystem::path> files;
    for (const char* directory : {FIBERSCOPE_ROOT "/traces/samples", FIBERSCOPE_ROOT "/traces/tests/data"}) {
        std::error_code ignored;
        for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
            if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<std::unique_ptr<Document>> documents;
    for (const auto& file : files) documents.push_back(std::make_unique<Document>(file));
    for (auto& more : documents_of({made::all_states(), made::nested(128), made::two_contexts(20)}))
        documents.push_back(std::move(more));
    Options small;
    small.width = 900;
    small.height = 600;
    Stage stage(std::move(documents), small);
    for (std::size_t tab = 0; tab < stage.workspace().size(); ++tab) {
        INFO(stage.workspace().document().title());
        for (std::size_t i = 0; i < std::size(kVisit); ++i) {
            stage.workspace().apply(kVisit[i]);
            if (i % fiberscope::testing::kStride == 0) stage.pass(0.05);
        }
        CHECK(has_more_colors_than(20, stage.draw(1)));
        if (stage.workspace().document().readable()) {
            CHECK(stage.workspace().document().replay().at() == stage.workspace().document().replay().size());
            CHECK_FALSE(stage.workspace().drawn_timeline().lanes.empty());
        }
        stage.workspace().apply(Action::next_tab);
        stage.pass(0);
    }
}
