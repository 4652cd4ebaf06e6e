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
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kLarge{10, 20, 1160, 400}, kAside{0, 0, 840, 210}, kSmall{5, 5, 330, 230};

Sets sets_at(Document& document, std::size_t playhead, Rect area = kLarge) {
    document.selection().playhead = playhead;
    document.sync();
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

/// Checks that nothing overlaps or is outside `area`.
void check_apart(const std::vector<Rect>& all, const Rect& area) {
    const auto inside = [&](const Rect& r) {
        return r.x0 >= area.x0 - 0.1F && r.x1 <= area.x1 + 0.1F && r.y0 >= area.y0 - 0.1F && r.y1 <= area.y1 + 0.1F;
    };
    const auto apart = [](const Rect& a, const Rect& b) {
        return a.x1 <= b.x0 + 0.1F || b.x1 <= a.x0 + 0.1F || a.y1 <= b.y0 + 0.1F || b.y1 <= a.y0 + 0.1F;
    };
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!inside(all[i])) ++wrong;
        for (std::size_t j = i + 1; j < all.size(); ++j)
            if (!apart(all[i], all[j])) ++wrong;
    }
    CHECK(wrong == 0);
}

std::vector<Rect> places_in(const SetView& view) {
    std::vector<Rect> all{view.title};
    for (const auto* boxes : {&view.boxes, &view.cells})
        for (const SetBox& box : *boxes) {
            all.push_back(box.rect);
            if (!box.below.empty()) all.push_back(box.below_rect);
        }
    if (const Dial& ring = view.ring; ring.radius > 0)
        all.push_back({ring.middle.x - ring.radius, ring.middle.y - ring.radius, ring.middle.x + ring.radius,
                       ring.middle.y + ring.radius});
    for (const WheelSlot& slot : view.slots) {
        all.push_back(slot.number_rect);
        if (!slot.more.empty()) all.push_back(slot.more_rect);
    }
    if (!view.more.empty()) all.push_back(view.more_rect);
    return all;
}

trace::Event event_before(const Document& document, std::size_t playhead) {
    return document.replay().trace()[playhead - 1];
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
        check_apart(places_in(heap), kLarge);
    }
    CHECK(in_hand > 20);
    CHECK(moves > 20);
}

TEST_CASE("a heap: a sifting item is above the free place, and the other moves along the line between them") {
    Document document(made::parsed(made::heap_of_timers(3)));
    // main, the set, timer 0; timer 1 is inserted, 0 moves down, 1 moves up.
    Sets kept;
    const SetView before = heap_at(kept, document, 4);
    REQUIRE(before.boxes.size() == 2);
    CHECK(before.boxes[1].now);
    CHECK_FALSE(before.boxes[1].in_hand);
    const SetView sifting = heap_at(kept, document, 5);
    CHECK(sifting.boxes[0].in_hand);
    CHECK(sifting.boxes[0].name == "timer 1");
    CHECK(sifting.boxes[1].now);
    CHECK(sifting.boxes[1].name == "timer 0");
    REQUIRE(sifting.lines.size() == 1);
    CHECK(sifting.lines[0].now);
    CHECK(sifting.lines[0].from.y < sifting.lines[0].to.y);
    CHECK(sifting.words.find("timer 1 is in transit") != std::string::npos);
    const SetView after = heap_at(kept, document, 6);
    CHECK_FALSE(after.boxes[0].in_hand);
    CHECK(after.boxes[0].now);
    CHECK(after.boxes[0].name == "timer 1");
}

TEST_CASE("a heap: the tree is a level for each power of two, children below their parents") {
    Document document(made::parsed(made::heap_of_timers(15)));
    Sets kept;
    std::size_t playhead = document.replay().size();
    while (document.replay().sets().empty() || heap_at(kept, document, playhead).boxes.size() < 15) --playhead;
    const SetView& heap = kept.heaps[0];
    for (std::size_t child = 1; child < 15; ++child) {
        const Rect &lower = heap.boxes[child].rect, &upper = heap.boxes[(child - 1) / 2].rect;
        CHECK(lower.y0 > upper.y1);
        CHECK((child % 2 == 1 ? lower.middle_x() < upper.middle_x() : lower.middle_x() > upper.middle_x()));
    }
    for (std::size_t place = 1; place < 15; ++place) {
        CHECK(heap.cells[place].rect.y0 == heap.cells[0].rect.y0);
        CHECK(heap.cells[place].rect.x0 >= heap.cells[place - 1].rect.x1);
    }
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
        check_apart(places_in(heap), area);
    }
}

TEST_CASE("the cost of a heap of thousands is that of its drawn part, and the rest is counted") {
    Document document(made::parsed(made::heap_of_timers(5000)));
    Sets kept;
    for (const std::size_t back : {0U, 1U, 2U, 3U}) {
        const SetView& heap = heap_at(kept, document, document.replay().size() - back);
        CHECK(heap.boxes.size() < 100);
        std::size_t counted = heap.boxes.size();
        for (const SetBox& item : heap.boxes) {
            if (!item.below.empty()) {
                std::string digits;
                std::copy_if(item.below.begin(), item.below.end(), std::back_inserter(digits),
                             [](char c) { return c >= '0' && c <= '9'; });
                counted += std::stoul(digits);
            }
        }
        CHECK(counted == 4996);
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

TEST_CASE("a wheel: the marks are the next slots of the hand, and the hand points to its own") {
    Document document(made::parsed(made::wheel_of_timers(12, 60'000, 7)));
    Sets kept;
    for (std::size_t playhead = 3; playhead <= document.replay().size(); ++playhead) {
        const SetView& wheel = wheel_at(kept, document, playhead);
        const trace::SetNow& set = document.replay().sets()[0];
        const std::int64_t hand = set.hand == trace::kAbsent ? 0 : set.hand;
        for (const DialMark& mark : wheel.marks)
            if (!mark.text.empty()) CHECK((std::stoll(mark.text) >= hand && std::stoll(mark.text) < hand + 100));
        CHECK((wheel.ring.hand.x >= wheel.ring.middle.x - 0.5F) == (hand % 100 <= 50));
        CHECK(wheel.hand_now == (event_before(document, playhead).kind == trace::Kind::hand));
        check_apart(places_in(wheel), kLarge);
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
        check_apart(places_in(wheel), area);
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

TEST_CASE("every sample of lab 06: nothing overlaps at any size") {
    for (const char* name :
         {"06_three_stores", "06_three_stores_heap", "06_three_stores_wheel", "06_beyond_the_wheel"}) {
        Document document(std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples") / (std::string(name) + ".json"));
        INFO(name);
        REQUIRE(document.readable());
        for (std::size_t playhead = 0; playhead <= document.replay().size(); playhead += 11) {
            for (const Rect area : {kLarge, kAside, kSmall}) {
                const Sets sets = sets_at(document, playhead, area);
                std::vector<Rect> all;
                for (const SetView& heap : sets.heaps) all = places_in(heap);
                for (const SetView& wheel : sets.wheels) all = places_in(wheel);
                for (const SetView& row : sets.queues)
                    for (const SetBox& box : row.boxes) all.push_back(box.rect);
                for (const SetView& tree : sets.trees)
                    for (const SetBox& box : tree.boxes) all.push_back(box.rect);
                check_apart(all, area);
            }
        }
    }
}

TEST_CASE("the timers of a tree are not coroutines") {
    Document document(std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples/06_three_stores.json"));
    REQUIRE(document.readable());
    const std::size_t coroutines = document.replay().coroutines();
    sets_at(document, document.replay().size());
    for (std::uint32_t co = 0; co < coroutines; ++co) CHECK(document.replay().coroutine(co).exists);
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
