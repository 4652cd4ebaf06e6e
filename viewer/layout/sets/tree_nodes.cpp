#include "viewer/layout/sets/tree_nodes.h"

#include <bit>

#include "traces/read/printable.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;
namespace field = trace::link_field;

// In em: heights of a cell of the array and of its index; widths of a cell; gap between levels.
constexpr float kCell = 1.35F, kIndex = 0.95F, kLeastCell = 1.75F, kMostCell = 4.6F, kCellGap = 0.35F;
/// Maximum number of names measured.
constexpr std::size_t kArrayMeasured = 64;

std::size_t level_of(std::size_t place) noexcept { return std::bit_width(place + 1) - 1; }

std::uint32_t item_of(const trace::Event& e) noexcept { return e.co != kNone ? e.co : e.other; }

}  // namespace

TreeNodes::TreeNodes(const trace::Replay& replay, const trace::SetNow& set, const Metrics& metrics)
    : replay_(replay),
      trace_(replay.trace()),
      heap_(set.structure == trace::Structure::heap),
      left_(just_left(replay, set.index, metrics.language)),
      with_gone_(left_ && !heap_ ? with_gone(set, left_->event) : std::nullopt),
      set_(with_gone_ ? *with_gone_ : set),
      members_(set.members.size()),
      metrics_(metrics),
      em_(metrics.em),
      event_(event_about(replay, set.index)),
      shape_(heap_ ? heap_shape(set, held_) : shape_of(trace_, set_)) {}

std::string TreeNodes::name_of(std::size_t n) const {
    const std::size_t member = shape_.nodes[n].member;
    if (member != kNowhere)
        return item_name(trace_, set_.members[member].co, set_.members[member].timer, metrics_.language);
    const bool timer = set_.coming != kNone && trace_[set_.coming].co == kNone;
    return item_name(trace_, timer ? kNone : set_.nodes[n].id, set_.nodes[n].id, metrics_.language);
}

std::string TreeNodes::key_of(std::size_t n) const {
    const std::size_t member = shape_.nodes[n].member;
    const std::uint32_t key = member != kNowhere     ? set_.members[member].key
                              : set_.coming != kNone ? trace_[set_.coming].text
                                                     : kNone;
    return key == kNone ? "" : trace::printable(trace_.text(key));
}

std::string TreeNodes::short_name(std::size_t n, float width) const {
    const trace::Member& member = set_.members[shape_.nodes[n].member];
    return member.co == kNone ? std::to_string(member.timer) : fitting_name(metrics_, width, name_of(n));
}

SetBox TreeNodes::box_of_node(std::size_t n) const {
    SetBox out;
    out.place = static_cast<std::int64_t>(n);
    if (const std::size_t member = shape_.nodes[n].member; member != kNowhere) {
        out.co = set_.members[member].co;
        out.timer = set_.members[member].timer;
    } else {
        const bool is_timer = set_.coming != kNone && trace_[set_.coming].co == kNone;
        (is_timer ? out.timer : out.co) = set_.nodes[n].id;
    }
    if (out.co != kNone) out.state = replay_.coroutine(out.co).state;
    if (heap_) {
        out.in_hand = shape_.nodes[n].loose;
        out.now = event_ && (event_->kind == trace::Kind::insert || event_->kind == trace::Kind::move) &&
                  set_.members[shape_.nodes[n].member].placed + std::size_t{1} == replay_.at();
        return out;
    }
    const trace::TreeNode& node = set_.nodes[n];
    out.color = node.color;
    out.ghost = is_ghost(n);
    out.loose = shape_.nodes[n].loose && !out.ghost;
    const bool inserted = event_ && event_->kind == trace::Kind::insert && item_of(*event_) == node.id;
    out.now = inserted || (is_link() && event_->e1 != field::root && event_->co == node.id);
    return out;
}

std::string TreeNodes::detail_of(std::size_t n, const SetBox& box) const {
    const std::string key = key_of(n);
    std::string words = key.empty() ? name_of(n) : metrics_.says("{0}, {1}", name_of(n), key);
    if (heap_)
        return metrics_.says(box.in_hand ? mark("{0}: in transit; place {1} of {2} in {3} is free")
                                         : mark("{0}: at place {1} of {2} in {3}"),
                             words, n, members_, set_title(trace_, set_.index, set_.owner, metrics_.language));
    if (box.color != trace::Color::none)
        words = metrics_.says("{0}, {1}", words,
                              metrics_.says(box.color == trace::Color::red ? mark("red") : mark("black")));
    if (box.loose) words = metrics_.says("{0}: not reachable from the root during this operation", words);
    if (box.ghost) words = metrics_.says("{0}: has just left", words);
    return shape_.nodes[n].member != kNowhere ? words : metrics_.says("{0}, not a member yet", words);
}

void add_array(const TreeNodes& nodes, SetView& out) {
    const Rect& r = out.rect;
    const Metrics& metrics = nodes.metrics();
    const float em = metrics.em;
    const std::size_t members = nodes.members();
    const float y = r.y1 - (kCell + kIndex) * em;
    if (y < out.title.y1) return;
    float least = kLeastCell * em;
    for (std::size_t n = 0; n < std::min(members, kArrayMeasured); ++n)
        least = std::max(least, metrics.width(nodes.short_name(n, kLeastCell * em)) + 0.5F * em);
    const auto fit = [&](std::size_t cells, float reserve) {
        const float gaps = kCellGap * em * static_cast<float>(cells == 0 ? 0 : level_of(cells - 1));
        return (r.width() - gaps - reserve) / static_cast<float>(std::max<std::size_t>(1, cells));
    };
    std::size_t shown = members;
    float reserve = 0;
    if (fit(shown, 0) < least) {
        reserve = metrics.width("+" + trace::grouped(static_cast<std::int64_t>(members))) + 0.6F * em;
        shown = std::min(shown, static_cast<std::size_t>((r.width() - reserve) / least));
        while (shown > 1 && fit(shown, reserve) < least) --shown;
    }
    const float width = std::min(kMostCell * em, fit(shown, reserve));
    bool names = true;
    for (std::size_t n = 0; n < shown; ++n) names = names && metrics.width(nodes.name_of(n)) + 0.4F * em <= width;
    float x = r.x0;
    for (std::size_t n = 0; n < shown; ++n, x += width) {
        if (n > 0 && level_of(n) != level_of(n - 1)) x += kCellGap * em;
        SetBox cell = nodes.box_of_node(n);
        cell.rect = {x, y, x + width, y + kCell * em};
        cell.name = names ? nodes.name_of(n) : nodes.short_name(n, kLeastCell * em);
        cell.below_rect = {x, cell.rect.y1, x + width, cell.rect.y1 + kIndex * em};
        cell.below = fitting_whole(metrics, width + 0.3F * em, std::to_string(n));
        cell.detail = nodes.detail_of(n, cell);
        out.cells.push_back(std::move(cell));
    }
    if (shown == members) return;
    out.more = "+" + trace::grouped(static_cast<std::int64_t>(members - shown));
    out.more_rect = {x + 0.3F * em, y, r.x1, y + kCell * em};
}

}  // namespace fiberscope::viewer
