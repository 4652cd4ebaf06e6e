// Contents of the nodes of a red-black tree or the places of a heap.
#pragma once

#include <optional>
#include <string>

#include "viewer/layout/sets/set_view.h"
#include "viewer/layout/sets/tree_shape.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {

class TreeNodes {
  public:
    TreeNodes(const trace::Replay& replay, const trace::SetNow& set, const Metrics& metrics);

    std::size_t members() const noexcept { return members_; }
    const Metrics& metrics() const noexcept { return metrics_; }
    std::string name_of(std::size_t n) const;
    /// The name, shortened to fit into a small cell.
    std::string short_name(std::size_t n, float width) const;
    std::string key_of(std::size_t n) const;
    /// Without position and text.
    SetBox box_of_node(std::size_t n) const;
    /// Full description of `box`, that of node `n`, as a sentence.
    std::string detail_of(std::size_t n, const SetBox& box) const;

  protected:
    /// Whether the node has just left the tree.
    bool is_ghost(std::size_t n) const noexcept { return with_gone_ && n + 1 == set_.nodes.size(); }
    bool is_link() const noexcept { return event_ && event_->kind == trace::Kind::link; }
    bool wrote(unsigned what) const noexcept { return is_link() && (event_->e1 & what) != 0; }

    const trace::Replay& replay_;
    const trace::Trace& trace_;
    const bool heap_;
    std::optional<JustLeft> left_;            ///< this tree
    std::optional<trace::SetNow> with_gone_;  ///< the set with that as its last node
    const trace::SetNow& set_;
    std::size_t members_;  ///< without it
    const Metrics& metrics_;
    const float em_;
    std::optional<trace::Event> event_;  ///< at the playhead, if it concerns this set
    std::size_t held_ = kNowhere;        ///< the first free place of a heap
    TreeShape shape_;                    ///< of a heap by place; a loose node is in transit
};

/// Height of the array below a heap, em.
inline constexpr float kArray = 2.8F;
/// Fills `out.cells`, at the bottom of `out.rect`: the array of a heap, with gaps between the levels of the tree. If it
/// does not fit, the last places are omitted and counted.
void add_array(const TreeNodes& nodes, SetView& out);

}  // namespace fiberscope::viewer
