// The decision card: the sets before a choice, recomputed from the events; the ringed coroutine and the ghosts; fit and
// readability.
#include <algorithm>
#include <map>
#include <set>

#include "testing/catch.h"
#include "viewer/layout/page/card_lines.h"
#include "viewer/layout/page/decision_card.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// Some samples side by side, without a screen.
struct Cards : made::Drawn {
    explicit Cards(std::size_t files) : Drawn(std::span(made::kMixed).first(files)) {
        workspace->apply(Action::side_by_side);
    }
    std::size_t differences() { return workspace->comparing().differences()->all.places.size(); }
};

/// The members of each set after the first `n` events, from `insert` and `remove` only.
std::map<std::uint32_t, std::multiset<std::uint32_t>> standing(const trace::Trace& trace, std::size_t n) {
    std::map<std::uint32_t, std::multiset<std::uint32_t>> sets;
    for (std::size_t i = 0; i < n; ++i) {
        const trace::Event e = trace[i];
        if (e.kind == trace::Kind::insert && e.co != trace::kNone) sets[e.set].insert(e.co);
        if (e.kind == trace::Kind::remove && e.co != trace::kNone) sets[e.set].erase(sets[e.set].find(e.co));
    }
    return sets;
}

/// The event before `event` that first removed `co` from its last sets; `event` if it was entered since, or never
/// removed.
std::size_t taken_before(const trace::Trace& trace, std::uint32_t co, std::size_t event) {
    std::size_t taken = event;
    for (std::size_t i = event; i-- > 0;) {
        if (trace.kind(i) == trace::Kind::switch_ && trace[i].other == co) break;
        if (trace.kind(i) == trace::Kind::insert && trace[i].co == co) break;
        if (trace.kind(i) == trace::Kind::remove && trace[i].co == co) taken = i;
    }
    return taken;
}

/// The number of sets that contained the chosen one.
std::size_t stood_in(const DecisionFacts& facts) {
    return static_cast<std::size_t>(std::count_if(facts.sets.begin(), facts.sets.end(), [&](const SetBefore& set) {
        return std::any_of(set.members.begin(), set.members.end(),
                           [&](const trace::Member& member) { return member.co == facts.co; });
    }));
}

void check_facts(const CardFile& file) {
    const trace::Trace& trace = *file.trace;
    const DecisionFacts& facts = file.facts;
    if (facts.event >= trace.size()) {
        CHECK(facts.co == trace::kNone);
        return;
    }
    CHECK(facts.co == trace[facts.event].other);
    const auto there = standing(trace, taken_before(trace, facts.co, facts.event));
    bool found = facts.set == trace::kNone;
    for (const SetBefore& set : facts.sets) {
        std::multiset<std::uint32_t> members;
        for (const trace::Member& member : set.members) members.insert(member.co);
        CHECK(members == there.at(set.set));
        found = found || (set.set == facts.set && members.contains(facts.co));
    }
    CHECK(found);
}

std::size_t ringed(const CardCell& cell) {
    std::size_t count = 0;
    for (const CardRow& row : cell.rows)
        for (const CardBox& box : row.boxes) count += box.chosen ? 1 : 0;
    return count;
}

bool has_ghost(const CardCell& cell, const std::string& number) {
    for (const CardRow& row : cell.rows)
        for (const CardBox& box : row.boxes)
            if ((" " + box.others + " ").find(" " + number + " ") != std::string::npos) return true;
    return false;
}

/// Checks that the boxes, texts and lines of a cell are inside it, and that the boxes of a row do not touch.
void check_places(const CardCell& cell) {
    const auto inside = [&](const Rect& r) {
        CHECK(r.x0 >= cell.rect.x0 - 0.5F);
        CHECK(r.x1 <= cell.rect.x1 + 0.5F);
        CHECK(r.y0 >= cell.rect.y0 - 0.5F);
        CHECK(r.y1 <= cell.rect.y1 + 0.5F);
    };
    for (const CardRow& row : cell.rows) {
        float end = row.name.rect.x1;
        for (const CardBox& box : row.boxes) {
            inside(box.rect);
            CHECK(box.rect.x0 >= end - 0.5F);
            end = box.rect.x1;
        }
    }
    for (const CardText& words : cell.rule) inside(words.rect);
    for (const CardLine& line : cell.lines) inside(line.rect);
}

}  // namespace

TEST_CASE("at each difference each file has a cell: the chosen coroutine, its set, and the choices of the others") {
    for (const std::size_t count : {std::size_t{2}, made::kMixed.size()}) {
        Cards cards(count);
        for (std::size_t n = 0; n < cards.differences(); ++n) {
            cards.workspace->apply(Action::next_difference);
            const auto files = cards.workspace->comparing().card();
            INFO(count << " files, difference " << n);
            REQUIRE(files.size() == count);
            const Metrics metrics;
            const DecisionCard card = layout_decision_card(files, {0, 0, 1800, 2600}, metrics, metrics);
            for (std::size_t f = 0; f < count; ++f) {
                INFO(files[f].name);
                check_facts(files[f]);
                check_places(card.cells[f]);
                CHECK(ringed(card.cells[f]) == (files[f].facts.set == trace::kNone ? 0 : stood_in(files[f].facts)));
                CHECK_FALSE(card.cells[f].rule.empty());
                for (std::size_t g = 0; g < count; ++g) {
                    const auto co = [&](std::size_t i) {
                        const auto& [file, facts] = std::tie(*files[i].trace, files[i].facts);
                        return facts.co == trace::kNone ? std::string() : file.name(facts.co);
                    };
                    CHECK(has_ghost(card.cells[f], std::to_string(g + 1)) == (!co(g).empty() && co(g) != co(f)));
                }
            }
        }
    }
}

TEST_CASE("the counterpart of a decision is the same task, or the decision made instead") {
    const Document a(made::sample("04_mixed")), b(made::sample("04_mixed_go"));
    const Run first{a.replay(), a.index()}, second{b.replay(), b.index()};
    const Divergences all = divergences(first, second);
    for (const Divergence& place : all.places)
        CHECK(counterpart(first, second, all, place.decision) == place.second.event);
    std::vector<std::uint32_t> decisions;
    for (const std::uint32_t n : a.index().switches())
        if (trace::is_decision(a.replay().trace(), n) && a.replay().trace()[n].other != 0 &&
            a.replay().trace().name(a.replay().trace()[n].other) != "idle 0")
            decisions.push_back(n);
    REQUIRE(decisions.size() == all.first);
    std::size_t agree = 0;
    for (std::size_t d = 0; d < decisions.size(); ++d) {
        const bool differs = std::any_of(all.places.begin(), all.places.end(), [&](const Divergence& place) {
            return d >= place.decision && d < place.decision + std::max<std::size_t>(1, place.first.decisions);
        });
        const std::size_t at = counterpart(first, second, all, d);
        if (differs) continue;
        ++agree;
        REQUIRE(at < b.replay().size());
        CHECK(b.replay().trace().name(b.replay().trace()[at].other) ==
              a.replay().trace().name(a.replay().trace()[decisions[d]].other));
    }
    CHECK(agree > 10);
}

TEST_CASE("the deciding line is shown with its deciding part, however little room there is") {
    CardFile file;
    for (std::size_t i = 1; i <= 20; ++i) file.lines.push_back({i, i == 1 ? "void f() {" : "    work();", false});
    file.lines[13] = {14, "    for (std::size_t queued = size(); queued > 0; --queued) resume(*ready().pop());", true};
    const Metrics metrics;
    for (std::size_t most = 1; most <= 20; ++most) {
        const auto shown = lines_in_card(file, most);
        CHECK(shown.size() == most);
        CHECK(std::find(shown.begin(), shown.end(), 13) != shown.end());
        CHECK((most == 1 || shown[0] == 0));
        CHECK(std::is_sorted(shown.begin(), shown.end()));
    }
    for (const float room : {300.0F, 500.0F, 2000.0F}) {
        const std::string text = fitting_code(metrics, room, file.lines[13], "ready().pop()");
        CHECK(text.find("ready().pop()") != std::string::npos);
        CHECK(metrics.width(text) <= room + 18);  // an ellipsis counts as three letters here
    }
}
