// Heaps and wheels, and the rotation of a tree, computed without a screen.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "traces/words/steps.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/layout/sets/tree.h"
#include "viewer/layout/sets/tree_shape.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/playhead.h"
#include "viewer/tests/stage/reader.h"
#include "viewer/tests/stage/set_places.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kLarge{10, 20, 1160, 400}, kAside{0, 0, 840, 210}, kSmall{5, 5, 330, 230};

Sets sets_at(Document& document, std::size_t playhead, Rect area = kLarge) {
    made::put_playhead(document, playhead);
    return layout_sets({document.replay(), document.index(), area, {}});
}

const SetView& heap_at(Sets& kept, Document& document, std::size_t playhead, Rect area = kLarge) {
    kept = sets_at(document, playhead, area);
    REQUIRE(kept.heaps.size() == 1);
    return kept.heaps[0];
}
const SetView& wheel_at(Sets& kept, Document& document, std::size_t playhead, Rect area = kLarge) {
    kept = sets_at(document, playhead, area);
    REQUIRE(kept.wheels.size() == 1);
    return kept.wheels[0];
}

}  // namespace

TEST_CASE("a heap: at every step each member has one place in the tree and the same one in the array") {
    Document document(made::parsed(made::heap_of_timers(15)));
    std::size_t in_hand = 0, moves = 0;
    for (std::size_t playhead = 2; playhead <= document.replay().size(); ++playhead) {
        Sets kept;
        const SetView& heap = heap_at(kept, document, playhead);
        REQUIRE(heap.cells.size() == heap.boxes.size());
        std::set<std::string> names;
        for (std::size_t place = 0; place < heap.boxes.size(); ++place) {
            const SetBox &node = heap.boxes[place], &cell = heap.cells[place];
            CHECK(node.place == static_cast<std::int64_t>(place));
            CHECK(cell.below == std::to_string(place));
            CHECK(node.name.ends_with(cell.name));
            CHECK(node.in_hand == cell.in_hand);
            names.insert(node.name);
            in_hand += node.in_hand ? 1 : 0;
        }
        CHECK(names.size() == heap.boxes.size());
        CHECK(heap.lines.size() + 1 == std::max<std::size_t>(1, heap.boxes.size()));
        moves += std::any_of(heap.lines.begin(), heap.lines.end(), [](const SetLine& l) { return l.now; }) ? 1 : 0;
        made::check_places(kept, kLarge);
    }
    CHECK(in_hand > 20);
    CHECK(moves > 20);
}

TEST_CASE("a heap of hundreds: the first levels and the first cells, and how many more") {
    Document document(made::parsed(made::heap_of_timers(500)));
    for (const Rect area : {kLarge, kAside, kSmall}) {
        Sets kept;
        const SetView& heap = heap_at(kept, document, document.replay().size(), area);
        std::size_t below = 0;
        for (const SetBox& box : heap.boxes) {
            CHECK_FALSE(box.name.empty());
            if (!box.below.empty()) below += std::stoul(box.below.substr(1));
        }
        for (const SetBox& cell : heap.cells) CHECK_FALSE(cell.name.empty());
        CHECK(heap.boxes.size() >= 3);
        CHECK(heap.boxes.size() + below == 496);
        CHECK(heap.cells.size() + std::stoul(heap.more.substr(1)) == 496);
        CHECK(heap.cells.size() >= 7);
        made::check_places(kept, area);
    }
}

TEST_CASE("a wheel of 60,000 slots: a drawn turn is the part in use, a small ring shows the whole") {
    Document document(made::parsed(made::wheel_of_timers(12, 60'000, 7)));
    CHECK(document.index().set(0).turn == 100);
    Sets kept;
    const SetView& wheel = wheel_at(kept, document, 14);
    REQUIRE(wheel.slots.size() == 11);
    CHECK(std::count_if(wheel.boxes.begin(), wheel.boxes.end(), [](const SetBox& box) { return box.place == 10; }) ==
          2);
    CHECK(wheel.slots[0].slot == 10);
    CHECK(wheel.whole.radius > 0);
    CHECK(wheel.whole.dots.size() == 12);
    CHECK(wheel.words.find("100 of its 60,000 slots") != std::string::npos);
    for (const WheelSlot& slot : wheel.slots) {
        const bool right = slot.slot % 100 < 50;
        CHECK((slot.dot.x >= wheel.ring.middle.x - 0.5F) == right);
        CHECK((slot.rect.x0 > wheel.ring.middle.x) == right);
    }
}

TEST_CASE("a wheel with all slots in use: rows at its sides, the rest counted, at any size") {
    Document document(made::parsed(made::wheel_of_timers(40, 256, 5)));
    for (const Rect area : {kLarge, kAside, kSmall}) {
        Sets kept;
        const SetView& wheel = wheel_at(kept, document, 42, area);
        CHECK(wheel.ring.radius > 0);
        CHECK(wheel.whole.radius == 0);
        REQUIRE_FALSE(wheel.more.empty());
        CHECK(wheel.slots.size() + std::stoul(wheel.more.substr(wheel.more.find_first_of("0123456789"))) == 39);
        CHECK(wheel.boxes.size() >= wheel.slots.size());
        made::check_places(kept, area);
    }
}

TEST_CASE("slots per drawn turn: all but a few of those in use, else the whole wheel") {
    CHECK(turn_of(60'000, {}) == 60'000);
    CHECK(turn_of(60'000, {10, 20, 49}) == 50);
    CHECK(turn_of(60'000, {10, 20, 50}) == 100);
    CHECK(turn_of(60'000, {59'999}) == 60'000);
    CHECK(turn_of(256, {30}) == 64);
    CHECK(turn_of(256, {200}) == 256);
    std::vector<std::int64_t> distances(100, 7);
    distances[3] = 40'000;
    CHECK(turn_of(60'000, distances) == 50);
}

namespace {

using Levels = std::map<std::uint32_t, std::size_t>;

/// Level of each node of a set at a playhead.
Levels levels_at(trace::Replay& replay, std::size_t playhead, std::uint32_t set) {
    replay.seek(playhead);
    Levels levels;
    for (const trace::SetNow& now : replay.sets()) {
        if (now.index != set) continue;
        const TreeShape shape = shape_of(replay.trace(), now);
        for (std::size_t n = 0; n < now.nodes.size(); ++n) levels[now.nodes[n].id] = shape.nodes[n].level;
    }
    return levels;
}

/// The tree of a set, high and wide.
SetView tree_at(trace::Replay& replay, std::size_t playhead, std::uint32_t set) {
    replay.seek(playhead);
    for (const trace::SetNow& now : replay.sets())
        if (now.index == set) return layout_tree(replay, now, {0, 0, 4000, 1200}, {});
    return {};
}

}  // namespace

TEST_CASE("during a rotation the ghosts show the former and later positions of its nodes, and it is named") {
    std::size_t seen = 0;
    for (const char* name : {"04_mixed", "04_fanout", "06_idle_timeouts", "06_three_stores"}) {
        Document document(made::sample(name));
        trace::Replay& replay = document.replay_to_move();
        const trace::Trace& trace = replay.trace();
        for (std::size_t n = 0; n < trace.size(); ++n) {
            const auto all = trace::rotations_around(trace, n);
            // The first of two leaves its last links to the second: between them neither is complete.
            if (all.empty() || all[0].number == 2 || all[0].first != n) continue;
            const trace::Rotation& rotation = all[0];
            const std::uint32_t set = trace[n].set;
            const Levels before = levels_at(replay, rotation.first, set),
                         after = levels_at(replay, rotation.last + 1, set);
            for (std::size_t at = rotation.first + 1; at <= rotation.last + 1; ++at) {
                const SetView tree = tree_at(replay, at, set);
                const Levels now = levels_at(replay, at, set);
                INFO(name << " " << at);
                CHECK(tree.words.find("rotate at ") != std::string::npos);
                for (const bool later : {false, true}) {
                    Levels ghosts, moved;
                    for (const SetGhost& ghost : tree.ghosts)
                        if (ghost.after == later) ghosts[ghost.id] = ghost.level;
                    for (const auto& [id, level] : later ? after : before)
                        if (now.at(id) != level) moved[id] = level;
                    CHECK(ghosts == moved);
                    CHECK((later ? tree.after : tree.before).size() >= 1);
                }
                ++seen;
            }
            CHECK(tree_at(replay, rotation.first, set).ghosts.empty());
        }
    }
    CHECK(seen > 50);
}

TEST_CASE("the keys of a tree are drawn, on their own line or after the names") {
    Document document(made::sample("06_idle_timeouts"));
    trace::Replay& replay = document.replay_to_move();
    std::size_t named = 0;
    for (std::size_t playhead = 0; playhead <= replay.size(); playhead += 37) {
        replay.seek(playhead);
        for (const trace::SetNow& set : replay.sets()) {
            if (set.structure != trace::Structure::rbtree || set.nodes.empty() || set.coming != trace::kNone) continue;
            std::size_t levels = 0;
            for (const TreePlace& at : shape_of(replay.trace(), set).nodes) levels = std::max(levels, at.level + 1);
            if (levels > 5) continue;
            // A title, the stem, the omitted part, and levels of two lines with a narrow gap between them.
            const float height =
                16 * (1.5F + 0.6F + 1.1F + 2.35F * static_cast<float>(levels) + 0.6F * static_cast<float>(levels - 1)) +
                1;
            const SetView tree = layout_tree(replay, set, {0, 0, 4000, height}, {});
            if (tree.boxes.size() > set.nodes.size()) continue;  // includes the node that has just left
            CHECK(tree.boxes.size() == set.nodes.size());
            for (const SetBox& box : tree.boxes) CHECK_FALSE(box.key.empty());
            if (levels == 1) continue;
            INFO("if it is lower, they follow the names");
            const float least =
                16 * (1.5F + 0.6F + 2 * static_cast<float>(levels) + 0.35F * static_cast<float>(levels - 1));
            const SetView low = layout_tree(replay, set, {0, 0, 4000, least - 4}, {});
            REQUIRE(low.boxes.size() == tree.boxes.size());
            for (std::size_t i = 0; i < low.boxes.size(); ++i) {
                const std::string both = tree.boxes[i].name + "  " + tree.boxes[i].key;
                const bool has = low.boxes[i].name.ends_with("  " + tree.boxes[i].key);
                CHECK((has || Metrics().width(both) > 12 * 16));
                named += has ? 1 : 0;
            }
        }
    }
    CHECK(named > 10);
}
