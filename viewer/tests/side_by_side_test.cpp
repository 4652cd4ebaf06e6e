// Several traces with a common playhead: synchronization, and positions of the rows.
#include "viewer/model/side_by_side.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "viewer/layout/page/file_rows.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// Three traces of one program; the first is the leader.
struct Three {
    Document one{made::parsed(made::shared_stacks(4, 1, 4))};
    Document two{made::parsed(made::shared_stacks(4, 2, 4))};
    Document four{made::parsed(made::shared_stacks(4, 4, 4))};
    Documents all{&one, &two, &four};

    Three() { begin_side_by_side(all, one, Lock::time); }
    bool at_one_moment() const {
        const double moment = one.selection().moment.value_or(-1);
        for (const Document* document : all) {
            const trace::Replay& replay = document->replay();
            const std::size_t playhead = document->selection().playhead;
            if (document->selection().moment != moment || replay.at() != playhead) return false;
            if (playhead > 0 && static_cast<double>(replay.trace()[playhead - 1].t) > moment) return false;
            if (playhead < replay.size() && static_cast<double>(replay.trace()[playhead].t) < moment) return false;
        }
        return true;
    }
    std::size_t events() const {
        return one.selection().playhead + two.selection().playhead + four.selection().playhead;
    }
};

}  // namespace

TEST_CASE("side by side: a step is the earliest next event of all, and stepping back is the inverse") {
    Three three;
    INFO("all begin before their events at time 0");
    REQUIRE(three.one.replay().trace()[0].t == 0);
    CHECK(three.events() == 0);
    apply_side_by_side(Action::home, three.all, three.one, Lock::time);
    CHECK(three.events() == 0);
    std::vector<std::array<std::size_t, 3>> seen;
    const auto here = [&] {
        return std::array{three.one.selection().playhead, three.two.selection().playhead,
                          three.four.selection().playhead};
    };
    do {
        seen.push_back(here());
        CHECK(three.at_one_moment());
        CHECK(three.events() == seen.size() - 1);
    } while (step_forward(three.all, three.one, Lock::time));
    CHECK(three.events() == three.one.replay().size() + three.two.replay().size() + three.four.replay().size());
    while (!seen.empty()) {
        CHECK(here() == seen.back());
        seen.pop_back();
        CHECK(step_back(three.all, three.one, Lock::time) == !seen.empty());
    }
}

TEST_CASE("side by side: the others follow mouse operations on one") {
    Three three;
    const Selection before = three.four.selection();
    three.four.selection().playhead = 10;
    follow(three.all, three.four, before, Lock::time);
    CHECK(three.at_one_moment());
    CHECK(*three.one.selection().moment == static_cast<double>(three.four.replay().trace()[9].t));

    // After the end of the shortest one: it stays at its end, the others continue.
    const Selection there = three.four.selection();
    const auto later = static_cast<double>(three.four.index().duration() + 1500);
    three.four.selection().moment = later;
    three.four.selection().playhead = three.four.replay().size();
    follow(three.all, three.four, there, Lock::time);
    CHECK(three.at_one_moment());
    CHECK(playhead_time(three.one.replay(), three.one.selection().playhead) >
          static_cast<double>(three.four.index().duration()));

    const Selection view = three.two.selection();
    apply_side_by_side(Action::zoom_in, three.all, three.two, Lock::time);
    CHECK(three.two.selection().visible.span() < view.visible.span());
    CHECK(three.one.selection().visible.from == three.two.selection().visible.from);
    apply_side_by_side(Action::choose_next, three.all, three.two, Lock::time);
    CHECK(three.one.selection().chosen == three.two.selection().chosen);
}

TEST_CASE("side by side by event number: all at one number, and each at its own time") {
    Three three;
    constexpr Lock kLock = Lock::number;
    three.one.selection().playhead = 20;
    lock_by(three.all, three.one, kLock);
    const auto all_at = [&](std::size_t number) {
        for (const Document* document : three.all) {
            CHECK(document->selection().playhead == std::min(number, document->replay().size()));
            CHECK(document->replay().at() == document->selection().playhead);
            CHECK_FALSE(document->selection().moment);
        }
    };
    all_at(20);
    apply_side_by_side(Action::step, three.all, three.one, kLock);
    all_at(21);
    apply_side_by_side(Action::step_back, three.all, three.two, kLock);
    all_at(20);
    const Selection before = three.four.selection();
    three.four.selection().playhead = 33;
    follow(three.all, three.four, before, kLock);
    all_at(33);
    apply_side_by_side(Action::zoom_in, three.all, three.two, kLock);
    CHECK(three.one.selection().visible.from == three.two.selection().visible.from);
    all_at(33);

    // The shortest one stays at its end, the others continue; on the way back all meet again.
    apply_side_by_side(Action::end, three.all, three.one, kLock);
    std::size_t longest = 0, shortest = three.one.replay().size();
    for (const Document* document : three.all) {
        longest = std::max(longest, document->replay().size());
        shortest = std::min(shortest, document->replay().size());
    }
    all_at(longest);
    REQUIRE(longest > shortest);
    CHECK_FALSE(step_forward(three.all, three.one, kLock));
    while (three.one.selection().playhead + 1 > shortest || three.two.selection().playhead + 1 > shortest)
        REQUIRE(step_back(three.all, three.one, kLock));
    all_at(shortest - 1);

    apply_side_by_side(Action::home, three.all, three.one, kLock);
    apply_side_by_side(Action::play_pause, three.all, three.one, kLock);
    advance_side_by_side(1, three.all, three.one, kLock);
    all_at(static_cast<std::size_t>(three.one.playback().events_per_second()));
    advance_side_by_side(1e6, three.all, three.one, kLock);
    advance_side_by_side(1, three.all, three.one, kLock);
    CHECK_FALSE(three.one.playback().playing);
    all_at(longest);

    lock_by(three.all, three.one, Lock::time);
    CHECK(three.at_one_moment());
}

TEST_CASE("side by side by time: durations refer to the common time, and a file that has ended says so") {
    Document first(made::parsed(made::round_robin(3, 4))), second(made::parsed(made::round_robin(3, 12)));
    const Documents all{&first, &second};
    begin_side_by_side(all, second, Lock::time);
    apply_side_by_side(Action::end, all, second, Lock::time);
    const Sentence words = sentence_at(first.replay(), first.index(), first.selection());
    CHECK(words.where.find("ended") != std::string::npos);
    CHECK(sentence_at(second.replay(), second.index(), second.selection()).where.find("ended") == std::string::npos);
    CHECK(first.replay().time() == first.index().duration());
    const double between = static_cast<double>(second.replay().trace()[10].t) + 50;
    Selection before = second.selection();
    second.selection().moment = between;
    second.selection().playhead = 11;
    follow(all, second, before, Lock::time);
    CHECK(second.replay().time() == static_cast<std::uint64_t>(between));
    end_side_by_side(all);
    second.sync();
    CHECK(second.replay().time() == second.replay().trace()[second.replay().at() - 1].t);
}

TEST_CASE("side by side: the rows are inside the window, do not overlap, and include the active one") {
    const std::vector<float> wishes{300, 300, 300, 300, 300, 300, 300};
    for (const auto& [width, height] : {std::pair{1600.0F, 900.0F}, {900.0F, 600.0F}, {600.0F, 300.0F}})
        for (std::size_t active = 0; active < wishes.size(); ++active) {
            const FileRows beside = layout_file_rows({0, 0, width, height}, 16, wishes, active, {.legend = 24});
            REQUIRE_FALSE(beside.rows.empty());
            float y = 0;
            bool shown = false;
            for (const FileRow& row : beside.rows) {
                CHECK(row.title.y0 >= y);
                CHECK(row.timeline.y0 >= row.title.y1);
                CHECK(row.timeline.height() > 30);
                CHECK((row.aside.empty() || row.timeline.x1 < row.aside.x0));
                CHECK(row.aside.x1 <= width);
                y = row.timeline.y1;
                shown = shown || row.index == active;
            }
            CHECK(shown);
            CHECK(beside.rows.size() + beside.hidden == wishes.size());
            CHECK(y <= beside.legend.y0);
            CHECK(beside.legend.y1 <= beside.playback.y0);
        }
}

namespace {

/// Two samples side by side, without a screen, with the first one active.
struct SideBySide : made::Drawn {
    explicit SideBySide(Lock lock) : Drawn(std::array{"04_mixed", "04_mixed_multi_state"}) {
        workspace->apply(Action::side_by_side);
        while (workspace->lock() != lock) workspace->apply(Action::lock_by);
        look();
    }
};

}  // namespace

TEST_CASE("side by side, playing until a switch refers to the active file, and the others follow") {
    for (const Lock lock : {Lock::time, Lock::number}) {
        SideBySide together(lock);
        Document &first = together.workspace->document(0), &second = together.workspace->document(1);
        together.workspace->apply(Action::home);
        const Documents both{&first, &second};
        first.selection().chosen = 5;
        const std::size_t place =
            stop_before(first.replay().trace(), 5, first.selection().playhead, first.replay().size());
        REQUIRE(place < first.replay().size());
        const std::size_t second_before = second.selection().playhead;
        first.apply(Action::until);
        for (int frame = 0; frame < 10000 && first.playback().playing; ++frame)
            advance_side_by_side(0.3, both, first, lock);
        INFO(static_cast<int>(lock));
        CHECK_FALSE(first.playback().playing);
        CHECK(first.selection().playhead == place);
        CHECK(second.selection().playhead > second_before);
    }
}

TEST_CASE("in the window a rerun demo is shown beside the old recording") {
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
    INFO("the settings cover no panel");
    for (const auto& panel : workspace->panels()) CHECK(panel.rect.y1 <= workspace->overlays().knobs.room().y0);
    CHECK_FALSE(workspace->side_by_side());
    rerun->run(Language::english);
    wait();
    CHECK(workspace->side_by_side());
    CHECK(workspace->size() == 2);
    CHECK(workspace->active() == 0);
    rerun->run(Language::english);
    wait();
    CHECK(workspace->size() == 2);
    CHECK(workspace->side_by_side());
    CHECK(lock_holds({&workspace->document(0), &workspace->document(1)}, workspace->document(), workspace->lock()));
    CHECK(made::in_lines(found).empty());
    unsetenv("FIBERSCOPE_DEMOS");
    std::filesystem::remove_all(folder);
}
