#include "viewer/layout/sets/sets.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "traces/read/printable.h"
#include "traces/words/transfers.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/sets/rows.h"
#include "viewer/layout/sets/tree.h"
#include "viewer/layout/sets/wheel.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

// In em: minimum height of a row of shapes; widths of the gutter for steals, below which a queue has one line, below
// which its text is short.
constexpr float kLeastHeight = 6, kGutter = 2.8F, kNarrow = 20, kFewBoxes = 13;
constexpr float kFewestBoxes =
    9;  // em: remaining beside long titles, for the head, one box and the count of the others
/// In em: area heights and widths to which give_to_largest() applies; share of the width left of the largest shape.
constexpr float kLow = 16, kWide = 34, kLeftShare = 0.33F;
/// Share of the height that all queues may take above shapes.
constexpr float kQueueShare = 0.34F;
/// Weights in the division of the width: of a small set, of a large one.
constexpr float kSetsLight = 4, kHeavy = 16;
constexpr std::size_t kSetsMostLines = 3;

class SetsBuilder {
  public:
    explicit SetsBuilder(const SetsRequest& request)
        : request_(request),
          trace_(request.replay.trace()),
          em_(request.metrics.em),
          now_(request.index.sets(), nullptr),
          queues_(sets_in_order(request.index, false)),
          shapes_(sets_in_order(request.index, true)) {
        for (const trace::SetNow& set : request.replay.sets()) now_[set.index] = &set;
        if (request.replay.at() > 0) event_ = trace_[request.replay.at() - 1];
    }

    Sets sets() {
        const Rect area = give_to_largest(request_.area);
        const float bottom = add_queues(area);
        add_shapes({area.x0, bottom, area.x1, area.y1});
        add_steal();
        say_left_out();
        return std::move(out_);
    }

  private:
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return request_.metrics.says(key, values...);
    }
    /// The owner at the playhead.
    std::int64_t owner(std::uint32_t set) const {
        return now_[set] != nullptr ? now_[set]->owner : request_.index.set(set).owner;
    }
    std::string name_of(std::uint32_t set) const {
        return set_title(trace_, set, owner(set), request_.metrics.language);
    }

    /// In a low and wide area, a shape that is much larger than the others gets the whole right side. Returns the
    /// remaining area.
    Rect give_to_largest(Rect area) {
        const auto most = [&](std::uint32_t set) { return request_.index.set(set).most; };
        const bool low = area.height() >= kLowest * em_ && area.height() < kLow * em_ && area.width() > kWide * em_;
        if (!low || queues_.empty() || shapes_.empty()) return area;
        const auto largest =
            std::max_element(shapes_.begin(), shapes_.end(), [&](auto a, auto b) { return most(a) < most(b); });
        std::uint32_t others = 0;
        for (const std::uint32_t set : shapes_) others += set == *largest ? 0 : most(set);
        if (most(*largest) < 3 * std::max(1U, others)) return area;
        const float left = std::max(kLeastShape * em_, kLeftShare * area.width());
        add_shape(*largest, {area.x0 + left + em_, area.y0, area.x1, area.y1});
        shapes_.erase(largest);
        return {area.x0, area.y0, area.x0 + left, area.y1};
    }

    /// Whether it has no members, and the event at the playhead does not change it.
    bool is_idle(std::uint32_t set) const {
        return (now_[set] == nullptr || now_[set]->members.empty()) && !(event_ && event_->set == set);
    }

    /// If the queues would take much of the room of the shapes, leaves the idle ones out.
    void leave_out_idle_queues(const Rect& area) {
        const std::size_t columns = columns_for(queues_.size(), area.width(), em_);
        const std::size_t rows = (queues_.size() + columns - 1) / columns;
        if (shapes_.empty() || kSetsRow * em_ * static_cast<float>(rows) <= kQueueShare * area.height()) return;
        left_out_ += std::erase_if(queues_, [&](std::uint32_t set) { return is_idle(set); });
    }

    /// Returns the lower end of the queues.
    float add_queues(const Rect& area) {
        if (!queues_.empty()) leave_out_idle_queues(area);
        if (queues_.empty()) return area.y0;
        const std::size_t columns = columns_for(queues_.size(), area.width(), em_);
        const std::size_t rows = (queues_.size() + columns - 1) / columns;
        const float gutter = request_.index.steals().empty() ? 0 : kGutter * em_;
        const float width = area.width() / static_cast<float>(columns);
        measure_titles(width, rows, area.height());
        const float height = kSetsRow * em_ * static_cast<float>(lines_for(rows, width - gutter - titles_, area));
        for (std::size_t i = 0; i < queues_.size(); ++i) {
            const float x = area.x0 + width * static_cast<float>(i / rows);
            const float y = area.y0 + height * static_cast<float>(i % rows);
            if (y + kSetsRow * em_ > area.y1) {
                ++left_out_;
                continue;
            }
            const float last = std::min(y + height, area.y1);
            out_.queues.push_back(queue(queues_[i], {x + gutter, y, x + width - 0.5F * em_, last}));
        }
        return area.y0 + height * static_cast<float>(rows) + kSetsBetween * em_;
    }

    /// Lines per queue: more than one only if no other set needs the room, as beside the largest shape.
    std::size_t lines_for(std::size_t rows, float for_boxes, const Rect& area) const {
        const bool beside_largest = area.width() < request_.area.width();
        if (!beside_largest && (!shapes_.empty() || for_boxes < kNarrow * em_)) return 1;
        const float for_shapes = kLeastHeight * em_ * static_cast<float>(shapes_.size());
        const float lines = (area.height() - for_shapes) / (kSetsRow * em_ * static_cast<float>(rows));
        return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1.0F, lines)), 1, kSetsMostLines);
    }

    /// Only of the sets that fit, since a trace may have any number.
    void measure_titles(float width, std::size_t rows, float height) {
        const auto fit = static_cast<std::size_t>(std::max(1.0F, height / (kSetsRow * em_)));
        for (std::size_t i = 0; i < queues_.size(); i += i % rows < fit ? 1 : rows - i % rows)
            titles_ = std::max(titles_, 1.15F * request_.metrics.width(name_of(queues_[i])));
        const float words = request_.metrics.width(counted(trace::Role::ready, 8888, request_.metrics.language)) + em_;
        const float count = request_.metrics.width("8,888") + em_;
        titles_ = std::min(titles_ + (titles_ + words < 0.36F * width ? words : count),
                           std::max(0.45F * width, width - kFewestBoxes * em_));
    }

    SetView queue(std::uint32_t index, Rect r) const {
        SetView row;
        row.rect = r;
        row.title = {r.x0, r.y0, r.x0 + titles_, r.y0 + kSetsRow * em_};
        row.set = index;
        row.name = name_of(index);
        const trace::SetNow* set = now_[index];
        if (set == nullptr) {
            row.words = says("not yet");
            row.declared = false;
            row.title.x1 = r.x1;  // nothing beside it
            return row;
        }
        const std::string count = trace::grouped(static_cast<std::int64_t>(set->members.size()));
        const float for_name = (titles_ - request_.metrics.width(count) - em_) / 1.15F;
        if (request_.metrics.width(row.name) > for_name)
            row.name = fitting_lane_name(request_.metrics, for_name, row.name);
        row.words = first_fitting(request_.metrics, titles_ - 1.15F * request_.metrics.width(row.name) - em_,
                                  {counted(set->role, set->members.size(), request_.metrics.language), count});
        float x = row.title.x1;
        if (const auto left = just_left(request_.replay, index, request_.metrics.language)) {
            SetBox& box = row.left.emplace();
            box.name = just_left_in_words(trace_, *left, request_.metrics.language);
            box.co = left->event.co;
            box.timer = left->event.other;
            box.ghost = !left->step.empty();
            box.rect = {x, r.y0 + 0.15F * em_, x + request_.metrics.width(box.name) + 0.6F * em_,
                        r.y0 + (kSetsRow - 0.15F) * em_};
            x = box.rect.x1 + 0.4F * em_;
        }
        add_boxes(*set, x, row);
        return row;
    }

    void add_boxes(const trace::SetNow& set, float x, SetView& row) const {
        const bool narrow = row.rect.x1 - x < kFewBoxes * em_;
        if (set.structure == trace::Structure::queue && !set.members.empty() && !narrow) {
            row.head = {x, row.rect.y0, x + request_.metrics.width(says("head")) + 0.9F * em_, row.title.y1};
            x = row.head.x1;
        }
        const float start = x, gap = 0.3F * em_;
        float y = row.rect.y0;
        for (std::size_t i = 0; i < set.members.size(); ++i) {
            SetBox box = box_of(set, i);
            const float wanted = request_.metrics.width(box.name) + 2.2F * em_;
            const std::string rest = trace::grouped(static_cast<std::int64_t>(set.members.size() - i));
            const std::string more = narrow ? "+" + rest : says("and {0} more", rest);
            const bool last = i + 1 == set.members.size();
            const auto on_last_line = [&] { return y + 2 * kSetsRow * em_ > row.rect.y1 + 1; };
            const auto reserve = [&] {
                return on_last_line() && !last ? request_.metrics.width(more) + 0.6F * em_ : 0;
            };
            if (x > start && x + wanted + reserve() > row.rect.x1) {
                if (on_last_line()) {
                    row.more = more;
                    row.more_rect = {x, y, row.rect.x1, y + kSetsRow * em_};
                    return;
                }
                x = start;
                y += kSetsRow * em_;
            }
            const float width = std::min(wanted, row.rect.x1 - start - reserve());
            if (width < 2.2F * em_) return;  // no room for a member: the title has the count
            box.rect = {x, y + 0.1F * kSetsRow * em_, x + width, y + 0.9F * kSetsRow * em_};
            if (box.co != kNone)
                box.chip = {x + 0.2F * em_, box.rect.y0 + 0.15F * em_, x + 1.3F * em_, box.rect.y1 - 0.15F * em_};
            box.name = fitting_name(request_.metrics, width - 1.8F * em_, box.name);
            x = box.rect.x1 + gap;
            row.boxes.push_back(std::move(box));
        }
    }

    SetBox box_of(const trace::SetNow& set, std::size_t i) const {
        const trace::Member& member = set.members[i];
        SetBox box;
        box.co = member.co;
        box.timer = member.timer;
        box.name = item_name(trace_, member.co, member.timer, request_.metrics.language);
        if (member.co != kNone) box.state = request_.replay.coroutine(member.co).state;
        const std::string name =
            member.key == kNone ? box.name : says("{0}, {1}", box.name, trace::printable(trace_.text(member.key)));
        box.detail = says("{0}: number {1} of {2} in {3}", name, i + 1, set.members.size(), name_of(set.index));
        box.now = event_ && event_->kind == trace::Kind::insert && event_->set == set.index &&
                  member.inserted + std::size_t{1} == request_.replay.at();
        return box;
    }

    void add_shapes(Rect area) {
        if (shapes_.empty()) return;
        const std::size_t columns = shape_columns(shapes_.size(), area.width(), em_);
        const std::size_t wanted = (shapes_.size() + columns - 1) / columns;
        const auto fit = static_cast<std::size_t>(std::max(1.0F, area.height() / (kLeastHeight * em_)));
        const std::size_t rows = std::min(wanted, fit);
        const float height = area.height() / static_cast<float>(rows);
        if (area.height() < kLowest * em_) {
            left_out_ += shapes_.size();
            return;
        }
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t first = row * columns, last = std::min(shapes_.size(), first + columns);
            const float y = area.y0 + height * static_cast<float>(row);
            add_row_of_shapes({area.x0, y, area.x1, y + height}, first, last);
        }
        left_out_ += shapes_.size() - std::min(shapes_.size(), rows * columns);
    }

    /// Wheels get a large share of the width, other sets by size, but at least half of an equal share.
    void add_row_of_shapes(Rect area, std::size_t first, std::size_t last) {
        const auto weight = [&](std::size_t i) {
            const SetFacts& facts = request_.index.set(shapes_[i]);
            if (facts.structure == trace::Structure::wheel) return facts.most == 0 ? kSetsLight : kHeavy;
            return std::clamp(static_cast<float>(facts.most), kSetsLight, kHeavy);
        };
        float sum = 0;
        for (std::size_t i = first; i < last; ++i) sum += weight(i);
        const auto count = static_cast<float>(last - first);
        float x = area.x0;
        for (std::size_t i = first; i < last; ++i) {
            const float share = 0.5F / count + 0.5F * weight(i) / sum;
            add_shape(shapes_[i], {x, area.y0, x + area.width() * share - em_, area.y1});
            x += area.width() * share;
        }
    }

    void add_shape(std::uint32_t index, Rect r) {
        const trace::SetNow* set = now_[index];
        const SetFacts& facts = request_.index.set(index);
        if (set == nullptr) return add_later(index, r);
        const bool wheel = set->structure == trace::Structure::wheel, heap = set->structure == trace::Structure::heap;
        auto& all = wheel ? out_.wheels : heap ? out_.heaps : out_.trees;
        all.push_back(wheel ? layout_wheel(request_.replay, *set, facts, r, request_.metrics)
                            : layout_tree(request_.replay, *set, r, request_.metrics, facts.most));
        all.back().name = name_of(index);
    }

    /// A set that is not declared yet: title and place only.
    void add_later(std::uint32_t index, Rect r) {
        SetView view;
        view.rect = r;
        view.title = {r.x0, r.y0, r.x1, r.y0 + 1.5F * em_};
        view.set = index;
        view.name = name_of(index);
        view.words = says("not yet");
        out_.trees.push_back(std::move(view));
    }

    const SetView* local_queue(std::int64_t machine) const {
        for (const SetView& row : out_.queues) {
            if (request_.index.set(row.set).role == trace::Role::ready && owner(row.set) == machine) return &row;
        }
        return nullptr;
    }

    void add_steal() {
        const std::uint32_t n = event_ ? trace::steal_around(trace_, request_.replay.at() - 1) : kNone;
        if (n == kNone || trace_[n].other == kNone) return;
        const SetView* from = local_queue(trace_[n].other);
        const SetView* to = local_queue(trace_[n].m);
        if (from == nullptr || to == nullptr) return;
        const float x = 0.35F * kGutter * em_;
        out_.steal = StealArrow{{from->rect.x0 - x, from->title.middle_y()},
                                {to->rect.x0 - x, to->title.middle_y()},
                                trace_[n].x == trace::kAbsent ? "" : std::to_string(trace_[n].x)};
    }

    void say_left_out() {
        out_.heading = says("Sets: members in their order");
        if (left_out_ == 0) return;
        out_.more = says("and {0} more {0:set|sets}", left_out_);
        const float width = request_.metrics.width(out_.more) + 0.5F * em_;
        out_.heading =
            first_fitting(request_.metrics, (request_.area.width() - width) / 1.15F, {out_.heading, says("Sets")});
        out_.more_rect = {request_.area.x1 - width, request_.area.y0 - 1.4F * em_, request_.area.x1, request_.area.y0};
    }

    const SetsRequest& request_;
    const trace::Trace& trace_;
    float em_, titles_ = 0;
    std::vector<const trace::SetNow*> now_;  // by index
    std::vector<std::uint32_t> queues_, shapes_;
    std::optional<trace::Event> event_;  // at the playhead
    std::size_t left_out_ = 0;
    Sets out_;
};

}  // namespace

Sets layout_sets(const SetsRequest& request) { return SetsBuilder(request).sets(); }

}  // namespace fiberscope::viewer
