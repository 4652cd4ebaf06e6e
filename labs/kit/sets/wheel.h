// An intrusive timing wheel, as libco's stTimeout_t: the slot of a member is computed from its deadline. Lab 06 builds
// one step by step (6.3); this one is for the tasks of schedulers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/sets/recorded_set.h"
#include "labs/kit/sets/tree.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit {

/// The part of Wheel that does not depend on the type of its members: 60,000 slots of a millisecond, one turn a minute.
class WheelSlots {
  public:
    static constexpr std::size_t kSlots = 60'000;
    static constexpr std::uint64_t kTick = kMillisecond;
    static constexpr std::uint64_t tick_of(std::uint64_t ns) noexcept { return ns / kTick; }

    WheelSlots(const WheelSlots&) = delete;
    WheelSlots& operator=(const WheelSlots&) = delete;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    /// See RecordedSet.
    void belongs_to(unsigned machine, std::string name) { set_.belongs_to(machine, std::move(name)); }
    void guarded_by(const Lock* lock) noexcept { set_.guarded_by(lock); }

  protected:
    WheelSlots(const char* name, trace::Role role, const char* key);
    /// Append to and remove from the list in the slot of `tick`.
    void append(TreeNode& node, std::uint64_t tick);
    void remove_from(TreeNode& node, std::uint64_t tick);
    /// Returns the first node in the slot of `tick`; the next one is its `right`.
    TreeNode* first_in(std::uint64_t tick) const noexcept { return slots_[tick % kSlots].first; }
    /// Returns the first tick in [from, end) whose slot is not empty; `end` if there is none.
    std::uint64_t occupied(std::uint64_t from, std::uint64_t end) const noexcept;
    /// Moves the hand to `tick`. No member may be due before it.
    void turn(std::uint64_t tick) const {
        hand_ = tick;
        if (trace::recording()) [[unlikely]]
            record_hand();
    }
    std::uint64_t hand() const noexcept { return hand_; }
    // Call only while trace::recording().
    void record_inserted(Item member, const std::string& key, std::uint64_t tick);
    void record_removed(Item member, const std::string& key, std::uint64_t tick);

  private:
    void record_hand() const;
    struct Slot {
        TreeNode* first = nullptr;
        TreeNode* last = nullptr;
    };
    std::vector<Slot> slots_;          // allocated with the first member
    std::vector<std::uint64_t> bits_;  // set for slots that are not empty
    std::size_t size_ = 0;
    mutable std::uint64_t hand_ = 0;
    mutable std::uint64_t recorded_hand_ = 0;
    mutable RecordedSet set_;  // mutable: first() moves the hand
};

/// Does not own its members. T has core() or item(), the TreeNode member `Node` (left and right are the neighbours in
/// the slot), a deadline in ns that must not change, and `Before`, which orders smaller deadlines first. A member whose
/// deadline is more than one turn away is in its slot too; the hand passes it until then.
template <class T, TreeNode T::*Node, std::uint64_t T::*Deadline, bool (*Before)(const T&, const T&)>
class Wheel : public WheelSlots {
  public:
    using KeyOf = std::string (*)(const T& member);

    /// As Tree::keyed: `key` returns the deadline of a member as text.
    Wheel(const char* name, trace::Role role, const char* key_name, KeyOf key)
        : WheelSlots(name, role, key_name), key_of_(key) {}

    bool contains(const T& member) const noexcept { return (member.*Node).inside(); }
    void insert(T& member) {
        const std::uint64_t tick = tick_of(member.*Deadline);
        if (empty() || tick < hand()) turn(tick);
        append(member.*Node, tick);
        if (trace::recording()) [[unlikely]]
            record_inserted(item_of(member), key_of_(member), tick);
    }
    void remove(T& member) {
        const std::uint64_t tick = tick_of(member.*Deadline);
        if (trace::recording()) [[unlikely]]
            record_removed(item_of(member), key_of_(member), tick);
        remove_from(member.*Node, tick);
    }
    /// Returns the first member by `Before`; null if there is none. Searches from the hand on and skips empty slots.
    T* first() const {
        const std::uint64_t end = hand() + kSlots;
        for (std::uint64_t tick = empty() ? end : occupied(hand(), end); tick < end; tick = occupied(tick + 1, end))
            if (T* found = first_until(tick, tick)) {
                turn(tick);
                return found;
            }
        return empty() ? nullptr : first_of_all();
    }

  private:
    static T* of(const TreeNode* node) noexcept { return member_with<T, Node>(node); }
    /// Returns the first member in the slot of `tick` whose own tick is not later than `last`; null if there is none.
    T* first_until(std::uint64_t tick, std::uint64_t last) const {
        T* first = nullptr;
        for (const TreeNode* node = first_in(tick); node != nullptr; node = node->right) {
            T* member = of(node);
            if (tick_of(member->*Deadline) <= last && (first == nullptr || Before(*member, *first))) first = member;
        }
        return first;
    }
    /// Returns the first of all members, if all are more than a turn away.
    T* first_of_all() const {
        T* first = nullptr;
        for (std::uint64_t slot = occupied(0, kSlots); slot < kSlots; slot = occupied(slot + 1, kSlots)) {
            T* found = first_until(slot, ~std::uint64_t{0});
            if (first == nullptr || Before(*found, *first)) first = found;
        }
        turn(tick_of(first->*Deadline));
        return first;
    }

    KeyOf key_of_;
};

}  // namespace fiberscope::kit
