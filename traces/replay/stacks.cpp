// The part of the replay's builder for shared stacks: their owners, and the copies.
#include "traces/replay/builder.h"

namespace fiberscope::trace {

void ReplayBuilder::own(const Event& e) {
    put(layout_.stack(e.set) + stack_cell::owner, e.co);
    if (e.co != kNone) put(layout_.coroutine(e.co) + co_cell::stack, e.set);
}

void ReplayBuilder::copy(const Event& e) {
    const bool out = e.first<Direction>() == Direction::out;
    const Cells::Address stack = layout_.stack(e.set);
    const Cells::Address copies = stack + (out ? stack_cell::copies_out : stack_cell::copies_in);
    put(layout_.coroutine(e.co) + co_cell::stack, e.set);
    put(layout_.coroutine(e.co) + co_cell::last_copy, now_);
    put(stack + stack_cell::last_copy, now_);
    put(copies, get(copies) == kNone ? 1 : get(copies) + 1);
    add_bytes(stack + (out ? stack_cell::bytes_out : stack_cell::bytes_in), e.x);
}

/// Adds to the sum in the cells `low` and low + 1. Before the first copy the upper one is kNone, a value that no sum
/// has.
void ReplayBuilder::add_bytes(Cells::Address low, std::int64_t bytes) {
    const bool first = get(low + 1) == kNone;
    const std::uint64_t before = first ? 0 : std::uint64_t{get(low + 1)} << 32 | get(low);
    const std::uint64_t sum = before + static_cast<std::uint64_t>(bytes < 0 ? 0 : bytes);
    put(low, static_cast<std::uint32_t>(sum));
    put(low + 1, static_cast<std::uint32_t>(sum >> 32 & 0x7fffffffU));
}

/// Invalidates its image. Only `own` changes the owner of a stack: a viewer must show a dead owner that is still
/// registered.
void ReplayBuilder::leave_shared_stack(std::uint32_t co) { put(layout_.coroutine(co) + co_cell::last_copy, kNone); }

}  // namespace fiberscope::trace
