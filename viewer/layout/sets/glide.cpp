#include "viewer/layout/sets/glide.h"

#include <cmath>
#include <compare>
#include <map>
#include <numbers>
#include <optional>
#include <tuple>

namespace fiberscope::viewer {
namespace {

using trace::kNone;

struct Who {
    std::uint32_t co, timer;
    auto operator<=>(const Who&) const = default;
};
Who who(const SetBox& box) noexcept { return {box.co, box.timer}; }

Point centre(const Rect& r) noexcept { return {r.middle_x(), r.middle_y()}; }

/// Calls `visit(view)` for each set.
template <class S, class Visit>
void each_view(S& sets, Visit visit) {
    for (auto* views : {&sets.queues, &sets.trees, &sets.heaps, &sets.wheels})
        for (auto& view : *views) visit(view);
}
/// Calls `visit(set, array, box)` for each drawn member; a heap's array draws its members a second time.
template <class S, class Visit>
void each_member(S& sets, Visit visit) {
    each_view(sets, [&](auto& view) {
        for (auto& box : view.boxes)
            if (!box.ghost) visit(view.set, false, box);
        for (auto& box : view.cells) visit(view.set, true, box);
    });
}

void shift(Rect& r, Point by) noexcept { r = {r.x0 + by.x, r.y0 + by.y, r.x1 + by.x, r.y1 + by.y}; }
void shift(Point& p, Point by) noexcept { p = {p.x + by.x, p.y + by.y}; }
void shift(SetBox& box, bool array, Point by) noexcept {
    for (Rect* r : {&box.rect, &box.chip, &box.below_rect})
        if (!r->empty() && !(array && r == &box.below_rect)) shift(*r, by);
}

/// Positions of the members in a layout.
class Places {
  public:
    explicit Places(const Sets& sets) {
        each_member(sets, [&](std::uint32_t set, bool array, const SetBox& box) {
            places_[{who(box), set, array}].push_back(centre(box.rect));
        });
        each_view(sets, [&](const SetView& view) {
            if (view.left) ghosts_.emplace(who(*view.left), centre(view.left->rect));
            for (const SetBox& box : view.boxes)
                if (box.ghost) ghosts_.emplace(who(box), centre(box.rect));
        });
    }

    /// The `n`th position of a member in its set; if it was not in this set and has left its old position, that one.
    std::optional<Point> find(Who who, std::uint32_t set, bool array, std::size_t n, const Places& now) const {
        if (const auto own = places_.find({who, set, array}); own != places_.end()) {
            if (n < own->second.size()) return own->second[n];
            return std::nullopt;
        }
        for (auto at = places_.lower_bound({who, 0, false}); at != places_.end() && std::get<Who>(at->first) == who;
             ++at)
            if (!now.places_.contains(at->first)) return at->second.front();
        const auto ghost = ghosts_.find(who);
        return ghost == ghosts_.end() ? std::nullopt : std::optional(ghost->second);
    }

  private:
    std::map<std::tuple<Who, std::uint32_t, bool>, std::vector<Point>> places_;
    std::map<Who, Point> ghosts_;
};

/// Calls `visit(box, array, by)` for each member of `to` that was drawn in `from`; `by` is the vector from its position
/// in `to` to the one in `from`.
template <class S, class Visit>
void each_way(const Sets& from, S& to, Visit visit) {
    const Places before(from), now(to);
    std::map<std::tuple<Who, std::uint32_t, bool>, std::size_t> count;
    each_member(to, [&](std::uint32_t set, bool array, auto& box) {
        const std::size_t n = count[{who(box), set, array}]++;
        if (const auto was = before.find(who(box), set, array, n, now))
            visit(box, array, Point{was->x - box.rect.middle_x(), was->y - box.rect.middle_y()});
    });
}

/// Interpolates a hand along the shorter arc.
Point hand_between(Point middle, Point from, Point to, float done) noexcept {
    const float pi = std::numbers::pi_v<float>;
    const float a = std::atan2(from.y - middle.y, from.x - middle.x);
    float by = std::atan2(to.y - middle.y, to.x - middle.x) - a;
    by += by > pi ? -2 * pi : by < -pi ? 2 * pi : 0;
    const float radius = std::hypot(to.x - middle.x, to.y - middle.y), angle = a + by * done;
    return {middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)};
}

/// Calls `visit(dial of from, dial of to)` for each hand that both have.
template <class S, class Visit>
void each_hand(const Sets& from, S& to, Visit visit) {
    for (auto& wheel : to.wheels)
        for (const SetView& was : from.wheels) {
            if (was.set != wheel.set) continue;
            if (was.ring.radius > 0 && wheel.ring.radius > 0) visit(was.ring, wheel.ring);
            if (was.whole.radius > 0 && wheel.whole.radius > 0) visit(was.whole, wheel.whole);
        }
}

bool apart(Point by) noexcept { return std::abs(by.x) > 0.5F || std::abs(by.y) > 0.5F; }

}  // namespace

Sets between(const Sets& from, const Sets& to, float done) {
    Sets out = to;
    const float left = 1 - done;
    each_way(from, out, [&](SetBox& box, bool array, Point by) { shift(box, array, {by.x * left, by.y * left}); });
    for (const auto views : {&Sets::trees, &Sets::heaps})
        for (std::size_t i = 0; i < (out.*views).size(); ++i)
            for (SetLine& line : (out.*views)[i].lines) {
                const auto moved = [&](std::size_t box) {
                    if (box == kNoBox) return Point{};
                    const Rect &was = (to.*views)[i].boxes[box].rect, &is = (out.*views)[i].boxes[box].rect;
                    return Point{is.x0 - was.x0, is.y0 - was.y0};
                };
                shift(line.to, moved(line.lower));
                if (line.upper != kNoBox) shift(line.from, moved(line.upper));
                if (line.way == LinkWay::root) line.from.x = line.to.x;
            }
    each_hand(from, out,
              [&](const Dial& was, Dial& dial) { dial.hand = hand_between(dial.middle, was.hand, dial.hand, done); });
    return out;
}

bool moves(const Sets& from, const Sets& to) {
    bool any = false;
    each_way(from, to, [&](const SetBox&, bool, Point by) { any = any || apart(by); });
    each_hand(from, to, [&](const Dial& was, const Dial& is) {
        any = any || apart({was.hand.x - is.hand.x, was.hand.y - is.hand.y});
    });
    return any;
}

}  // namespace fiberscope::viewer
