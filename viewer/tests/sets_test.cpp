// Queues, trees and steals, computed without a screen.
#include "viewer/layout/sets/sets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/trace_facts/locks.h"
#include "viewer/layout/trace_facts/members.h"
#include "viewer/model/document.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/playhead.h"
#include "viewer/tests/stage/set_places.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

constexpr Rect kArea{10, 20, 1160, 400};
constexpr std::array kMachineQueues{"global", "local 0, machine 0", "local 1, machine 1", "local 2, machine 2",
                                    "waiters of table"};

Sets sets_of(const Document& document, Rect area = kArea) {
    return layout_sets({document.replay(), document.index(), area, {}});
}

bool is_steal(const trace::Event& e) {
    return e.kind == trace::Kind::machine && e.first<trace::MachineOp>() == trace::MachineOp::steal;
}

const SetView& queue_of(const Sets& sets, std::string_view name) {
    const auto found =
        std::find_if(sets.queues.begin(), sets.queues.end(), [&](const SetView& row) { return row.name == name; });
    REQUIRE(found != sets.queues.end());
    return *found;
}

std::vector<std::string> names_in(const SetView& row) {
    std::vector<std::string> names;
    for (const SetBox& box : row.boxes) names.push_back(box.name);
    return names;
}

const SetBox& box_of(const SetView& tree, std::uint32_t co) {
    const auto found =
        std::find_if(tree.boxes.begin(), tree.boxes.end(), [&](const SetBox& box) { return box.id() == co; });
    REQUIRE(found != tree.boxes.end());
    return *found;
}

}  // namespace

TEST_CASE("queues: the global one first, then each machine's own, their members in order from the head") {
    Document document(made::parsed(made::machines()));
    made::put_playhead(document, made::after(document, is_steal) - 1);
    const Sets sets = sets_of(document);
    REQUIRE(sets.queues.size() == kMachineQueues.size());
    for (std::size_t i = 0; i < kMachineQueues.size(); ++i) CHECK(sets.queues[i].name == kMachineQueues[i]);
    const SetView& local = queue_of(sets, "local 0, machine 0");
    CHECK(names_in(local) == std::vector<std::string>{"B", "C", "D", "E"});
    CHECK(local.words == "4 that can run");
    CHECK(local.head.x1 <= local.boxes.front().rect.x0);
    CHECK(local.boxes.front().state == trace::State::ready);
    CHECK(names_in(queue_of(sets, "waiters of table")) == std::vector<std::string>{"writer"});
    CHECK(queue_of(sets, "local 1, machine 1").boxes.empty());
    CHECK_FALSE(sets.steal);
    made::check_places(sets, kArea);
}

TEST_CASE("queues: entering members are marked, leaving ones named, and those that do not fit counted") {
    Document document(made::parsed(made::machines()));
    const auto leaves = [](const trace::Event& e) { return e.kind == trace::Kind::remove; };
    const auto enters = [](const trace::Event& e) { return e.kind == trace::Kind::insert; };
    made::put_playhead(document, made::after(document, leaves));
    CHECK(queue_of(sets_of(document), "local 0, machine 0").left->name == "A leaves");
    made::put_playhead(document, made::after(document, enters, 4));
    const Sets entered = sets_of(document);
    const SetView& row = queue_of(entered, "local 0, machine 0");
    REQUIRE(row.boxes.size() == 5);
    CHECK(row.boxes.back().now);
    CHECK_FALSE(row.boxes.front().now);
    for (const float width : {460.0F, 500.0F, 540.0F}) {
        const Rect narrow{0, 0, width, 300};
        const Sets sets = sets_of(document, narrow);
        const SetView& cut = queue_of(sets, "local 0, machine 0");
        REQUIRE(cut.boxes.size() < 5);
        REQUIRE(cut.boxes.size() > 0);
        const std::string rest = std::to_string(5 - cut.boxes.size());
        CHECK((cut.more == "and " + rest + " more" || cut.more == "+" + rest));
        made::check_places(sets, narrow);
    }
}

TEST_CASE("a steal is an arrow from the victim's queue to the thief's while it lasts") {
    Document document(made::parsed(made::machines()));
    const std::size_t first = made::after(document, is_steal);
    for (std::size_t playhead = first; playhead < first + 5; ++playhead) {
        made::put_playhead(document, playhead);
        const Sets sets = sets_of(document);
        REQUIRE(sets.steal);
        CHECK(sets.steal->count == "2");
        CHECK(sets.steal->from.y == Approx(queue_of(sets, "local 0, machine 0").title.middle_y()));
        CHECK(sets.steal->to.y == Approx(queue_of(sets, "local 1, machine 1").title.middle_y()));
        CHECK(sets.steal->from.x < sets.queues[0].title.x0);
    }
    made::put_playhead(document, first + 6);  // the thief has resumed the first of them
    CHECK_FALSE(sets_of(document).steal);
    const Timeline timeline =
        layout_timeline({document.replay(), document.index(), document.selection(), {0, 0, 1000, 500}, {}});
    REQUIRE(timeline.steals.size() == 3);
    CHECK(timeline.steals[0].y0 == Approx(timeline.lanes[0].rect.middle_y()));
    CHECK(timeline.steals[0].y1 == Approx(timeline.lanes[1].rect.middle_y()));
    CHECK(timeline.steals[2].y0 == Approx(timeline.lanes[1].rect.middle_y()));
    CHECK(timeline.steals[2].y1 == Approx(timeline.lanes[2].rect.middle_y()));
}

TEST_CASE("a tree: columns by key, levels by links, red and black, at every step of every rotation") {
    Document document(made::parsed(made::sleepers(15)));
    std::size_t steps = 0, loose = 0, lines = 0;
    for (std::size_t playhead = 1; playhead <= document.replay().size(); ++playhead) {
        const trace::Event& e = document.replay().trace()[playhead - 1];
        if (e.kind != trace::Kind::link && e.kind != trace::Kind::insert && e.kind != trace::Kind::remove) continue;
        made::put_playhead(document, playhead);
        const Sets sets = sets_of(document);
        REQUIRE(sets.trees.size() == 1);
        const SetView& tree = sets.trees[0];
        ++steps;
        // All are there: the members, and the one that is being inserted or has just left.
        const trace::SetNow& set = document.replay().sets()[0];
        const bool entering =
            set.coming != trace::kNone && document.replay().trace()[set.coming].kind == trace::Kind::insert;
        const bool left = e.kind == trace::Kind::remove;
        CHECK(tree.boxes.size() == set.members.size() + (entering || left ? 1 : 0));
        CHECK(std::any_of(tree.boxes.begin(), tree.boxes.end(), [](const SetBox& box) { return box.ghost; }) == left);
        made::check_places(sets, kArea);
        for (const SetBox& box : tree.boxes) loose += box.loose ? 1 : 0;
        lines += std::any_of(tree.lines.begin(), tree.lines.end(), [](const SetLine& l) { return l.now; }) ? 1 : 0;
        if (set.coming != trace::kNone) continue;
        for (const SetLine& line : tree.lines) CHECK((line.way == LinkWay::both || line.way == LinkWay::root));
        CHECK(std::none_of(tree.boxes.begin(), tree.boxes.end(), [](const SetBox& box) { return box.loose; }));
    }
    CHECK(steps > 200);
    CHECK(loose > 20);
    CHECK(lines > 80);
}

TEST_CASE("a tree: a node keeps its column through an operation, and columns are ordered by key") {
    Document document(made::parsed(made::sleepers(15)));
    std::map<std::uint32_t, float> columns;
    std::uint32_t operation = trace::kNone;
    std::size_t compared = 0;
    for (std::size_t playhead = 1; playhead <= document.replay().size(); ++playhead) {
        if (document.replay().trace()[playhead - 1].kind != trace::Kind::link) continue;
        made::put_playhead(document, playhead);
        const Sets sets = sets_of(document);
        const std::uint32_t coming = document.replay().sets()[0].coming;
        if (coming != operation) columns.clear();
        operation = coming;
        for (const SetBox& box : sets.trees[0].boxes) {
            const auto [found, first] = columns.emplace(box.id(), box.rect.middle_x());
            if (first) continue;
            ++compared;
            CHECK(found->second == Approx(box.rect.middle_x()).margin(0.5));
        }
    }
    CHECK(compared > 500);
}

TEST_CASE("a tree: the link written by the event is marked, and so is a removed one") {
    Document document(made::parsed(made::sleepers(15)));
    const auto cuts = [](const trace::Event& e) {
        return e.kind == trace::Kind::link && e.e1 == trace::link_field::right && e.y == std::int64_t{trace::kNone};
    };
    const auto red = [](const trace::Event& e) {
        return e.kind == trace::Kind::link && e.second<trace::Color>() == trace::Color::red;
    };
    const auto roots = [](const trace::Event& e) {
        return e.kind == trace::Kind::link && e.e1 == trace::link_field::root;
    };
    const auto marked = [](const SetView& tree, LinkWay way) {
        return std::count_if(tree.lines.begin(), tree.lines.end(),
                             [&](const SetLine& l) { return l.now && l.way == way; });
    };
    made::put_playhead(document, made::after(document, cuts, 3));
    const SetView tree = sets_of(document).trees[0];
    REQUIRE(marked(tree, LinkWay::cut) == 1);
    INFO("the removed link leads to the former child");
    const auto cut = std::find_if(tree.lines.begin(), tree.lines.end(),
                                  [](const SetLine& line) { return line.way == LinkWay::cut; });
    const std::size_t cut_at = document.replay().at();
    made::put_playhead(document, cut_at - 1);
    for (const trace::TreeNode& node : document.replay().sets()[0].nodes)
        if (node.id == document.replay().trace()[cut_at - 1].co) CHECK(tree.boxes[cut->lower].id() == node.right);
    CHECK(tree.boxes[cut->lower].rect.y0 == Approx(cut->to.y));
    made::put_playhead(document, made::after(document, red, 4));
    const Sets colored = sets_of(document);
    const SetBox& box = box_of(colored.trees[0], document.replay().trace()[document.replay().at() - 1].co);
    CHECK(box.now);
    CHECK(box.color == trace::Color::red);
    made::put_playhead(document, made::after(document, roots, 1));
    CHECK(marked(sets_of(document).trees[0], LinkWay::root) == 1);
}

TEST_CASE("fifteen nodes are drawn with names and keys, of ten thousand as many as fit") {
    Document few(made::parsed(made::sleepers(15)));
    const auto fifteen = [](const trace::Event& e) { return e.kind == trace::Kind::insert; };
    made::put_playhead(few, made::after(few, fifteen, 14));
    const Sets whole = sets_of(few);
    REQUIRE(whole.trees[0].boxes.size() == 15);
    for (const SetBox& box : whole.trees[0].boxes) {
        CHECK(box.name == few.replay().trace().name(box.id()));
        CHECK_FALSE(box.key.empty());
        CHECK(box.below.empty());
    }
    CHECK(whole.trees[0].words == "15 that sleep");

    Document many(made::parsed(made::sleepers(2000)));
    made::put_playhead(many, made::after(many, fifteen, 1999));
    for (const Rect area : {kArea, Rect{0, 0, 400, 200}, Rect{0, 0, 300, 90}}) {
        const Sets cut = sets_of(many, area);
        REQUIRE(cut.trees.size() == 1);
        const SetView& tree = cut.trees[0];
        std::int64_t counted = static_cast<std::int64_t>(tree.boxes.size());
        for (const SetBox& box : tree.boxes) {
            std::string digits;
            std::copy_if(box.below.begin(), box.below.end(), std::back_inserter(digits),
                         [](char c) { return c >= '0' && c <= '9'; });
            counted += digits.empty() ? 0 : std::stoll(digits);
        }
        CHECK(counted == 2000);
        made::check_places(cut, area);
    }
    CHECK(sets_of(many).trees[0].words.find("of them not drawn") != std::string::npos);
}

TEST_CASE("queues: beside the largest tree there is room for more than one line") {
    Document document(std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples/06_three_stores.json"));
    made::put_playhead(document, 60);
    const Sets sets = sets_of(document, {0, 0, 900, 215});
    const SetView& ready = queue_of(sets, "ready");
    REQUIRE(names_in(ready) == std::vector<std::string>{"connection 3", "connection 4", "connection 5"});
    CHECK(ready.boxes[2].rect.y0 > ready.boxes[0].rect.y1);
}

TEST_CASE("samples of every kind of set: nothing overlaps at any size") {
    for (const char* name :
         {"04_mixed", "04_mixed_multi_state", "04_hog", "04_pipeline", "04_fanout", "06_three_stores",
          "06_three_stores_heap", "06_three_stores_wheel", "06_beyond_the_wheel", "06_idle_timeouts"}) {
        Document document(std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples") / (std::string(name) + ".json"));
        INFO(name);
        REQUIRE(document.readable());
        for (std::size_t playhead = 0; playhead <= document.replay().size(); playhead += 7) {
            made::put_playhead(document, playhead);
            for (const Rect area : {kArea, Rect{0, 0, 580, 290}, Rect{0, 0, 290, 120}, Rect{0, 0, 900, 215}})
                made::check_places(sets_of(document, area), area);
        }
    }
}

TEST_CASE("a set that is declared later has its place from the start") {
    Document document(std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples/04_mixed.json"));
    made::put_playhead(document, 10);
    const Sets early = sets_of(document);
    REQUIRE(early.trees.size() == 2);
    CHECK(early.trees[0].name == "sleeping");
    CHECK(early.trees[0].words == "not yet");
    made::put_playhead(document, 400);
    const Sets late = sets_of(document);
    CHECK(late.trees[0].title.y0 == early.trees[0].title.y0);
    CHECK(late.trees[1].title.x0 == early.trees[1].title.x0);
}

TEST_CASE("locks: holders and waiters as text") {
    Document document(made::parsed(made::machines()));
    const auto lock = [](const trace::Event& e) { return e.kind == trace::Kind::lock; };
    const auto words_after = [&](std::size_t n) {
        made::put_playhead(document, made::after(document, lock, n));
        const std::vector<LockNow> locks = locks_at(document.replay(), document.index());
        REQUIRE(locks.size() == 1);
        return lock_in_words(document.replay().trace(), locks[0]);
    };
    CHECK(words_after(0) == "A reads");
    CHECK(words_after(1) == "A reads; writer waits to write");
    CHECK(words_after(2) == "A and B read; writer waits to write");
    CHECK(words_after(4) == "no task holds it; writer waits to write");
    CHECK(words_after(5) == "writer writes");
    CHECK(words_after(6) == "no task holds it or waits");
}

TEST_CASE("fitting: names and keys keep their numbers, paragraphs break between words") {
    const Metrics metrics{16, [](std::string_view text) { return 10.0F * static_cast<float>(text.size()); }};
    CHECK(fitting_name(metrics, 100, "sleeper 5") == "sleeper 5");
    CHECK(fitting_name(metrics, 50, "sleeper 5") == "5");
    CHECK(fitting_name(metrics, 50, "worker (2)") == "(2)");
    CHECK(fitting_name(metrics, 5, "worker") == "");
    CHECK(fitting_sentence(metrics, 140, "abc (1, 2), and more", true) == "abc (1, 2)…");
    CHECK(fitting_key(metrics, 100, "95282 ns") == "95282 ns");
    CHECK(fitting_key(metrics, 60, "95282 ns") == "95282");
    CHECK(fitting_key(metrics, 30, "fd 7") == "7");
    CHECK(wrapped(metrics, 100, 60, "has waited for fd 7", 2).empty());
    CHECK(wrapped(metrics, 40, 150, "has waited for fd 7", 2) == std::vector<std::string>{"has", "waited for fd 7"});
    CHECK(wrapped(metrics, 100, 100, "has waited for fd 7", 1).empty());
    CHECK(wrapped(metrics, 30, 30, "impossible", 3).empty());
}
