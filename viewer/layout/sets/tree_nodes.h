// What stands at the nodes of a red-black tree, or at the places of a heap.
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
    /// The name, or what of it fits into a small cell.
    std::string short_name(std::size_t n, float width) const;
    std::string key_of(std::size_t n) const;
    /// Without a place and without words.
    SetBox box_of_node(std::size_t n) const;
    /// All about `box`, that of node `n`, as a sentence.
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
    std::optional<trace::Event> event_;  ///< at the playhead, if it is about this set
    std::size_t held_ = kNowhere;        ///< the first place of a heap that is free
    TreeShape shape_;                    ///< of a heap by place; one that is loose is in hand
};

/// The height of the array below a heap, em.
inline constexpr float kArray = 2.8F;
/// Fills `out.cells`, at the lower end of `out.rect`: the array of a heap. A gap parts the levels of the tree; of one
/// that does not fit, the last places are left out and counted.
void add_array(const TreeNodes& nodes, SetView& out);

}  // namespace fiberscope::viewer
