#include "traces/words/steps.h"

#include <algorithm>

#include "traces/words/names.h"

namespace fiberscope::trace {
namespace {

/// Maximum number of other events between two events of one operation.
constexpr std::size_t kFarSteps = 512;
/// Maximum number of events of an operation, which is bounded by the depth of a tree or heap at 4 events per level.
/// More events are not treated as one operation, so the cost of an event does not depend on the length of the trace.
constexpr std::size_t kMostSteps = 256;

using Events = std::vector<std::size_t>;

/// The events of kind `of` about one set around event n that are not interrupted by another event about that set, and
/// the first other event before and after them, recognized by `is_end`. Empty if there are more than kMostSteps.
struct Together {
    Events events;
    std::optional<std::size_t> before, behind;

    bool too_many() const noexcept { return events.size() > kMostSteps; }
};
template <class IsEnd>
Together together_around(const Trace& trace, std::size_t n, IsEnd is_end) {
    const Event own = trace[n];
    Together out;
    std::size_t near = n;
    for (std::size_t i = n; i-- > 0 && near - i <= kFarSteps && !out.before && !out.too_many();) {
        const Event& e = trace[i];
        if (e.set != own.set) continue;
        if (e.kind == own.kind)
            out.events.push_back(near = i);
        else if (is_end(e.kind))
            out.before = i;
    }
    std::reverse(out.events.begin(), out.events.end());
    out.events.push_back(near = n);
    for (std::size_t i = n + 1; i < trace.size() && i - near <= kFarSteps && !out.behind && !out.too_many(); ++i) {
        const Event& e = trace[i];
        if (e.set != own.set) continue;
        if (e.kind == own.kind)
            out.events.push_back(near = i);
        else if (is_end(e.kind))
            out.behind = i;
    }
    return out.too_many() ? Together() : out;
}

bool enters_or_leaves(Kind kind) noexcept { return kind == Kind::insert || kind == Kind::remove; }

/// Parses consecutive link writes, starting at one of them.
class Reading {
  public:
    Reading(const Trace& trace, const Events& events, std::size_t at) : trace_(trace), events_(events), at_(at) {}

    /// Whether the next write sets this link of `node`; sets `to` to its target.
    bool next(unsigned field, std::uint32_t& node, std::uint32_t& to) {
        if (at_ >= events_.size() || trace_[events_[at_]].e1 != field) return false;
        const Event& e = trace_[events_[at_++]];
        node = e.co;
        to = field == link_field::parent  ? e.other
             : field == link_field::left  ? static_cast<std::uint32_t>(e.x)
             : field == link_field::right ? static_cast<std::uint32_t>(e.y)
                                          : e.co;
        return true;
    }
    /// The same for a known node and target.
    bool next_is(unsigned field, std::uint32_t node, std::uint32_t to) {
        std::uint32_t its = kNone, leads = kNone;
        return next(field, its, leads) && its == node && leads == to;
    }
    /// Whether the next write links `node` below `above`, or as the root.
    bool next_hangs(std::uint32_t node, std::uint32_t above) {
        if (above == kNone) return next_is(link_field::root, node, node);
        return next_is(link_field::left, above, node) || next_is(link_field::right, above, node);
    }
    std::size_t at() const noexcept { return at_; }
    void skip_to(std::size_t at) noexcept { at_ = at; }

  private:
    const Trace& trace_;
    const Events& events_;
    std::size_t at_;
};

/// Position of a rotation in a pair of consecutive rotations of the same child in opposite directions.
enum class Which : std::uint8_t { first, second };
std::optional<Rotation> rotation_from(const Trace& trace, const Events& events, std::size_t& i, bool left,
                                      Which which = Which::first);

/// The links above a rotation. The first rotation of a pair omits them, because the second one writes them: it moves
/// the same child up in the other direction.
bool read_above(const Trace& trace, const Events& events, Which which, Reading& reading, Rotation& out) {
    Reading whole(trace, events, reading.at());
    std::uint32_t up = kNone;
    if (whole.next(link_field::parent, up, out.above) && up == out.up && whole.next_hangs(up, out.above)) {
        reading.skip_to(whole.at());
        return true;
    }
    if (which == Which::second) return false;
    std::size_t next = reading.at();
    while (next < events.size() && trace[events[next]].e1 == link_field::color) ++next;
    const auto second =
        next < events.size() ? rotation_from(trace, events, next, !out.left, Which::second) : std::nullopt;
    if (!second || second->up != out.up) return false;
    out.above = second->at;
    return true;
}

/// A rotation whose first write is number `i`; advances `i` past its last write.
std::optional<Rotation> rotation_from(const Trace& trace, const Events& events, std::size_t& i, bool left,
                                      Which which) {
    const unsigned outer = left ? link_field::right : link_field::left,
                   other = left ? link_field::left : link_field::right;
    Rotation out;
    out.left = left;
    std::uint32_t down = kNone;
    Reading reading(trace, events, i);
    if (!reading.next(outer, out.at, out.inner)) return std::nullopt;
    if (out.inner != kNone && !reading.next_is(link_field::parent, out.inner, out.at)) return std::nullopt;
    if (!reading.next(other, out.up, down) || down != out.at || out.up == out.at) return std::nullopt;
    if (!reading.next_is(link_field::parent, out.at, out.up)) return std::nullopt;
    if (!read_above(trace, events, which, reading, out)) return std::nullopt;
    out.first = events[i];
    out.last = events[reading.at() - 1];
    i = reading.at();
    return out;
}

/// In cases 1 and 3 of a remove the node that moves down becomes red immediately before, and case 3 is always followed
/// by case 4 at the parent, in the other direction.
unsigned case_of_remove(const Trace& trace, const Events& events, const std::vector<Rotation>& all, std::size_t index) {
    const Rotation& its = all[index];
    const auto first = std::lower_bound(events.begin(), events.end(), its.first);
    if (first == events.begin()) return 4;
    const Event& before = trace[*(first - 1)];
    const bool reddened = before.e1 == link_field::color && before.co == its.at && before.second<Color>() == Color::red;
    if (!reddened) return 4;
    const Rotation* next = index + 1 < all.size() ? &all[index + 1] : nullptr;
    return next != nullptr && next->left != its.left && next->at == its.above ? 3 : 1;
}

bool follows(std::int64_t place, std::int64_t before, bool up) noexcept {
    return up ? place == (before - 1) / 2 && place < before : (place - 1) / 2 == before && place > before;
}

}  // namespace

std::vector<Rotation> rotations_around(const Trace& trace, std::size_t n) {
    std::vector<Rotation> all;
    if (n >= trace.size() || trace.kind(n) != Kind::link) return all;
    const Together operation = together_around(trace, n, enters_or_leaves);
    for (std::size_t i = 0; i < operation.events.size();) {
        auto found = rotation_from(trace, operation.events, i, true);
        if (!found) found = rotation_from(trace, operation.events, i, false);
        if (found)
            all.push_back(*found);
        else
            ++i;
    }
    if (!operation.behind) return all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].operation = trace.kind(*operation.behind);
        all[i].number = all[i].operation == Kind::insert ? (i + 1 < all.size() ? 2 : 3)
                                                         : case_of_remove(trace, operation.events, all, i);
    }
    return all;
}

std::optional<Rotation> rotation_at(const Trace& trace, std::size_t n) {
    for (const Rotation& rotation : rotations_around(trace, n))
        if (rotation.first <= n && n <= rotation.last) return rotation;
    return std::nullopt;
}

std::string rotation_in_words(const Trace& trace, const Rotation& rotation, Language language) {
    const Event& e = trace[rotation.first];
    const std::string node =
        e.e3 != 0 ? say(language, "timer {0}", rotation.at) : name_in(trace, rotation.at, language);
    const std::string what =
        say(language, rotation.left ? mark("left-rotate at {0}") : mark("right-rotate at {0}"), node);
    if (!rotation.operation) return what;
    return what + say(language,
                      rotation.operation == Kind::insert ? mark(", case {0} of insert") : mark(", case {0} of remove"),
                      rotation.number);
}

std::optional<Sift> sift_at(const Trace& trace, std::size_t n) {
    if (n >= trace.size() || trace.kind(n) != Kind::move) return std::nullopt;
    const Together operation = together_around(trace, n, enters_or_leaves);
    const Events& moves = operation.events;
    if (!operation.before || moves.size() < 2 || trace[moves[0]].x != trace[*operation.before].x) return std::nullopt;
    const Event &last = trace[moves.back()], &began = trace[*operation.before];
    Sift out{trace[moves[1]].x < trace[moves[0]].x, last.co, last.other};
    for (std::size_t i = 1; i < moves.size(); ++i)
        if (!follows(trace[moves[i]].x, trace[moves[i - 1]].x, out.up)) return std::nullopt;
    const bool itself = last.co == began.co && last.other == began.other;
    if (began.kind == Kind::insert && !(itself && out.up)) return std::nullopt;
    return out;
}

std::string step_in_words(const Trace& trace, std::size_t n, Language language) {
    if (const auto rotation = rotation_at(trace, n)) return rotation_in_words(trace, *rotation, language);
    const auto sift = sift_at(trace, n);
    if (!sift) return {};
    const std::string item =
        sift->co != kNone ? name_in(trace, sift->co, language) : say(language, "timer {0}", sift->timer);
    return say(language, sift->up ? mark("sift-up of {0}") : mark("sift-down of {0}"), item);
}

}  // namespace fiberscope::trace
