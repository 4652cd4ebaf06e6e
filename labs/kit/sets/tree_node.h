// The node of a red-black tree (tree.h), also used by the wheel, the heap and the table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "traces/schema/words.h"

namespace fiberscope::kit {

/// Intrusive hook; one per tree. Three words, to keep idle tasks small. The three low bits of the parent's address hold
/// the colour (two) and whether the node is in a tree (one).
class TreeNode {
  public:
    union {
        TreeNode* left = nullptr;
        std::size_t place;  ///< in a heap
    };
    TreeNode* right = nullptr;

    TreeNode* parent() const noexcept { return reinterpret_cast<TreeNode*>(rest_ & ~kBits); }
    void set_parent(TreeNode* to) noexcept { rest_ = reinterpret_cast<std::uintptr_t>(to) | (rest_ & kBits); }
    trace::Color color() const noexcept { return static_cast<trace::Color>(rest_ & kColor); }
    void set_color(trace::Color to) noexcept { rest_ = (rest_ & ~kColor) | static_cast<std::uintptr_t>(to); }
    bool inside() const noexcept { return (rest_ & kInside) != 0; }
    void set_inside(bool to) noexcept { rest_ = (rest_ & ~kInside) | (to ? kInside : 0); }

  private:
    static constexpr std::uintptr_t kColor = 3, kInside = 4, kBits = kColor | kInside;

    std::uintptr_t rest_ = static_cast<std::uintptr_t>(trace::Color::none);
};

}  // namespace fiberscope::kit
