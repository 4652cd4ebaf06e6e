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

/// In which picture of a set: the array of a heap is a second one.
enum class Picture : std::uint8_t { own, array };

struct Who {
    std::uint32_t co, timer;
    auto operator<=>(const Who&) const = default;
};

Point centre(const Rect& r) noexcept { return {r.middle_x(), r.middle_y()}; }

/// Calls `visit(set, picture, who, box)` for each member that may be drawn.
template <class S, class Visit>
void each_member(S& sets, Visit visit) {
    for (auto& row : sets.queues)
        for (auto& box : row.boxes) visit(row.set, Picture::own, Who{box.co, box.timer}, box);
    for (auto& tree : sets.trees)
        for (auto& box : tree.boxes)
            if (!box.ghost) visit(tree.set, Picture::own, box.timer ? Who{kNone, box.id} : Who{box.id, kNone}, box);
    for (auto& wheel : sets.wheels)
        for (auto& slot : wheel.slots)
            for (auto& box : slot.items)
                if (!box.ghost) visit(wheel.set, Picture::own, Who{box.co, box.timer}, box);
    for (auto& heap : sets.heaps)
        for (auto& item : heap.items)
            for (const Picture picture : {Picture::own, Picture::array})
                visit(heap.set, picture, Who{item.co, item.timer}, item);
}

void shift(Rect& r, Point by) noexcept { r = {r.x0 + by.x, r.y0 + by.y, r.x1 + by.x, r.y1 + by.y}; }
void shift(Point& p, Point by) noexcept { p = {p.x + by.x, p.y + by.y}; }

const Rect& rect_of(const SetBox& box, Picture) noexcept { return box.rect; }
const Rect& rect_of(const TreeBox& box, Picture) noexcept { return box.rect; }
const Rect& rect_of(const HeapItem& item, Picture picture) noexcept {
    return picture == Picture::own ? item.node : item.cell;
}

void shift(SetBox& box, Picture, Point by) noexcept { shift(box.rect, by); }
void shift(TreeBox& box, Picture, Point by) noexcept {
    for (Rect* r : {&box.rect, &box.chip, &box.below_rect})
        if (!r->empty()) shift(*r, by);
}
void shift(HeapItem& item, Picture picture, Point by) noexcept {
    shift(picture == Picture::own ? item.node : item.cell, by);
}

/// Where members were drawn.
class Places {
  public:
    explicit Places(const Sets& sets) {
        each_member(sets, [&](std::uint32_t set, Picture picture, Who who, const auto& box) {
            if (const Rect& r = rect_of(box, picture); !r.empty()) places_[{who, set, picture}].push_back(centre(r));
        });
        add_ghosts(sets);
    }

    /// The `n`th place of a member in its set; if it was in none, and is no longer where it was, the place there.
    std::optional<Point> find(Who who, std::uint32_t set, Picture picture, std::size_t n, const Places& now) const {
        if (const auto own = places_.find({who, set, picture}); own != places_.end()) {
            if (n < own->second.size()) return own->second[n];
            return std::nullopt;
        }
        for (auto at = places_.lower_bound({who, 0, Picture::own}); at != places_.end() && is_of(at, who); ++at)
            if (!now.places_.contains(at->first)) return at->second.front();
        const auto ghost = ghosts_.find(who);
        return ghost == ghosts_.end() ? std::nullopt : std::optional(ghost->second);
    }

  private:
    using Key = std::tuple<Who, std::uint32_t, Picture>;
    using Map = std::map<Key, std::vector<Point>>;
    static bool is_of(Map::const_iterator at, Who who) { return std::get<Who>(at->first) == who; }

    void add_ghosts(const Sets& sets) {
        for (const QueueRow& row : sets.queues)
            if (!row.left.empty()) ghosts_.emplace(Who{row.left_co, row.left_timer}, centre(row.left_rect));
        for (const WheelView& wheel : sets.wheels)
            for (const WheelSlot& slot : wheel.slots)
                for (const SetBox& box : slot.items)
                    if (box.ghost) ghosts_.emplace(Who{box.co, box.timer}, centre(box.rect));
        for (const TreeView& tree : sets.trees)
            for (const TreeBox& box : tree.boxes)
                if (box.ghost) ghosts_.emplace(box.timer ? Who{kNone, box.id} : Who{box.id, kNone}, centre(box.rect));
    }

    Map places_;
    std::map<Who, Point> ghosts_;
};

/// Calls `visit(box, picture, by)` for each member of `to` that was drawn in `from`: `by` leads from its place in `to`
/// to the one in `from`.
template <class S, class Visit>
void each_way(const Sets& from, S& to, Visit visit) {
    const Places before(from), now(to);
    std::map<std::tuple<Who, std::uint32_t, Picture>, std::size_t> count;
    each_member(to, [&](std::uint32_t set, Picture picture, Who who, auto& box) {
        const Rect& r = rect_of(box, picture);
        if (r.empty()) return;
        const std::size_t n = count[{who, set, picture}]++;
        if (const auto was = before.find(who, set, picture, n, now))
            visit(box, picture, Point{was->x - r.middle_x(), was->y - r.middle_y()});
    });
}

/// A hand on its way, the shorter way round.
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
        for (const WheelView& was : from.wheels) {
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
    each_way(from, out, [&](auto& box, Picture picture, Point by) { shift(box, picture, {by.x * left, by.y * left}); });
    for (std::size_t i = 0; i < out.trees.size(); ++i)
        for (TreeLine& line : out.trees[i].lines) {
            const auto moved = [&](std::size_t box) {
                if (box == kNoBox) return Point{};
                const Rect &was = to.trees[i].boxes[box].rect, &is = out.trees[i].boxes[box].rect;
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
    each_way(from, to, [&](const auto&, Picture, Point by) { any = any || apart(by); });
    each_hand(from, to, [&](const Dial& was, const Dial& is) {
        any = any || apart({was.hand.x - is.hand.x, was.hand.y - is.hand.y});
    });
    return any;
}

}  // namespace fiberscope::viewer
