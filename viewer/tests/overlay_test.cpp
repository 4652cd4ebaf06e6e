// Several files on one axis: matched lanes, rows with bands, the strip of their sets.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "testing/catch.h"
#include "viewer/layout/page/legend.h"
#include "viewer/layout/page/overlay.h"
#include "viewer/model/side_by_side.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

Document sample_named(const char* name) {
    Document document(std::filesystem::path(FIBERSCOPE_ROOT) / "traces" / "samples" / (std::string(name) + ".json"));
    REQUIRE(document.readable());
    return document;
}

OverlayFile file_of(const Document& document) { return {document.replay(), document.index(), document.selection()}; }

/// "main 0 0 =": name, ids by file, and whether they do the same.
std::string matches_as_text(const std::vector<OverlayMatch>& matches) {
    std::string text;
    for (const OverlayMatch& match : matches) {
        text += text.empty() ? "" : " | ";
        text += match.name;
        for (const std::uint32_t id : match.ids) text += id == trace::kNone ? " -" : " " + std::to_string(id);
        if (match.same) text += " =";
    }
    return text;
}

}  // namespace

TEST_CASE("lanes of several files are matched by name and kind, those of one file alone too") {
    const Document a(made::parsed(made::nested(2))), b(made::parsed(made::nested(3)));
    const std::vector files{file_of(a), file_of(b)};
    CHECK(matches_as_text(match_lanes(files)) ==
          "machine 0 0 0 | main 0 0 | level 01 1 1 | level 02 2 2 | level 03 - 3");
}

TEST_CASE("lanes that do the same at the same times are known, and left out if that is wished") {
    const Document a = sample_named("03_owners_1"), b = sample_named("03_owners_2"), c = sample_named("03_owners_1");
    const std::vector files{file_of(a), file_of(b), file_of(c)};
    const auto matches = match_lanes(files);
    CHECK(matches_as_text(matches) == "machine 0 0 0 0 | main 0 0 0 = | A 1 1 1 = | B 2 2 2 = | C 3 3 3 = | D 4 4 4 =");
    const Rect area{0, 0, 1000, 500};
    const Overlay all = layout_overlay(files, matches, 0, area, {}, 0, false);
    CHECK(all.rows.size() == 6);
    CHECK(all.same_words.empty());
    const Overlay few = layout_overlay(files, matches, 0, area, {}, 0, true);
    CHECK(few.rows.size() == 1);
    CHECK(few.same_words == "not drawn, for they do not differ (I): main, A, B, C, D");
    const Document m = sample_named("04_mixed"), n = sample_named("04_mixed_multi_state");
    const std::vector others{file_of(m), file_of(n)};
    for (const OverlayMatch& match : match_lanes(others)) CHECK_FALSE(match.same);
}

TEST_CASE("a row has a band for each file, one below the other, with that file's stretches") {
    Document a = sample_named("04_mixed"), b = sample_named("04_mixed_multi_state");
    a.selection().chosen = 2;
    const std::vector files{file_of(a), file_of(b)};
    const Overlay overlay = layout_overlay(files, match_lanes(files), 1, {0, 0, 1200, 700}, {}, 0, false);
    REQUIRE(overlay.bands.size() == 2 * overlay.rows.size());
    for (std::size_t i = 0; i < overlay.bands.size(); ++i) {
        const OverlayBand& band = overlay.bands[i];
        const OverlayRow& row = overlay.rows[i / 2];
        CHECK(band.file == i % 2);
        CHECK(band.rect.y0 >= row.rect.y0 - 0.01F);
        CHECK(band.rect.y1 <= row.rect.y1 + 0.01F);
        CHECK(row.chosen == (row.name == "hog 2"));
        if (band.machine || band.id == trace::kNone) continue;
        const auto stretches = files[band.file].replay.stretches(band.id);
        for (const Zone& zone : overlay.drawing.zones)
            if (zone.rect.y0 >= band.rect.y0 && zone.rect.y1 <= band.rect.y1 && !zone.merged)
                CHECK(std::any_of(stretches.begin(), stretches.end(), [&](const auto& s) {
                    return s.state == zone.state && static_cast<double>(s.from) <= zone.from;
                }));
    }
    const OverlayBand* band = overlay.band_at({600, overlay.bands[5].rect.middle_y()});
    REQUIRE(band != nullptr);
    CHECK(band->file == 1);
}

TEST_CASE("the strip has a column for each set and a row for each file") {
    Document a = sample_named("04_mixed"), b = sample_named("04_mixed_multi_state");
    a.selection().playhead = 623;
    a.sync();
    const std::vector files{file_of(a), file_of(b)};
    const SetsStrip strip = layout_sets_strip(files, {0, 0, 1200, 80}, {});
    REQUIRE(strip.heads.size() == 3);
    CHECK(strip.heads[0].second == "ready");
    CHECK(strip.files[1].second == "2  mixed_multi_state");
    REQUIRE(strip.cells.size() == 2);
    CHECK(strip.cells[0][0].count == "8");
    REQUIRE_FALSE(strip.cells[0][0].members.empty());
    CHECK(strip.cells[0][0].members[0].name == "hog 2");
    CHECK(strip.cells[0][0].more.starts_with("+"));
    for (const auto& row : strip.cells)
        for (const StripCell& cell : row)
            for (const StripMember& member : cell.members) CHECK(member.rect.x1 <= cell.rect.x1);
}

TEST_CASE("where no marks are drawn the legend explains none") {
    const Document a = sample_named("03_owners_1");
    const std::array with{LegendSource{&a.replay().trace(), &a.index()}};
    const std::array without{LegendSource{&a.replay().trace(), &a.index(), false, false}};
    const auto has = [](const Legend& legend, LegendSign sign) {
        return std::any_of(legend.items.begin(), legend.items.end(), [&](const auto& i) { return i.sign == sign; });
    };
    CHECK(has(layout_legend(with, 1000, {}), LegendSign::copy_out));
    CHECK_FALSE(has(layout_legend(without, 1000, {}), LegendSign::copy_out));
    CHECK_FALSE(has(layout_legend(without, 1000, {}), LegendSign::switch_));
}

TEST_CASE("side by side the others take over how lanes are ordered, filtered and folded") {
    Document a = sample_named("04_mixed"), b = sample_named("04_mixed_multi_state");
    const Documents both{&a, &b};
    begin_side_by_side(both, a, Lock::time);
    apply_side_by_side(Action::hide_dead, both, a, Lock::time);
    CHECK(b.selection().lanes.hides_dead);
    a.selection().chosen = 0;
    apply_side_by_side(Action::fold, both, a, Lock::time);
    REQUIRE(b.selection().lanes.folded.size() == 1);
    CHECK(b.replay().trace().name(b.selection().lanes.folded[0]) == "main");
    apply_side_by_side(Action::pin, both, a, Lock::time);
    apply_side_by_side(Action::pin_machines, both, a, Lock::time);
    CHECK(b.selection().lanes.pins == Pins{{0}, {b.selection().lanes.folded[0]}});
}

TEST_CASE("in the window a demo runs again, and its lanes lie over the old ones") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("fiberscope-demos-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "lab04_demo") << "#!/bin/sh\n[ \"$2\" != --knobs ] || exec printf "
                                            "'strategy\\tchoice\\tlibco\\tlibco,go\\t\\nseed\\tnumber\\t\\t\\t\\n'\n"
                                         << "cp '" << made::sample("04_mixed_go").string() << "' \"$5\"\n";
    std::filesystem::permissions(folder / "lab04_demo", std::filesystem::perms::owner_all);
    setenv("FIBERSCOPE_DEMOS", folder.c_str(), 1);
    made::Reader reader(Language::english, {1600, 900, 17});
    const auto workspace = reader.open({made::sample("04_mixed")});
    std::map<std::string, std::string> found;
    const auto wait = [&] {
        for (int i = 0; i < 2000 && (workspace->loading() || i < 3); ++i) {
            workspace->refresh();
            reader.look(*workspace, "", found);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    };
    workspace->apply(Action::again);
    wait();
    Rerun* rerun = workspace->overlays().knobs.rerun();
    REQUIRE(rerun != nullptr);
    CHECK(rerun->knobs().size() == 2);
    INFO("the knobs cover no panel");
    for (const auto& [name, panel] : workspace->panels()) CHECK(panel.y1 <= workspace->overlays().knobs.room().y0);
    CHECK_FALSE(workspace->overlaid());
    rerun->run(Language::english);
    wait();
    CHECK(workspace->overlaid());
    CHECK(workspace->size() == 2);
    CHECK(workspace->active() == 0);
    rerun->run(Language::english);
    wait();
    CHECK(workspace->size() == 2);
    CHECK(workspace->overlaid());
    CHECK(lock_holds({&workspace->document(0), &workspace->document(1)}, workspace->document(), workspace->lock()));
    CHECK(made::in_lines(found).empty());
    unsetenv("FIBERSCOPE_DEMOS");
    std::filesystem::remove_all(folder);
}
