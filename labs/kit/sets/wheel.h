// An intrusive timing wheel, as libco's stTimeout_t: a deadline says at once in which slot a member lies. Lab 06 builds
// one step by step (6.3); this one is for schedulers, whose members are tasks.
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
    /// To the end of the list in the slot of `tick`; and out of it.
    void append(TreeNode& node, std::uint64_t tick);
    void remove_from(TreeNode& node, std::uint64_t tick);
    /// The first in the slot of `tick`; the next one is its `right`.
    TreeNode* first_in(std::uint64_t tick) const noexcept { return slots_[tick % kSlots].first; }
    /// The first of the ticks from `from` on and before `end` whose slot is not empty; `end` if there is none.
    std::uint64_t occupied(std::uint64_t from, std::uint64_t end) const noexcept;
    /// The hand stands at `tick`: nothing lies before it.
    void turn(std::uint64_t tick) const {
        hand_ = tick;
        if (trace::recording()) [[unlikely]]
            record_hand();
    }
    std::uint64_t hand() const noexcept { return hand_; }
    // Only while something is recorded.
    void record_inserted(Item member, const std::string& key, std::uint64_t tick);
    void record_removed(Item member, const std::string& key, std::uint64_t tick);

  private:
    void record_hand() const;
    struct Slot {
        TreeNode* first = nullptr;
        TreeNode* last = nullptr;
    };
    std::vector<Slot> slots_;          // none before the first member
    std::vector<std::uint64_t> bits_;  // which slots are not empty
    std::size_t size_ = 0;
    mutable std::uint64_t hand_ = 0;
    mutable std::uint64_t recorded_hand_ = 0;
    mutable RecordedSet set_;  // the hand turns when the first one is looked for
};

/// Owns none of its members. T has core() or item(), the TreeNode that `Node` names (left and right are what stands
/// before and behind it in its slot), a deadline in ns that must not change meanwhile, and `Before`, by which a smaller
/// deadline comes first. A deadline more than one turn away has its slot too: the hand
/// passes it by until then.
template <class T, TreeNode T::*Node, std::uint64_t T::*Deadline, bool (*Before)(const T&, const T&)>
class Wheel : public WheelSlots {
  public:
    using KeyOf = std::string (*)(const T& member);

    /// As Tree::keyed: `key` gives the deadline of a member in words.
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
    /// The one that stands before all others by `Before`; null if there is none. Looks from the hand on, at no empty
    /// slot.
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
    /// Of those in the slot of `tick`, the first whose own tick is not later than `last`; null if there is none.
    T* first_until(std::uint64_t tick, std::uint64_t last) const {
        T* first = nullptr;
        for (const TreeNode* node = first_in(tick); node != nullptr; node = node->right) {
            T* member = of(node);
            if (tick_of(member->*Deadline) <= last && (first == nullptr || Before(*member, *first))) first = member;
        }
        return first;
    }
    /// All lie turns away.
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
