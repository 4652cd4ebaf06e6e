// Links between the drawn nodes of a tree: intact, half-written and removed ones, and the effect of a rotation.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "traces/words/steps.h"
#include "viewer/layout/sets/tree_nodes.h"

namespace fiberscope::viewer {

/// Height of the line to the root, em.
inline constexpr float kStem = 0.6F;

class TreeLines : public TreeNodes {
  protected:
    TreeLines(const trace::Replay& replay, const trace::SetNow& set, const Metrics& metrics);

    /// Adds the lines, and the former and later positions of rotated nodes, once all boxes are placed.
    void add_lines();
    /// Top of the boxes of a level, pixels.
    float y_of(std::size_t level) const;

    float box_height_ = 0, gap_ = 0;           ///< pixels
    std::optional<trace::Rotation> rotation_;  ///< that includes the event at the playhead
    std::size_t levels_ = 1;
    std::vector<std::size_t> box_of_;  ///< by node; kNowhere: not drawn
    SetView out_;

  private:
    bool is_drawn(std::size_t n) const noexcept { return n != kNowhere && box_of_[n] != kNowhere; }
    /// The drawn node with this id; kNowhere if there is none.
    std::size_t drawn(std::uint32_t id) const noexcept;
    void add_lines_of_heap();
    void add_child(std::size_t n, std::size_t child, bool now);
    void add_parent(std::size_t n, const TreePlace& at, bool now);
    /// Adds the links of node `n` that the event at the playhead removed.
    void add_cuts(std::size_t n);
    void cut_child(std::size_t n, std::uint32_t child, float side);

    void add_ghosts();
    void add_ghost(std::size_t n, std::size_t level, bool after);
    void name_ghosts();
    Rect at_level(Rect r, std::size_t level) const;
};

}  // namespace fiberscope::viewer
