#include "viewer/layout/timeline/lanes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>

#include "traces/replay/natural_order.h"
#include "traces/words/words.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/base/substring.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

/// Within a group, coroutines that exist come first.
constexpr std::uint32_t kNotYet = 1000;

trace::CoKind kind_of(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co) {
    const std::uint32_t spawn = index.spawn(co);
    return spawn == kNone ? trace::CoKind::task : replay.trace()[spawn].first<trace::CoKind>();
}

std::string kind_word(trace::CoKind kind, Language language) {
    static constexpr std::array kWords{mark("thread"), mark("scheduler"), mark("idle"), mark("task")};
    return say(language, kWords[static_cast<std::size_t>(kind)]);
}

std::uint32_t parent_of(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co) {
    const std::uint32_t spawn = index.spawn(co);
    return spawn == kNone ? kNone : replay.trace()[spawn].other;
}

std::string state_words(const trace::Replay& replay, std::uint32_t co, Language language) {
    const trace::CoroutineNow& now = replay.coroutine(co);
    return now.exists ? trace::state_name(replay.trace(), now.state, language) : say(language, "not spawned yet");
}

/// A word of the format, translated to Chinese if needed.
template <class Words>
bool holds_in_any(Words words, std::string_view what) {
    return has_substring(words(Language::english), what) || has_substring(words(Language::chinese), what);
}

std::string machine_word(const trace::Replay& replay, std::uint32_t co) {
    const std::uint32_t machine = replay.coroutine(co).machine;
    return machine == kNone ? "none" : std::to_string(machine);
}

bool term_holds(const trace::Replay& replay, const TraceIndex& index, std::string_view term, std::uint32_t co) {
    const auto colon = term.find(':');
    const std::string_view field = term.substr(0, colon == std::string_view::npos ? 0 : colon);
    const std::string_view what = colon == std::string_view::npos ? term : term.substr(colon + 1);
    if (field == "state") return holds_in_any([&](Language l) { return state_words(replay, co, l); }, what);
    if (field == "kind")
        return holds_in_any([&](Language l) { return kind_word(kind_of(replay, index, co), l); }, what);
    if (field == "machine") return machine_word(replay, co) == what || what.empty();
    const std::uint32_t parent = parent_of(replay, index, co);
    if (field == "parent") return what.empty() || (parent != kNone && has_substring(replay.trace().name(parent), what));
    return has_substring(replay.trace().name(co), term);
}

/// The group of a coroutine; groups are sorted by this number.
std::uint32_t group_of(const trace::Replay& replay, const TraceIndex& index, LaneOrder order, std::uint32_t co) {
    const trace::CoroutineNow& now = replay.coroutine(co);
    if (order == LaneOrder::machine) return now.exists ? now.machine : kNone;
    if (order == LaneOrder::state) {
        if (!now.exists) return kNotYet;
        return static_cast<std::uint32_t>(std::find(kLegendOrder.begin(), kLegendOrder.end(), now.state) -
                                          kLegendOrder.begin());
    }
    const std::uint32_t spawn = index.spawn(co);
    if (order != LaneOrder::kind || spawn == kNone) return 0;
    return static_cast<std::uint32_t>(replay.trace()[spawn].first<trace::CoKind>());
}

std::string heading_of(const trace::Replay& replay, const TraceIndex& index, LaneOrder order, std::uint32_t co,
                       Language language) {
    if (order == LaneOrder::machine) {
        const std::uint32_t machine = replay.coroutine(co).machine;
        return machine == kNone ? say(language, "has not run on a machine yet") : say(language, "machine {0}", machine);
    }
    return order == LaneOrder::state ? state_words(replay, co, language)
                                     : kind_word(kind_of(replay, index, co), language);
}

bool has_groups(LaneOrder order) noexcept {
    return order == LaneOrder::kind || order == LaneOrder::machine || order == LaneOrder::state;
}

/// All coroutines in the requested order.
std::vector<std::uint32_t> in_order(const trace::Replay& replay, const TraceIndex& index, LaneOrder order) {
    std::vector<std::uint32_t> all(index.coroutines());
    std::iota(all.begin(), all.end(), 0U);
    if (order == LaneOrder::parent) {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = index.tree()[i].co;
    } else if (order == LaneOrder::name) {
        std::vector<std::string> names;
        for (const std::uint32_t co : all) names.push_back(replay.trace().name(co));
        std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
            return trace::compare_naturally(names[a], names[b]) < 0;
        });
    } else if (has_groups(order)) {
        std::vector<std::uint32_t> groups;
        for (const std::uint32_t co : all) groups.push_back(group_of(replay, index, order, co));
        std::stable_sort(all.begin(), all.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return groups[a] < groups[b]; });
    }
    return all;
}

}  // namespace

bool passes(const trace::Replay& replay, const TraceIndex& index, std::string_view filter, std::uint32_t co) {
    while (!filter.empty()) {
        const auto end = std::min(filter.find(' '), filter.size());
        if (end > 0 && !term_holds(replay, index, filter.substr(0, end), co)) return false;
        filter.remove_prefix(std::min(end + 1, filter.size()));
    }
    return true;
}

LaneTable::LaneTable(const trace::Replay& replay, const TraceIndex& index, const LaneWishes& wishes, Language language)
    : machines_(index.machines()), coroutines_(index.coroutines()) {
    LaneWishes plain;
    plain.groups = wishes.groups;
    plain_ = wishes == plain;
    if (plain_) return;
    place_.assign(coroutines_, kNone);
    machine_place_.assign(machines_, kNone);
    fold(index, wishes);
    pin(wishes);
    std::vector<std::uint32_t> shown;
    for (const std::uint32_t co : in_order(replay, index, wishes.order)) {
        const trace::CoroutineNow& now = replay.coroutine(co);
        const bool dead = wishes.hides_dead && now.exists && now.state == trace::State::dead;
        if (is_pinned(LaneRow::Kind::coroutine, co)) continue;
        if (!dead && fold_[co] == kNone && passes(replay, index, wishes.filter, co)) shown.push_back(co);
    }
    hidden_ = coroutines_ - static_cast<std::uint32_t>(shown.size());
    for (const LaneRow& row : rows_) hidden_ -= row.kind == LaneRow::Kind::coroutine ? 1 : 0;
    add_rows(replay, index, shown, wishes, language);
}

void LaneTable::pin(const LaneWishes& wishes) {
    for (const std::uint32_t m : wishes.pins.machines)
        if (m < machines_ && machine_place_[m] == kNone) add({LaneRow::Kind::machine, m, 0, 0});
    for (const std::uint32_t co : wishes.pins.coroutines)
        if (co < coroutines_ && place_[co] == kNone) add({LaneRow::Kind::coroutine, co, 0, descendants_[co]});
    pinned_ = static_cast<std::uint32_t>(rows_.size());
}

bool LaneTable::is_pinned(LaneRow::Kind kind, std::uint32_t id) const noexcept {
    return std::any_of(rows_.begin(), rows_.begin() + pinned_,
                       [&](const LaneRow& row) { return row.kind == kind && row.id == id; });
}

/// When grouped by machine, a machine's lane is the heading of its group, unless it is pinned.
void LaneTable::add_rows(const trace::Replay& replay, const TraceIndex& index, const std::vector<std::uint32_t>& shown,
                         const LaneWishes& wishes, Language language) {
    const bool by_machine = wishes.order == LaneOrder::machine && wishes.groups;
    const bool headed = has_groups(wishes.order) && wishes.groups;
    std::uint32_t next = 0;
    const auto add_machines = [&](std::uint32_t end) {
        for (; next < std::min(end, machines_); ++next)
            if (!is_pinned(LaneRow::Kind::machine, next)) add({LaneRow::Kind::machine, next, 0, 0});
    };
    if (!by_machine) add_machines(machines_);
    std::optional<std::uint32_t> last;
    for (const std::uint32_t co : shown) {
        const std::uint32_t group = group_of(replay, index, wishes.order, co);
        if (by_machine) add_machines(group == kNone ? machines_ : group + 1);
        const bool has_lane = by_machine && group < machines_ && !is_pinned(LaneRow::Kind::machine, group);
        if (headed && group != last && !has_lane) {
            add({LaneRow::Kind::heading, static_cast<std::uint32_t>(headings_.size()), 0, 0});
            headings_.push_back(heading_of(replay, index, wishes.order, co, language));
        }
        last = group;
        add({LaneRow::Kind::coroutine, co, wishes.order == LaneOrder::parent ? depth_[co] : 0, descendants_[co]});
    }
    add_machines(machines_);
}

void LaneTable::add(LaneRow row) {
    const auto place = static_cast<std::uint32_t>(rows_.size());
    if (row.kind == LaneRow::Kind::machine) machine_place_[row.id] = place;
    if (row.kind == LaneRow::Kind::coroutine) place_[row.id] = place;
    rows_.push_back(row);
}

void LaneTable::fold(const TraceIndex& index, const LaneWishes& wishes) {
    fold_.assign(coroutines_, kNone);
    descendants_.assign(coroutines_, 0);
    depth_.assign(coroutines_, 0);
    const std::unordered_set<std::uint32_t> wished(wishes.folded.begin(), wishes.folded.end());
    std::uint32_t folded = kNone, depth = 0;
    for (const TraceIndex::TreeRow& row : index.tree()) {
        depth_[row.co] = row.depth;
        if (folded != kNone && row.depth <= depth) folded = kNone;
        if (folded != kNone) {
            fold_[row.co] = folded;
            ++descendants_[folded];
        } else if (wished.contains(row.co)) {
            folded = row.co;
            depth = row.depth;
        }
    }
}

std::uint32_t LaneTable::size() const noexcept {
    return plain_ ? machines_ + coroutines_ : static_cast<std::uint32_t>(rows_.size());
}

LaneRow LaneTable::row(std::uint32_t place) const noexcept {
    if (!plain_) return rows_[place];
    if (place < machines_) return {LaneRow::Kind::machine, place, 0, 0};
    return {LaneRow::Kind::coroutine, place - machines_, 0, 0};
}

std::optional<std::uint32_t> LaneTable::place_of(std::uint32_t co) const noexcept {
    if (co >= coroutines_) return std::nullopt;
    if (plain_) return machines_ + co;
    const bool itself = fold_[co] == kNone || place_[co] != kNone;  // a folded coroutine may be pinned
    const std::uint32_t shown = itself ? co : fold_[co];
    return place_[shown] == kNone ? std::nullopt : std::optional(place_[shown]);
}

std::optional<std::uint32_t> LaneTable::place_of_machine(std::uint32_t m) const noexcept {
    if (m >= machines_) return std::nullopt;
    return plain_ ? m : machine_place_[m];
}

std::string order_word(LaneOrder order, Language language) {
    static constexpr std::array<Text, kLaneOrders> kWords{mark("number"), mark("name"),    mark("parent"),
                                                          mark("kind"),   mark("machine"), mark("state")};
    return say(language, kWords[static_cast<std::size_t>(order)]);
}

std::string lanes_in_words(const LaneTable& table, const TraceIndex& index, const LaneWishes& wishes,
                           Language language) {
    std::string words;
    const auto add = [&](const std::string& part) { words += words.empty() ? part : say(language, ", {0}", part); };
    if (table.hidden() > 0)
        add(say(language, mark("{0} of {1}", "lanes"), index.coroutines() - table.hidden(), index.coroutines()));
    if (wishes.order != LaneOrder::number) add(say(language, "by {0}", order_word(wishes.order, language)));
    if (wishes.hides_dead) add(say(language, "dead hidden"));
    return words;
}

namespace {

void toggle(std::vector<std::uint32_t>& all, std::uint32_t id) {
    const auto found = std::find(all.begin(), all.end(), id);
    if (found == all.end())
        all.push_back(id);
    else
        all.erase(found);
}

}  // namespace

void toggle_machine(Pins& pins, std::uint32_t m) {
    toggle(pins.machines, m);
    std::sort(pins.machines.begin(), pins.machines.end());
}

void toggle_coroutine(Pins& pins, std::uint32_t co) { toggle(pins.coroutines, co); }

void toggle_machines(Pins& pins, const TraceIndex& index) {
    const bool any = !pins.machines.empty();
    pins.machines.resize(any ? 0 : index.machines());
    std::iota(pins.machines.begin(), pins.machines.end(), 0U);
}

std::uint32_t neighbour(const LaneTable& table, std::uint32_t co, int by) noexcept {
    const std::int64_t size = table.size();
    const auto here = table.place_of(co);
    std::int64_t place = here ? std::int64_t{*here} : by > 0 ? -1 : size;
    for (place += by; place >= 0 && place < size; place += by) {
        const LaneRow row = table.row(static_cast<std::uint32_t>(place));
        if (row.kind == LaneRow::Kind::coroutine) return row.id;
    }
    return co;
}

}  // namespace fiberscope::viewer
