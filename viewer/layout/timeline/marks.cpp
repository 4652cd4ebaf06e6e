// Momentary events, as marks on the lanes.
#include <algorithm>
#include <array>
#include <cmath>

#include "traces/words/words.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

using trace::Event;

/// Marks are above the middle of a lane, by this share of its height, since arrows end in the middle.
constexpr float kMarkHeight = 0.26F;
/// Offsets in em of marks at the same time: a copy, which precedes the switch, to the left; a note in the middle; an
/// access, which follows it, to the right.
constexpr float kCopyBefore = 0.3F, kAccessAfter = 0.8F;
/// Marks closer than this, in em, are merged and counted.
constexpr float kMarkApart = 1;
/// Minimum height of a lane for text beside a mark, em.
constexpr float kMarksRoomy = 1.75F;

float size_of(MarkKind kind, float em, float lane_height) noexcept {
    switch (kind) {
    case MarkKind::note: return 0.27F * em;
    case MarkKind::fault: return 0.4F * em;
    default: return std::min(0.5F * em, 0.3F * lane_height);
    }
}

/// Side of a mark relative to its time: negative before, positive after.
int side_of(MarkKind kind) noexcept {
    switch (kind) {
    case MarkKind::copy_in:
    case MarkKind::copy_out: return -1;
    case MarkKind::access:
    case MarkKind::hazard: return 1;
    default: return 0;
    }
}

/// "7", "1,204", "12k": large counts are in thousands.
std::string count_text(std::size_t count) {
    constexpr std::size_t kExact = 10'000;
    return count < kExact ? std::to_string(count) : std::to_string(count / 1000) + "k";
}

/// Creates the marks of one lane.
class MarkMaker {
  public:
    MarkMaker(const TimelineRequest& request, const Timeline& timeline, const Lane& lane, std::vector<Mark>& marks)
        : request_(request),
          timeline_(timeline),
          lane_(lane),
          events_(lane.machine ? request.index.marks().of_machine(lane.id)
                               : request.index.marks().of_coroutine(lane.id)),
          marks_(marks) {}

    void add_all() {
        const float em = request_.metrics.em;
        const auto room = [&](std::size_t count) { return 2 * width_of(count); };
        for (const Together& part :
             fall_together(request_.replay.trace(), events_, timeline_.scale, kMarkApart * em, room)) {
            const auto events = events_.subspan(part.first, part.last - part.first);
            if (events.size() == 1 || stand_apart(events))
                for (const std::uint32_t n : events) add_one(n);
            else
                add_several(events);
        }
    }

  private:
    /// A flat lane has no room for a number: merged marks are drawn as a box, and the tooltip has the count.
    float width_of(std::size_t count) const {
        constexpr float kLeastForCount = 0.8F, kBox = 0.6F;  // em
        const float em = request_.metrics.em;
        return timeline_.lane_height < kLeastForCount * em ? kBox * em
                                                           : request_.metrics.width(count_text(count)) + 0.5F * em;
    }
    float x(std::uint32_t n) const { return timeline_.scale.x(static_cast<double>(request_.replay.trace()[n].t)); }
    /// Whether they have the same time but different sides, so that zooming in cannot separate them.
    bool stand_apart(std::span<const std::uint32_t> events) const {
        const trace::Trace& trace = request_.replay.trace();
        std::array<bool, 3> taken{};
        for (const std::uint32_t n : events) {
            bool& its = taken[static_cast<std::size_t>(1 + side_of(mark_kind(trace, n)))];
            if (its || trace.time(n) != trace.time(events.front())) return false;
            its = true;
        }
        return true;
    }
    void add_one(std::uint32_t n) {
        const float em = request_.metrics.em;
        Mark mark;
        mark.event = mark.last = n;
        mark.kind = mark_kind(request_.replay.trace(), n);
        mark.size = size_of(mark.kind, em, timeline_.lane_height);
        mark.at = {x(n), lane_.rect.middle_y() - timeline_.lane_height * kMarkHeight};
        if (side_of(mark.kind) < 0) {
            mark.at.x -= mark.size + kCopyBefore * em;
            const float before = marks_.size() == first_ ? lane_.rect.x0 : marks_.back().at.x + marks_.back().size;
            mark.text = fitting_bytes(request_.replay.trace()[n], before, mark.at.x - mark.size);
        }
        if (side_of(mark.kind) > 0)  // but within the timeline
            mark.at.x = std::min(mark.at.x + kAccessAfter * em, timeline_.lanes_area.x1 - 1.5F * mark.size);
        marks_.push_back(std::move(mark));
    }
    void add_several(std::span<const std::uint32_t> events) {
        const float em = request_.metrics.em, half = std::min(0.55F * em, timeline_.lane_height / 2);
        Mark mark;
        mark.event = events.front();
        mark.last = events.back();
        mark.count = static_cast<std::uint32_t>(events.size());
        mark.kind = request_.index.marks().worst(events);
        mark.text = count_text(events.size());
        mark.size = width_of(events.size()) / 2;
        const Rect& area = timeline_.lanes_area;
        mark.at.x = std::clamp((x(events.front()) + x(events.back())) / 2, area.x0 + mark.size,
                               std::max(area.x0 + mark.size, area.x1 - mark.size));
        mark.at.y = std::max(lane_.rect.middle_y() - timeline_.lane_height * kMarkHeight, lane_.rect.y0 + half);
        marks_.push_back(std::move(mark));
    }
    /// The bytes of a copy, if they fit left of x, after the previous mark (which ends at `before`) and the stretch's
    /// first letter.
    std::string fitting_bytes(const Event& event, float before, float x) const {
        const float em = request_.metrics.em;
        if (timeline_.lane_height < kMarksRoomy * em) return {};
        const auto stretches = request_.replay.stretches(event.co);
        const auto stretch =
            std::partition_point(stretches.begin(), stretches.end(), [&](const auto& s) { return s.to < event.t; });
        if (stretch != stretches.end())
            before = std::max(before, timeline_.scale.x(static_cast<double>(stretch->from)) + em);
        std::string text = trace::grouped(event.x);
        return request_.metrics.width(text) + 0.7F * em <= x - before ? text : std::string();
    }

    const TimelineRequest& request_;
    const Timeline& timeline_;
    const Lane& lane_;
    std::span<const std::uint32_t> events_;
    std::vector<Mark>& marks_;
    std::size_t first_ = marks_.size();
};

/// Groups the events of consecutive intervals, in each from its beginning.
class Parting {
  public:
    Parting(const trace::Trace& trace, std::span<const std::uint32_t> events, const TimeScale& scale, float apart,
            const std::function<float(std::size_t count)>& room)
        : trace_(trace), events_(events), ns_(scale.ns_per_px()), apart_(apart), room_(room) {}

    /// Groups the events in [from, to), ns.
    void add(double from, double to) {
        const std::size_t first = next(at_, from);
        at_ = next(first, to);
        for (std::size_t i = first; i < at_;) {
            const double begin = time(i);
            std::size_t end = std::clamp(next(i, begin + px(apart_)), i + 1, at_);
            for (std::size_t before = i + 1; before < end;) {
                before = end;
                end = std::clamp(next(end, begin + px(room_(end - i))), end, at_);
            }
            // Merge signs that would overlap at the border of two intervals.
            const bool behind = i == first && !parts_.empty() && i == parts_.back().last && !joined_;
            joined_ = behind && right_of(parts_.back()) > left_of({i, end});
            if (joined_)
                parts_.back().last = end;
            else
                parts_.push_back({i, end});
            i = end;
        }
    }
    std::vector<Together> take() { return std::move(parts_); }

  private:
    double half(Together part) const {
        const std::size_t count = part.last - part.first;
        return px(count > 1 ? room_(count) / 4 : apart_ / 2);
    }
    double middle(Together part) const { return (time(part.first) + time(part.last - 1)) / 2; }
    double left_of(Together part) const { return middle(part) - half(part); }
    double right_of(Together part) const { return middle(part) + half(part); }
    double px(float width) const noexcept { return static_cast<double>(width) * ns_; }
    double time(std::size_t i) const { return static_cast<double>(trace_.time(events_[i])); }
    std::size_t next(std::size_t from, double t) const { return from + first_from(trace_, events_.subspan(from), t); }

    const trace::Trace& trace_;
    std::span<const std::uint32_t> events_;
    double ns_;
    float apart_;
    const std::function<float(std::size_t count)>& room_;
    std::size_t at_ = 0;
    bool joined_ = false;
    std::vector<Together> parts_;
};

}  // namespace

std::size_t first_from(const trace::Trace& trace, std::span<const std::uint32_t> events, double t) {
    const auto before = [&](std::uint32_t n) { return static_cast<double>(trace.time(n)) < t; };
    std::size_t end = 1;  // it is usually near the beginning
    while (end < events.size() && before(events[end - 1])) end *= 2;
    const auto near = events.subspan(end / 2, std::min(end, events.size()) - end / 2);
    return end / 2 + static_cast<std::size_t>(std::partition_point(near.begin(), near.end(), before) - near.begin());
}

std::vector<Together> fall_together(const trace::Trace& trace, std::span<const std::uint32_t> events,
                                    const TimeScale& scale, float apart,
                                    const std::function<float(std::size_t count)>& room) {
    if (events.empty()) return {};
    // Wider than two signs.
    const double stretch = bucket_span(scale) * std::exp2(std::ceil(std::log2(std::max(16.0F, 4 * apart))));
    Parting parting(trace, events, scale, apart, room);
    for (double t = (std::floor(scale.range.from / stretch) - 1) * stretch; t <= scale.range.to; t += stretch)
        parting.add(t, t + stretch);
    std::vector<Together> parts = parting.take();
    std::erase_if(parts, [&](const Together& part) {
        return static_cast<double>(trace.time(events[part.last - 1])) < scale.range.from ||
               static_cast<double>(trace.time(events[part.first])) > scale.range.to;
    });
    return parts;
}

std::vector<Mark> layout_marks(const TimelineRequest& request, const Timeline& timeline) {
    std::vector<Mark> marks;
    for (const Lane& lane : timeline.lanes)
        if (!lane.heading) MarkMaker(request, timeline, lane, marks).add_all();
    return marks;
}

}  // namespace fiberscope::viewer
