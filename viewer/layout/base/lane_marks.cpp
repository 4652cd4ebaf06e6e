#include "viewer/layout/base/lane_marks.h"

#include <algorithm>

namespace fiberscope::viewer {

using trace::Kind;

MarkKind mark_kind(const trace::Trace& trace, std::uint32_t n) noexcept {
    switch (trace[n].kind) {
    case Kind::fault: return MarkKind::fault;
    case Kind::lock: return MarkKind::lock_wait;
    case Kind::access: return trace.access(n).hazard() ? MarkKind::hazard : MarkKind::access;
    case Kind::copy:
        return trace[n].first<trace::Direction>() == trace::Direction::out ? MarkKind::copy_out : MarkKind::copy_in;
    default: return MarkKind::note;
    }
}

LaneMarks::LaneMarks(const trace::Trace& trace, std::span<const std::uint32_t> events)
    : coroutines_(static_cast<std::uint32_t>(trace.coroutines())),
      begins_(trace.coroutines() + trace.machines() + 1),
      events_(events.size()),
      kinds_(events.size()) {
    for (const std::uint32_t n : events) ++begins_[lane_of(trace[n]) + 1];
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (const std::uint32_t n : events) {
        const std::uint32_t at = next[lane_of(trace[n])]++;
        events_[at] = n;
        kinds_[at] = mark_kind(trace, n);
    }
}

std::size_t LaneMarks::lane_of(const trace::Event& event) const noexcept {
    return event.co < coroutines_ ? event.co : std::size_t{coroutines_} + event.m;
}

std::span<const std::uint32_t> LaneMarks::of_lane(std::size_t lane) const noexcept {
    if (lane + 1 >= begins_.size()) return {};
    return std::span(events_).subspan(begins_[lane], begins_[lane + 1] - begins_[lane]);
}

MarkKind LaneMarks::worst(std::span<const std::uint32_t> part) const noexcept {
    const auto first = kinds_.begin() + (part.data() - events_.data());
    return *std::max_element(first, first + static_cast<std::ptrdiff_t>(part.size()));
}

}  // namespace fiberscope::viewer
