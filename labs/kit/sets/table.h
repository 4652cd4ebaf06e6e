// An intrusive table of members by a small number, such as a descriptor. A lookup indexes an array, where a tree needs
// comparisons. As sylar's array of FdContexts by descriptor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/sets/recorded_set.h"
#include "labs/kit/sets/tree.h"

namespace fiberscope::kit {

/// Does not own its members. T has core() or item(), the TreeNode member `Node`, and a non-negative number, which must
/// not change. A member is in the table at most once; a second insert aborts with a message. Members with the same
/// number are in order of insertion. The memory is proportional to the largest number ever inserted.
///
/// Uses the node of a tree, because no member is in a tree and a table at the same time: left and right are the
/// previous and the next member.
template <class T, TreeNode T::*Node, int T::*Number>
class Table {
  public:
    using KeyOf = std::string (*)(const T& member);

    /// As Tree::keyed: `key` returns the number of a member as text.
    Table(const char* name, trace::Role role, const char* key_name, KeyOf key) noexcept
        : set_(name, role, trace::Structure::map, key_name), key_of_(key) {}
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    /// See RecordedSet.
    void belongs_to(unsigned machine, std::string name) { set_.belongs_to(machine, std::move(name)); }
    void guarded_by(const Lock* lock) noexcept { set_.guarded_by(lock); }

    bool contains(const T& member) const noexcept { return (member.*Node).inside(); }
    void insert(T& member) {
        TreeNode& node = member.*Node;
        if (node.inside()) [[unlikely]]
            set_.refuse_insert(name_of(member));
        Slot& slot = slot_for(member.*Number);
        node.left = slot.last;
        node.right = nullptr;
        (slot.last == nullptr ? slot.first : slot.last->right) = &node;
        slot.last = &node;
        node.set_inside(true);
        ++size_;
        if (trace::recording()) [[unlikely]]
            record_inserted(member);
    }
    void remove(T& member) {
        TreeNode& node = member.*Node;
        if (!node.inside()) [[unlikely]]
            set_.refuse_remove(name_of(member));
        Slot& slot = slots_[static_cast<std::size_t>(member.*Number)];
        (node.left == nullptr ? slot.first : node.left->right) = node.right;
        (node.right == nullptr ? slot.last : node.right->left) = node.left;
        node.set_inside(false);
        --size_;
        if (trace::recording()) [[unlikely]]
            record_removed(member);
    }
    /// Returns the first member with this number, or null.
    T* first_of(int number) const noexcept {
        const auto index = static_cast<std::size_t>(number);
        return index < slots_.size() ? of(slots_[index].first) : nullptr;
    }
    /// Returns the next member with the same number, or null. Aborts with a message if `member` is not in the table.
    T* next_of(const T& member) const noexcept {
        if (!contains(member)) [[unlikely]]
            set_.refuse_next(name_of(const_cast<T&>(member)));
        return of((member.*Node).right);
    }

  private:
    struct Slot {
        TreeNode* first = nullptr;
        TreeNode* last = nullptr;
    };
    static T* of(const TreeNode* node) noexcept { return member_with<T, Node>(node); }
    Slot& slot_for(int number) {
        const auto index = static_cast<std::size_t>(number);
        if (index >= slots_.size()) slots_.resize(std::max(index + 1, slots_.size() * 2));
        return slots_[index];
    }
    // Not inlined, to keep the frames small when nothing is recorded.
    [[gnu::noinline, gnu::cold]] void record_inserted(T& member) { set_.inserted(item_of(member), key_of_(member)); }
    [[gnu::noinline, gnu::cold]] void record_removed(T& member) { set_.removed(item_of(member), key_of_(member)); }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
    RecordedSet set_;
    KeyOf key_of_;
};

}  // namespace fiberscope::kit
