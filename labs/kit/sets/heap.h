// An intrusive binary heap in an array; each member knows its place. Lab 06 builds one step by step (6.2); this one is
// for the tasks of schedulers.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/sets/recorded_set.h"
#include "labs/kit/sets/tree.h"

namespace fiberscope::kit {

/// Does not own its members. T has core() or item() and the TreeNode member `Node`. Ordered by `Before`; the keys of
/// members must not change. A member is in the heap at most once.
template <class T, TreeNode T::*Node, bool (*Before)(const T&, const T&)>
class Heap {
  public:
    using KeyOf = std::string (*)(const T& member);

    /// As Tree::keyed: `key` returns the key of a member as text.
    Heap(const char* name, trace::Role role, const char* key_name, KeyOf key)
        : set_(name, role, trace::Structure::heap, key_name), key_of_(key) {}
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;

    bool empty() const noexcept { return entries_.empty(); }
    std::size_t size() const noexcept { return entries_.size(); }
    /// See RecordedSet.
    void belongs_to(unsigned machine, std::string name) { set_.belongs_to(machine, std::move(name)); }
    void guarded_by(const Lock* lock) noexcept { set_.guarded_by(lock); }

    bool contains(const T& member) const noexcept { return (member.*Node).inside(); }
    /// The first member by `Before`; null if the heap is empty.
    T* first() const noexcept { return empty() ? nullptr : entries_[0]; }
    void insert(T& member) {
        TreeNode& node = member.*Node;
        node.set_inside(true);
        node.place = entries_.size();
        entries_.push_back(&member);
        if (trace::recording()) [[unlikely]]
            set_.inserted(item_of(member), key_of_(member), static_cast<std::int64_t>(node.place));
        rise(node.place, member);
    }
    void remove(T& member) {
        TreeNode& node = member.*Node;
        node.set_inside(false);
        if (trace::recording()) [[unlikely]]
            set_.removed(item_of(member), key_of_(member), static_cast<std::int64_t>(node.place));
        T& last = *entries_.back();
        entries_.pop_back();
        if (&last == &member) return;
        if (node.place > 0 && Before(last, *entries_[parent(node.place)]))
            rise(node.place, last);
        else
            sink(node.place, last);
    }

  private:
    static std::size_t parent(std::size_t place) noexcept { return (place - 1) / 2; }
    void put(std::size_t place, T& member) {
        if (trace::recording() && (member.*Node).place != place) [[unlikely]]
            set_.moved(item_of(member), static_cast<std::int64_t>(place));
        entries_[place] = &member;
        (member.*Node).place = place;
    }
    /// Puts `member` into the hole at `place` or above it: moves parents down into the hole until `member` fits.
    void rise(std::size_t place, T& member) {
        for (; place > 0 && Before(member, *entries_[parent(place)]); place = parent(place))
            put(place, *entries_[parent(place)]);
        put(place, member);
    }
    /// Puts `member` into the hole at `place` or below it: moves the earlier child up into the hole until `member`
    /// fits.
    void sink(std::size_t place, T& member) {
        for (std::size_t child = 2 * place + 1; child < entries_.size(); child = 2 * place + 1) {
            if (child + 1 < entries_.size() && Before(*entries_[child + 1], *entries_[child])) ++child;
            if (!Before(*entries_[child], member)) break;
            put(place, *entries_[child]);
            place = child;
        }
        put(place, member);
    }

    std::vector<T*> entries_;
    RecordedSet set_;
    KeyOf key_of_;
};

}  // namespace fiberscope::kit
