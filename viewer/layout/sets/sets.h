// The sets at the playhead: queues as rows of boxes in their order, with what does not fit counted; red-black trees as
// trees, heaps as trees and arrays, wheels as rings; a steal as an arrow from one machine's queue to another's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/length_steps.h"
#include "viewer/layout/sets/set_view.h"

namespace fiberscope::viewer {

/// A steal that is happening at the playhead.
struct StealArrow {
    Point from, to;     ///< from the victim's queue to the thief's
    std::string count;  ///< "2"
};

struct Sets {
    std::string heading;
    std::vector<SetView> queues, trees, heaps, wheels;
    std::optional<StealArrow> steal;
    Rect more_rect;
    std::string more;  ///< "and 3 more sets"; else empty
};

struct SetsRequest {
    const trace::Replay& replay;  ///< at the playhead
    const TraceIndex& index;
    Rect area;
    Metrics metrics;
};
Sets layout_sets(const SetsRequest& request);

/// Whether the trace has sets that are worth a panel: with those that can run, sleep or wait.
bool has_sets_to_draw(const TraceIndex& index) noexcept;

/// Whether any set is drawn in a shape of its own: a tree, a heap, a wheel.
bool has_shapes(const TraceIndex& index) noexcept;

/// Whether a set of this structure is drawn in a shape of its own.
bool draws_shape(const TraceIndex& index, trace::Structure structure) noexcept;

/// The height at which all of it is visible in `width`, pixels; it does not depend on the playhead.
float wanted_sets_height(const TraceIndex& index, float width, float em) noexcept;

/// The lengths of all sets over the whole trace. Goes through the trace once.
class SetLengths {
  public:
    explicit SetLengths(const trace::Trace& trace);

    const LengthSteps& of(std::uint32_t set) const noexcept { return steps_[set]; }
    /// By set: the most that it has some events before event n, or after it.
    std::vector<std::uint32_t> most_near(std::size_t n) const;

  private:
    std::vector<LengthSteps> steps_;  // by set
};

/// The same where the sets have `most` members, by the number of the set; but a tree is as high as it is now.
float sets_height_near(const trace::Replay& replay, const TraceIndex& index, std::span<const std::uint32_t> most,
                       float width, float em);

}  // namespace fiberscope::viewer
