#include "labs/kit/sets/wheel.h"

#include <algorithm>
#include <bit>

namespace fiberscope::kit {

namespace {
constexpr std::size_t kBits = 64;
}

WheelSlots::WheelSlots(const char* name, trace::Role role, const char* key)
    : set_(name, role, trace::Structure::wheel, key) {
    set_.has_slots(kSlots);
}

void WheelSlots::append(TreeNode& node, std::uint64_t tick) {
    if (slots_.empty()) {
        slots_.resize(kSlots);
        bits_.resize(kSlots / kBits + 1);
    }
    const std::size_t index = tick % kSlots;
    Slot& slot = slots_[index];
    node.left = slot.last;
    node.right = nullptr;
    (slot.last == nullptr ? slot.first : slot.last->right) = &node;
    slot.last = &node;
    node.set_inside(true);
    bits_[index / kBits] |= std::uint64_t{1} << index % kBits;
    ++size_;
}

void WheelSlots::remove_from(TreeNode& node, std::uint64_t tick) {
    const std::size_t index = tick % kSlots;
    Slot& slot = slots_[index];
    (node.left == nullptr ? slot.first : node.left->right) = node.right;
    (node.right == nullptr ? slot.last : node.right->left) = node.left;
    node.set_inside(false);
    if (slot.first == nullptr) bits_[index / kBits] &= ~(std::uint64_t{1} << index % kBits);
    --size_;
}

std::uint64_t WheelSlots::occupied(std::uint64_t from, std::uint64_t end) const noexcept {
    while (from < end) {
        const std::size_t index = from % kSlots;
        const std::uint64_t rest = bits_[index / kBits] >> index % kBits;
        if (rest != 0) return std::min(from + static_cast<std::uint64_t>(std::countr_zero(rest)), end);
        // Continue with the next word, or wrap around.
        from += std::min(kBits - index % kBits, kSlots - index);
    }
    return end;
}

void WheelSlots::record_inserted(Item member, const std::string& key, std::uint64_t tick) {
    set_.inserted(member, key, static_cast<std::int64_t>(tick % kSlots));
}

void WheelSlots::record_hand() const {
    if (recorded_hand_ == hand_ % kSlots) return;
    recorded_hand_ = hand_ % kSlots;
    set_.turned(static_cast<std::int64_t>(recorded_hand_));
}

void WheelSlots::record_removed(Item member, const std::string& key, std::uint64_t tick) {
    set_.removed(member, key, static_cast<std::int64_t>(tick % kSlots));
}

}  // namespace fiberscope::kit
