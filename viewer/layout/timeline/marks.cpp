// What happens at one moment, as marks on the lanes.
#include <algorithm>
#include <unordered_map>

#include "traces/words/words.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

using trace::Event;
using trace::Kind;

/// Marks stand above the middle of a lane, by this part of its height: the arrows end in the middle.
constexpr float kMarkHeight = 0.26F;
/// What happens at one moment stands side by side, in em from it: a copy, which is made before a switch, a note in the
/// middle, and an access, which is made after it.
constexpr float kCopyBefore = 0.3F, kAccessAfter = 0.8F;
/// Of so many events within a few pixels not every one is looked at.
constexpr std::size_t kCrowd = 64;
/// A lane must be so high, in em, for words beside a mark.
constexpr float kMarksRoomy = 1.75F;

/// Goes over the `events` that are visible, and jumps ahead where many lie in one column of pixels.
template <class F>
void for_each_visible(const TimelineRequest& request, const Timeline& timeline, std::span<const std::uint32_t> events,
                      F f) {
    const trace::Trace& trace = request.replay.trace();
    const double column = timeline.scale.ns_per_px() * static_cast<double>(kThinnest);
    std::size_t i = first_from(trace, events, timeline.scale.range.from);
    while (i < events.size()) {
        const double t = static_cast<double>(trace.time(events[i]));
        if (t > timeline.scale.range.to) break;
        f(events[i]);
        const bool crowded =
            i + kCrowd < events.size() && static_cast<double>(trace.time(events[i + kCrowd])) < t + column;
        i = crowded ? i + first_from(trace, events.subspan(i), t + column) : i + 1;
    }
}

bool visible(const Timeline& timeline, float y) noexcept {
    return y > timeline.lanes_area.y0 && y < timeline.lanes_area.y1;
}

MarkKind kind_of(const trace::Trace& trace, std::uint32_t n) noexcept {
    switch (trace[n].kind) {
    case Kind::fault: return MarkKind::fault;
    case Kind::lock: return MarkKind::lock_wait;
    case Kind::access: return trace.access(n).hazard() ? MarkKind::hazard : MarkKind::access;
    case Kind::copy:
        return trace[n].first<trace::Direction>() == trace::Direction::out ? MarkKind::copy_out : MarkKind::copy_in;
    default: return MarkKind::note;
    }
}

float size_of(MarkKind kind, float em, float lane_height) noexcept {
    switch (kind) {
    case MarkKind::note: return 0.27F * em;
    case MarkKind::fault: return 0.4F * em;
    default: return std::min(0.5F * em, 0.3F * lane_height);
    }
}

/// Puts copies on their lanes. A copy belongs to the switch after it: its mark stands before the switch.
class CopyMarks {
  public:
    CopyMarks(const TimelineRequest& request, const Timeline& timeline)
        : request_(request),
          timeline_(timeline),
          size_(size_of(MarkKind::copy_out, request.metrics.em, timeline.lane_height)) {}

    void add(std::uint32_t n) {
        const Event& event = request_.replay.trace()[n];
        const std::optional<float> middle = lane_middle(timeline_, event.co);
        if (!middle || !visible(timeline_, *middle)) return;
        const float x = timeline_.scale.x(static_cast<double>(event.t)) - size_ - kCopyBefore * request_.metrics.em;
        const auto [last, first] = last_.try_emplace(event.co, marks_.size());
        if (!first && x - size_ < marks_[last->second].at.x + size_) {
            marks_[last->second].kind = MarkKind::copies;
            marks_[last->second].text.clear();
            return;
        }
        const float before = first ? timeline_.lanes_area.x0 : marks_[last->second].at.x + size_;
        last->second = marks_.size();
        const float y = *middle - timeline_.lane_height * kMarkHeight;
        marks_.push_back({{x, y}, n, kind_of(request_.replay.trace(), n), size_, fitting_bytes(event, before, x)});
    }
    std::vector<Mark> take() { return std::move(marks_); }

  private:
    /// The bytes of a copy, if they fit between what stands before the mark at x on its lane and the mark: another
    /// mark, or the letter with which the stretch begins.
    std::string fitting_bytes(const Event& event, float before, float x) const {
        const float em = request_.metrics.em;
        if (timeline_.lane_height < kMarksRoomy * em) return {};
        const auto stretches = request_.replay.stretches(event.co);
        const auto stretch =
            std::partition_point(stretches.begin(), stretches.end(), [&](const auto& s) { return s.to < event.t; });
        if (stretch != stretches.end())
            before = std::max(before, timeline_.scale.x(static_cast<double>(stretch->from)) + em);
        std::string text = trace::grouped(event.x);
        return request_.metrics.width(text) + 0.7F * em <= x - size_ - before ? text : std::string();
    }

    const TimelineRequest& request_;
    const Timeline& timeline_;
    float size_;
    std::vector<Mark> marks_;
    std::unordered_map<std::uint32_t, std::size_t> last_;  // by coroutine: its last mark
};

}  // namespace

std::size_t first_from(const trace::Trace& trace, std::span<const std::uint32_t> events, double t) {
    const auto before = [&](std::uint32_t n) { return static_cast<double>(trace.time(n)) < t; };
    std::size_t end = 1;  // it is mostly near the beginning
    while (end < events.size() && before(events[end - 1])) end *= 2;
    const auto near = events.subspan(end / 2, std::min(end, events.size()) - end / 2);
    return end / 2 + static_cast<std::size_t>(std::partition_point(near.begin(), near.end(), before) - near.begin());
}

std::vector<Mark> layout_marks(const TimelineRequest& request, const Timeline& timeline) {
    const trace::Trace& trace = request.replay.trace();
    std::vector<Mark> marks;
    for_each_visible(request, timeline, request.index.marks(), [&](std::uint32_t n) {
        const Event& event = trace[n];
        const bool of_coroutine = event.co < request.index.coroutines();
        const std::optional<float> y =
            of_coroutine ? lane_middle(timeline, event.co) : machine_middle(timeline, event.m);
        if (!y || !visible(timeline, *y)) return;
        const MarkKind kind = kind_of(trace, n);
        const float size = size_of(kind, request.metrics.em, timeline.lane_height);
        float x = timeline.scale.x(static_cast<double>(event.t));
        if (event.kind == Kind::access)  // after its moment, but where the timeline ends not beyond it
            x = std::min(x + kAccessAfter * request.metrics.em, timeline.lanes_area.x1 - 1.5F * size);
        marks.push_back({{x, *y - timeline.lane_height * kMarkHeight}, n, kind, size, {}});
    });
    return marks;
}

std::vector<Mark> layout_copy_marks(const TimelineRequest& request, const Timeline& timeline) {
    CopyMarks marks(request, timeline);
    for_each_visible(request, timeline, request.index.copies(), [&](std::uint32_t n) { marks.add(n); });
    return marks.take();
}

}  // namespace fiberscope::viewer
