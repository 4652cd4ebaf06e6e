// Two files side by side in the window: lock, chosen difference, presentation, common scale. The alignment of two
// sequences is compared with the longest common subsequence computed by the textbook algorithm.
#include <algorithm>
#include <random>

#include "testing/catch.h"
#include "traces/tests/made/files.h"
#include "viewer/layout/stacks/registers.h"
#include "viewer/layout/trace_facts/alignment.h"
#include "viewer/model/side_by_side.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

using Sequence = std::vector<std::uint32_t>;

/// Its length by dynamic programming over all prefixes: quadratic, and independent of the tested code.
std::size_t longest_common(const Sequence& a, const Sequence& b) {
    std::vector<std::size_t> row(b.size() + 1, 0);
    for (const std::uint32_t x : a) {
        std::size_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = x == b[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    return row.back();
}

/// Checks that the elements between the gaps are equal and counted correctly, and that no gap is empty or adjacent to
/// the next.
bool is_sound(const Sequence& a, const Sequence& b, const Alignment& found) {
    std::size_t x = 0, y = 0, agree = 0;
    std::vector<Gap> gaps = found.gaps;
    gaps.push_back({a.size(), a.size(), b.size(), b.size()});
    for (const Gap& gap : gaps) {
        const bool last = &gap == &gaps.back();
        if (gap.first_begin < x || gap.second_begin < y || gap.first_begin - x != gap.second_begin - y) return false;
        if (!last && x > 0 && gap.first_begin == x) return false;
        if (!last && gap.first_begin == gap.first_end && gap.second_begin == gap.second_end) return false;
        for (; x < gap.first_begin; ++x, ++y, ++agree)
            if (a[x] != b[y]) return false;
        x = gap.first_end;
        y = gap.second_end;
    }
    return agree == found.agree;
}

Sequence random_sequence(std::mt19937& random, std::size_t most, std::uint32_t letters) {
    Sequence all(random() % (most + 1));
    for (std::uint32_t& one : all) one = static_cast<std::uint32_t>(random() % letters);
    return all;
}

/// `all` with some elements removed, inserted or changed.
Sequence changed(std::mt19937& random, const Sequence& all, unsigned one_in) {
    Sequence out;
    for (const std::uint32_t one : all) {
        const auto way = random() % one_in;
        if (way == 0) continue;
        if (way == 1) out.push_back(static_cast<std::uint32_t>(random() % 7));
        out.push_back(one);
    }
    return out;
}

/// Two samples side by side, without a screen.
struct Compared : made::Drawn {
    explicit Compared(const char* other = "04_mixed_go", made::Screenful screen = {1600, 900, 17})
        : Drawn(std::array{"04_mixed", other}, screen) {
        workspace->apply(Action::side_by_side);
        look();
    }
    Documents both() const { return {&workspace->document(0), &workspace->document(1)}; }
    bool holds() const { return lock_holds(both(), workspace->document(), workspace->lock()); }
};

}  // namespace

TEST_CASE("the active lock is shown; choosing a difference releases it, and the next step restores it") {
    Compared compared;
    Workspace& workspace = *compared.workspace;
    std::mt19937 random(4);
    constexpr std::array kMoves{
        Action::step, Action::step_back, Action::step,   Action::next_decision, Action::previous_decision,
        Action::home, Action::fit,       Action::zoom_in};
    for (std::size_t lock = 0; lock < kLocks; ++lock) {
        INFO(lock);
        for (int i = 0; i < 60; ++i) {
            workspace.apply(kMoves[random() % kMoves.size()]);
            CHECK(compared.holds());
        }
        workspace.document(0).selection().playhead = workspace.document(0).replay().size() / 2;
        for (int i = 0; i < 4; ++i) workspace.apply(Action::next_difference);
        compared.look();
        CHECK(compared.says("locked by ") == compared.holds());
        CHECK(compared.says("not locked (L)") != compared.holds());
        if (lock == 0) CHECK_FALSE(compared.holds());
        workspace.apply(Action::step);
        compared.look();
        CHECK(compared.holds());
        CHECK(compared.says("locked by "));
        workspace.apply(Action::lock_by);
    }
    INFO("the first press restores the lock, the next changes it");
    const Lock before = workspace.lock();
    REQUIRE(before == Lock::time);
    for (int i = 0; i < 4; ++i) workspace.apply(Action::next_difference);
    REQUIRE_FALSE(compared.holds());
    workspace.apply(Action::lock_by);
    CHECK(workspace.lock() == before);
    CHECK(compared.holds());
    workspace.apply(Action::lock_by);
    CHECK(workspace.lock() != before);
}

TEST_CASE("X and Z go to the difference after and before the playhead") {
    Compared compared("04_mixed_netco");
    Workspace& workspace = *compared.workspace;
    const auto& places = workspace.comparing().differences()->all.places;
    REQUIRE(places.size() > 3);
    tests::put_playhead(workspace.document(0), places[2].first.event);
    workspace.apply(Action::next_difference);
    CHECK(workspace.comparing().difference_here() == 2);
    tests::put_playhead(workspace.document(0), places[2].first.event);
    workspace.apply(Action::previous_difference);
    CHECK(workspace.comparing().difference_here() == 1);
}

TEST_CASE("X with one recording asks for C") {
    Compared compared("04_mixed_netco");
    Workspace& workspace = *compared.workspace;
    workspace.apply(Action::side_by_side);
    workspace.apply(Action::next_difference);
    CHECK(workspace.said().find("press C first") != std::string::npos);
}

TEST_CASE("differences are drawn as stretches, and are found at their signs and bars") {
    Compared compared;
    Workspace& workspace = *compared.workspace;
    for (std::size_t tab = 0; tab < 2; ++tab) {
        const Timeline& timeline = workspace.drawn_timeline(tab);
        const auto& places = workspace.comparing().differences()->all.places;
        REQUIRE_FALSE(timeline.differences.bars.empty());
        for (const DifferenceBar& bar : timeline.differences.bars) {
            const Range time = tab == 0 ? places[bar.index].first.time : places[bar.index].second.time;
            CHECK(bar.rect.x0 == Approx(timeline.scale.x(time.from)).margin(3.5));
            CHECK(bar.rect.x1 >= timeline.scale.x(time.to) - 0.5F);
            if (bar.sign.empty()) continue;
            const Point middle{bar.sign.middle_x(), bar.sign.middle_y()};
            CHECK(timeline.differences.at(middle, 17) == bar.index);
        }
        CHECK_FALSE(timeline.differences.at({timeline.ruler.x0 + 1, timeline.lanes_area.y0 + 1}, 17));
    }
}

TEST_CASE("the sources of both files are shown, as used in the recordings") {
    Compared compared;
    Workspace& workspace = *compared.workspace;
    workspace.apply(Action::next_difference);
    workspace.apply(Action::source);
    REQUIRE(workspace.overlays().source.open());
    REQUIRE(workspace.overlays().source.size() == 2);
    CHECK(workspace.overlays().source.shown(0).file.string().ends_with(
        "labs/04_scheduler/solution/producer_consumer.cpp"));
    CHECK(workspace.overlays().source.shown(1).file.string().find("labs/04_scheduler/solution/go_") !=
          std::string::npos);
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
        const Excerpt& shown = workspace.overlays().source.shown(part);
        const Mechanism& chose = *workspace.comparing().card()[part].facts.chose;
        CHECK(shown.lines.at(shown.marked - shown.first).find(chose.inside) != std::string::npos);
        CHECK_FALSE(chose.inside.empty());
    }
    compared.look();
    CHECK(compared.says("mixed: step 4.4:  labs/04_scheduler/solution/producer_consumer.cpp:"));
    CHECK(compared.says("mixed_go: step 4.8:  labs/04_scheduler/solution/go_"));
    for (const Written& text : compared.reader.written())
        if (text.window != "source") CHECK(text.text.find('`') == std::string::npos);
}

TEST_CASE("a partially drawn stack says how much is drawn") {
    made::Drawn drawn(std::array{"01_nested"}, {1920, 1080, 17});
    const Document& document = drawn.workspace->document();
    drawn.workspace->document().selection().playhead = 20;
    drawn.look();
    REQUIRE(drawn.says("stack top"));
    const Registers shown = layout_registers(document.replay(), document.index(), 20);
    for (const RegisterSide* side : {&shown.saved, &shown.loaded}) {
        REQUIRE(side->stack.has_value());
        const StackPicture& stack = *side->stack;
        INFO(stack.shown << " of " << stack.size);
        if (stack.size == 0 || stack.shown < stack.size) CHECK(drawn.says(bytes_in_words(stack.shown) + " drawn"));
    }
}

TEST_CASE("the heading of the caller stacks says if there are more machines") {
    const trace::testing::Scratch folder;
    for (const unsigned machines : {4U, 8U}) {
        std::string events;
        for (unsigned m = 0; m < machines; ++m)
            events +=
                (m == 0 ? "" : ",\n") + (R"({"t":1,"m":)" + std::to_string(m)) + R"(,"ev":"note","text":"works"})";
        const std::string end = "\n],\n\"end\":{\"events\":" + std::to_string(machines) + ",\"dropped\":0}}\n";
        const auto file = folder.write("machines.json", "{\"fiberscope\":1,\n\"events\":[\n" + events + end);
        made::Reader reader(Language::english, {1600, 900, 17});
        const auto workspace = reader.open({file});
        reader.look(*workspace);
        CHECK(reader.says("Caller stacks of 4 of 8 machines") == (machines > 4));
    }
}

TEST_CASE("the alignment of random sequences is a longest common subsequence") {
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const std::uint32_t letters = 1 + static_cast<std::uint32_t>(random() % 9);
        const Sequence a = random_sequence(random, 60, letters);
        const Sequence b = i % 2 == 0 ? random_sequence(random, 60, letters) : changed(random, a, 4);
        const Alignment found = align(a, b);
        INFO(i);
        CHECK(found.longest);
        CHECK(found.agree == longest_common(a, b));
        CHECK(is_sound(a, b, found));
    }
}

TEST_CASE("a million elements that differ everywhere get a valid alignment, marked as possibly not longest") {
    std::mt19937 random(3);
    Sequence a(1'000'000), b(1'000'000);
    for (std::uint32_t& one : a) one = static_cast<std::uint32_t>(random() % 50);
    for (std::uint32_t& one : b) one = static_cast<std::uint32_t>(random() % 50);
    const Alignment far = align(a, b);
    CHECK_FALSE(far.longest);
    CHECK(far.agree > 100'000);
    CHECK(is_sound(a, b, far));
    INFO("a few differences among a million elements are found exactly");
    b = a;
    for (std::size_t i = 500; i < b.size(); i += 50'000) b[i] = 99;
    const Alignment near = align(a, b);
    CHECK(near.longest);
    CHECK(near.agree == 999'980);
    CHECK(near.gaps.size() == 20);
    CHECK(is_sound(a, b, near));
}
