#include "viewer/layout/sets/wheel.h"

#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/transfers.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::Kind;

// In em: heights of a title and of a row; distance from the ring to a row; minimum and maximum width of a row; maximum
// radius of the ring and the margin around it.
constexpr float kWheelTitle = 1.5F, kWheelRow = 1.35F, kPitch = 1.55F, kLead = 1.1F, kWheelLeastRow = 5.2F,
                kMostRow = 22.0F;
constexpr float kMostRadius = 8.5F, kLeastRadius = 1.8F, kAir = 0.45F;
// Relative to the radius: inner ends of the marks, position of slot numbers; position and radius of the small ring.
constexpr float kMark = 0.92F, kLongMark = 0.86F, kNumber = 0.72F, kSmallPlace = 0.3F, kSmallRadius = 0.2F;
/// In em: minimum width for a row with name and slot.
constexpr float kWheelRoomy = 27.0F, kNamedRow = 8.0F;
/// In em: a smaller ring has no numbers and no inner ring.
constexpr float kPlain = 3.2F;

/// A point of a circle; `turn` is 0 to 1, clockwise from the top.
Point on_circle(Point middle, float radius, double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return {middle.x + radius * static_cast<float>(std::sin(angle)),
            middle.y - radius * static_cast<float>(std::cos(angle))};
}

class WheelBuilder {
  public:
    WheelBuilder(const trace::Replay& replay, const trace::SetNow& set, const SetFacts& facts, Rect area,
                 const Metrics& metrics)
        : replay_(replay),
          set_(set),
          metrics_(metrics),
          em_(metrics.em),
          count_(std::max<std::int64_t>(1, facts.slots)),
          turn_(std::clamp<std::int64_t>(facts.turn, 1, count_)),
          hand_(set.hand == trace::kAbsent ? 0 : std::clamp<std::int64_t>(set.hand, 0, count_ - 1)),
          event_(event_about(replay, set.index)),
          left_(just_left(replay, set.index, metrics.language)) {
        out_.rect = area;
        out_.title = {area.x0, area.y0, area.x1, area.y0 + kWheelTitle * em_};
        out_.set = set.index;
        out_.name = trace::set_in(replay.trace().text(set.name), metrics.language);
        out_.hand_now = event_ && event_->kind == Kind::hand;
        if (out_.hand_now) turned_ = trace::hand_turn(replay.trace(), replay.at() - 1);
    }

    SetView view() {
        place_rings();
        if (out_.ring.radius > 0) {
            add_marks();
            collect_slots();
            place_rows();
        }
        write_title();
        return std::move(out_);
    }

  private:
    /// Distance of the hand from `slot`.
    std::int64_t distance(std::int64_t slot) const noexcept { return ((slot - hand_) % count_ + count_) % count_; }
    double turn(std::int64_t slot) const noexcept {
        return static_cast<double>(slot % turn_) / static_cast<double>(turn_);
    }
    double whole_turn(std::int64_t slot) const noexcept {
        return static_cast<double>(slot) / static_cast<double>(count_);
    }

    void place_rings() {
        const Rect r{out_.rect.x0, out_.title.y1, out_.rect.x1, out_.rect.y1};
        const float row = r.width() > kWheelRoomy * em_ ? kNamedRow : kWheelLeastRow;
        const float wide = r.width() / 2 - (row + kLead) * em_;
        const float radius = std::min({kMostRadius * em_, r.height() / 2 - kAir * em_, wide});
        if (radius < kLeastRadius * em_) return;
        const Point middle{r.middle_x(), r.middle_y()};
        out_.ring = {middle, radius, on_circle(middle, 0.98F * radius, turn(hand_)), {}, {}};
        if (turned_ && turned_->from && *turned_->from != hand_)
            out_.ring.before =
                on_circle(middle, 0.98F * radius, turn(std::clamp<std::int64_t>(*turned_->from, 0, count_ - 1)));
        if (turn_ == count_ || radius < kPlain * em_) return;
        const Point below{middle.x, middle.y + kSmallPlace * radius};
        out_.whole = {
            below, kSmallRadius * radius, on_circle(below, 0.9F * kSmallRadius * radius, whole_turn(hand_)), {}, {}};
    }

    /// Numbers at four or five positions, beginning with the next one before the hand, and eight or ten minor marks.
    void add_marks() {
        const bool tens = turn_ % 5 == 0;
        const std::int64_t parts = tens ? 5 : 4;
        const std::int64_t small = std::min<std::int64_t>(turn_, parts * (tens ? 10 : 8));
        for (std::int64_t i = 0; i < small; ++i) {
            const double at = static_cast<double>(i) / static_cast<double>(small);
            const bool large = i * parts % small == 0;
            DialMark mark;
            mark.from = on_circle(out_.ring.middle, out_.ring.radius, at);
            mark.to = on_circle(out_.ring.middle, (large ? kLongMark : kMark) * out_.ring.radius, at);
            if (large && out_.ring.radius >= kPlain * em_) write_number(mark, i * turn_ / small, at);
            out_.marks.push_back(std::move(mark));
        }
    }
    void write_number(DialMark& mark, std::int64_t residue, double at) const {
        const std::int64_t ahead = ((residue - hand_) % turn_ + turn_) % turn_;
        mark.text = trace::grouped((hand_ + ahead) % count_);
        const Point middle = on_circle(out_.ring.middle, kNumber * out_.ring.radius, at);
        const float half = metrics_.width(mark.text) / 2 + 0.15F * em_;
        mark.text_rect = {middle.x - half, middle.y - 0.55F * em_, middle.x + half, middle.y + 0.55F * em_};
    }

    /// The members of a slot with a row, before they are placed.
    struct Slot : WheelSlot {
        std::vector<SetBox> items;
    };

    /// In the order in which the hand reaches them; slots more than a turn away are shown only in the small ring.
    void collect_slots() {
        std::map<std::int64_t, Slot> by_distance;
        for (const trace::Member& member : set_.members) {
            const std::int64_t slot = std::clamp<std::int64_t>(member.at, 0, count_ - 1);
            if (out_.whole.radius > 0)
                out_.whole.dots.push_back(on_circle(out_.whole.middle, out_.whole.radius, whole_turn(slot)));
            Slot& its = by_distance[distance(slot)];
            its.slot = slot;
            its.items.push_back(item(member));
        }
        add_ghost(by_distance);
        for (auto& [distance, slot] : by_distance) {
            if (distance >= turn_) {
                ++without_row_;
                add_later(distance / turn_, slot);
                continue;
            }
            slot.dot = on_circle(out_.ring.middle, out_.ring.radius, turn(slot.slot));
            out_.ring.dots.push_back(slot.dot);
            slots_.push_back(std::move(slot));
        }
    }
    /// Shows the member that has just left in its old slot.
    void add_ghost(std::map<std::int64_t, Slot>& by_distance) const {
        if (!left_ || left_->event.x < 0 || left_->event.x >= count_) return;
        if (distance(left_->event.x) >= turn_) return;
        Slot& its = by_distance[distance(left_->event.x)];
        its.slot = left_->event.x;
        its.items.push_back(item({left_->event.co, left_->event.other, left_->event.text, its.slot, 0, 0}));
        its.items.back().ghost = true;
        its.items.back().now = false;
        its.items.back().detail = metrics_.says("{0}: has just left", its.items.back().name);
    }
    /// Members that wait for whole turns of the hand: "timer 5 in 3 turns".
    void add_later(std::int64_t turns, const Slot& slot) {
        for (const SetBox& item : slot.items)
            later_.push_back(metrics_.says("{0} in {1} {1:turn|turns}", item.name, trace::grouped(turns)));
    }
    SetBox item(const trace::Member& member) const {
        SetBox item;
        item.place = std::clamp<std::int64_t>(member.at, 0, count_ - 1);
        item.co = member.co;
        item.timer = member.timer;
        item.name = item_name(replay_.trace(), member.co, member.timer, metrics_.language);
        if (member.co != trace::kNone) item.state = replay_.coroutine(member.co).state;
        const std::string name =
            member.key == trace::kNone
                ? item.name
                : metrics_.says("{0}, {1}", item.name, trace::printable(replay_.trace().text(member.key)));
        item.detail = metrics_.says("{0}: in slot {1} of {2}", name, member.at, out_.name);
        item.now = event_ && event_->kind == Kind::insert && member.inserted + std::size_t{1} == replay_.at();
        return item;
    }

    // ---- the rows beside the ring -----------------------------------------------------------------------------------

    void place_rows() {
        const float bottom = out_.rect.y1;
        const auto fit = static_cast<std::size_t>(std::max(0.0F, (bottom - out_.title.y1) / (kPitch * em_)));
        std::vector<Slot*> left, right;
        for (Slot& slot : slots_) {
            // The last place at the right is reserved for the slots without a row.
            std::vector<Slot*>& side = is_right(slot) ? right : left;
            if (side.size() + (is_right(slot) ? 1 : 0) < fit)
                side.push_back(&slot);
            else
                ++without_row_;
        }
        const float reserve = without_row_ == 0 ? 0 : kPitch * em_;
        place_side(left, bottom);
        place_side(right, bottom - reserve);
        for (Slot& slot : slots_) {
            if (slot.rect.empty()) continue;
            std::move(slot.items.begin(), slot.items.end(), std::back_inserter(out_.boxes));
            out_.slots.push_back(std::move(slot));
        }
        if (without_row_ == 0) return;
        out_.more =
            metrics_.says("and {0} more {0:slot|slots}", trace::grouped(static_cast<std::int64_t>(without_row_)));
        const float x = out_.ring.middle.x + out_.ring.radius + kLead * em_;
        out_.more_rect = {x, bottom - kWheelRow * em_, out_.rect.x1, bottom};
        out_.more = first_fitting(metrics_, out_.more_rect.width(), {out_.more, "+" + std::to_string(without_row_)});
        name_later();
    }
    /// As many of those that wait for turns as fit, the next first.
    void name_later() {
        std::string words = out_.more;
        for (std::size_t i = 0; i < later_.size(); ++i) {
            words += (i == 0 ? ": " : ", ") + later_[i];
            if (metrics_.width(words + (i + 1 < later_.size() ? " …" : "")) > out_.more_rect.width()) return;
            out_.more = words + (i + 1 < later_.size() ? " …" : "");
        }
    }
    bool is_right(const Slot& slot) const noexcept { return turn(slot.slot) < 0.5; }

    /// Places rows from top to bottom, each as close to its dot as the others allow.
    void place_side(std::vector<Slot*>& side, float bottom) const {
        std::sort(side.begin(), side.end(), [](auto* a, auto* b) { return a->dot.y < b->dot.y; });
        std::vector<float> tops;
        const float half = kWheelRow * em_ / 2;
        for (const Slot* slot : side)
            tops.push_back(std::max(tops.empty() ? out_.title.y1 : tops.back() + kPitch * em_, slot->dot.y - half));
        float limit = bottom - kWheelRow * em_;
        for (std::size_t i = side.size(); i-- > 0; limit = tops[i] - kPitch * em_) tops[i] = std::min(tops[i], limit);
        for (std::size_t i = 0; i < side.size(); ++i) place_row(*side[i], tops[i]);
    }

    void place_row(Slot& slot, float top) const {
        const bool right = is_right(slot);
        const float sign = right ? 1.0F : -1.0F;
        const float edge = out_.ring.middle.x + sign * (out_.ring.radius + kLead * em_);
        const float width = std::min(kMostRow * em_, right ? out_.rect.x1 - edge : edge - out_.rect.x0);
        slot.rect = {right ? edge : edge - width, top, right ? edge + width : edge, top + kWheelRow * em_};
        slot.edge = {edge - sign * 0.15F * em_, slot.rect.middle_y()};
        slot.knee = {out_.ring.middle.x + sign * (out_.ring.radius + 0.6F * kLead * em_), slot.rect.middle_y()};
        slot.number = trace::grouped(slot.slot);
        const float number = metrics_.width(slot.number) + 0.4F * em_;
        slot.number_rect = {right ? slot.rect.x0 : slot.rect.x1 - number, top,
                            right ? slot.rect.x0 + number : slot.rect.x1, slot.rect.y1};
        Rect boxes = slot.rect;
        (right ? boxes.x0 : boxes.x1) = right ? slot.number_rect.x1 : slot.number_rect.x0;
        place_items(slot, boxes, right);
    }

    /// Boxes of a slot from left to right, beside its number; with numbers instead of names if these do not all fit.
    void place_items(Slot& slot, Rect r, bool right) const {
        const float gap = 0.25F * em_, pad = 0.7F * em_;
        float wanted = 0;
        for (const SetBox& item : slot.items) wanted += metrics_.width(item.name) + pad + gap;
        const bool names = wanted <= r.width();
        std::vector<float> widths;
        float used = 0;
        for (SetBox& item : slot.items) {
            if (!names) item.name = fitting_name(metrics_, 1.9F * em_, item.name);
            widths.push_back(metrics_.width(item.name) + pad);
            used += widths.back() + gap;
        }
        while (!widths.empty() && used + (widths.size() < slot.items.size() ? 2.2F * em_ : 0) > r.width()) {
            used -= widths.back() + gap;
            widths.pop_back();
        }
        const std::size_t hidden = slot.items.size() - widths.size();
        if (hidden > 0) slot.more = "+" + trace::grouped(static_cast<std::int64_t>(hidden));
        const float more = hidden == 0 ? 0 : 2.2F * em_;
        float x = right ? r.x0 : r.x1 - used - more;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            slot.items[i].rect = {x, r.y0, x + widths[i], r.y1};
            x += widths[i] + gap;
        }
        slot.items.resize(widths.size());
        slot.more_rect = {x, r.y0, x + more, r.y1};
    }

    void write_title() {
        const std::string doing = counted(set_.role, set_.members.size(), metrics_.language);
        const std::string hand = metrics_.says("; the hand is at {0}", trace::grouped(hand_));
        const std::string all = trace::grouped(count_), turn = trace::grouped(turn_);
        const std::string drawn = turn_ == count_
                                      ? metrics_.says("; {0} slots", all)
                                      : metrics_.says("; one drawn turn is {0} of its {1} slots", turn, all);
        const std::string short_drawn = turn_ == count_ ? "" : metrics_.says(", {0} of {1} slots", turn, all);
        std::string left = left_     ? just_left_in_words(replay_.trace(), *left_, metrics_.language)
                           : turned_ ? trace::hand_turn_in_words(replay_.trace(), *turned_, metrics_.language)
                                     : "";
        if (!left.empty()) left = metrics_.says("; {0}", left);
        const std::string count = trace::grouped(static_cast<std::int64_t>(set_.members.size()));
        const float room = out_.title.width() - 1.15F * metrics_.width(out_.name) - em_;
        out_.words = first_fitting(
            metrics_, room,
            {doing + hand + drawn + left, doing + short_drawn + left, doing + short_drawn, count + left, doing, count});
    }

    const trace::Replay& replay_;
    const trace::SetNow& set_;
    const Metrics& metrics_;
    float em_;
    std::int64_t count_, turn_, hand_;   // slots: of the wheel, of a drawn turn, below the hand
    std::optional<trace::Event> event_;  // at the playhead, if it concerns this set
    std::optional<JustLeft> left_;
    std::optional<trace::HandTurn> turned_;  // by the event at the playhead
    std::size_t without_row_ = 0;
    std::vector<std::string> later_;
    std::vector<Slot> slots_;
    SetView out_;
};

}  // namespace

SetView layout_wheel(const trace::Replay& replay, const trace::SetNow& set, const SetFacts& facts, Rect area,
                     const Metrics& metrics) {
    return WheelBuilder(replay, set, facts, area, metrics).view();
}

float wanted_wheel_height(float em) noexcept { return em * (kWheelTitle + 2 * 6.5F); }

}  // namespace fiberscope::viewer
