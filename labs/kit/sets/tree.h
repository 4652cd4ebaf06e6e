// An intrusive red-black tree (Boost.Intrusive's algorithms), as RB_ENTRY in NtyCo. Records every change of a left,
// right, parent or colour, so that a replay shows the tree itself, including rotations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "labs/kit/sets/recorded_set.h"
#include "labs/kit/sets/tree_node.h"

namespace fiberscope::kit {

/// Returns the member that contains `node`, computed from the offset of the member pointer. Null for null.
template <class T, TreeNode T::*Node>
T* member_with(const TreeNode* node) noexcept {
    if (node == nullptr) return nullptr;
    TreeNode T::*const link = Node;
    std::ptrdiff_t offset;  // the representation of a pointer to data member in both ABIs
    static_assert(sizeof offset == sizeof link);
    std::memcpy(&offset, &link, sizeof offset);
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(node) - static_cast<std::uintptr_t>(offset));
}

/// The part of Tree that does not depend on the type of its members.
class TreeLinks {
  public:
    TreeLinks(const TreeLinks&) = delete;
    TreeLinks& operator=(const TreeLinks&) = delete;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    void belongs_to(unsigned machine, std::string name) { set_.belongs_to(machine, std::move(name)); }
    void guarded_by(const Lock* lock) noexcept { set_.guarded_by(lock); }

  protected:
    using KeyOf = std::string (*)(const TreeNode& node);
    using ItemOf = Item (*)(const TreeNode& node);

    TreeLinks(const char* name, trace::Role role, const char* key, KeyOf key_of, ItemOf item_of) noexcept;
    /// Inserts `node` as the free left or right child of `parent`, which is the header if the tree is empty.
    void insert_below(TreeNode& parent, bool left, TreeNode& node);
    void remove(TreeNode& node);
    [[noreturn]] void refuse_insert(const Value& member) const { set_.refuse_insert(member); }
    [[noreturn]] void refuse_remove(const Value& member) const { set_.refuse_remove(member); }
    [[noreturn]] void refuse_next(const Value& member) const { set_.refuse_next(member); }
    TreeNode* first() const noexcept { return size_ == 0 ? nullptr : header_.left; }
    TreeNode* after(const TreeNode& node) const noexcept;
    TreeNode* root() const noexcept { return header_.parent(); }
    TreeNode& header() noexcept { return header_; }

  private:
    friend struct TracedTraits;

    TreeNode header_;
    std::size_t size_ = 0;
    RecordedSet set_;
    KeyOf key_of_;
    ItemOf item_of_;
};

/// Does not own its members. T has core() or item() and the TreeNode member `Node`. Ordered by `Before`; the keys of
/// members must not change. A member is in the tree at most once; a second insert aborts with a message. Equal members
/// are in order of insertion.
template <class T, TreeNode T::*Node, bool (*Before)(const T&, const T&)>
class Tree : public TreeLinks {
  public:
    /// `key_name` names the key that orders the members, `Key` returns the key of a member as text: "12000 ns".
    template <std::string (*Key)(const T&)>
    static Tree keyed(const char* name, trace::Role role, const char* key_name) {
        return Tree(name, role, key_name, [](const TreeNode& node) { return Key(*of(&node)); });
    }

    bool contains(const T& member) const noexcept { return (member.*Node).inside(); }
    void insert(T& member) {
        if (contains(member)) [[unlikely]]
            refuse_insert(name_of(member));
        TreeNode* parent = &header();
        bool left = true;
        for (TreeNode* at = root(); at != nullptr; at = left ? at->left : at->right) {
            parent = at;
            left = Before(member, *of(at));
        }
        insert_below(*parent, left, member.*Node);
    }
    void remove(T& member) {
        if (!contains(member)) [[unlikely]]
            refuse_remove(name_of(member));
        TreeLinks::remove(member.*Node);
    }

    /// In order; null at the end.
    T* first() const noexcept { return of(TreeLinks::first()); }
    /// Aborts with a message if `member` is not in the tree.
    T* after(const T& member) const noexcept {
        if (!contains(member)) [[unlikely]]
            refuse_next(name_of(const_cast<T&>(member)));  // naming a timer for the first time assigns its number
        return of(TreeLinks::after(member.*Node));
    }
    /// Returns the first member for which `is_before(member)` is false; null if there is none. `is_before` must be true
    /// for a prefix of the tree and false for the rest. Calls it once for each level of the tree.
    template <class IsBefore>
    T* first_not(IsBefore is_before) const {
        TreeNode* found = nullptr;
        for (TreeNode* at = root(); at != nullptr;) {
            const bool before = is_before(static_cast<const T&>(*of(at)));
            if (!before) found = at;
            at = before ? at->right : at->left;
        }
        return of(found);
    }

  private:
    Tree(const char* name, trace::Role role, const char* key_name, KeyOf key_of) noexcept
        : TreeLinks(name, role, key_name, key_of, [](const TreeNode& node) { return item_of(*of(&node)); }) {}
    static T* of(const TreeNode* node) noexcept { return member_with<T, Node>(node); }
};

}  // namespace fiberscope::kit
