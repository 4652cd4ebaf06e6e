#include "labs/04_scheduler/parts/stack_prefetcher.h"

#include <algorithm>
#include <bit>

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/run/backend.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::lab04 {

namespace {

constexpr std::ptrdiff_t kLine = 64;  // bytes of a cache line

/// Prefetches the parts of a task that the next switch touches. Always inlined: a compiler may consider a function that
/// only prefetches to have no effect, and remove the call.
[[gnu::always_inline]] inline void fetch_for_switch(const Task* task) noexcept {
    const std::byte* coroutine = reinterpret_cast<const std::byte*>(task + 1);
    __builtin_prefetch(coroutine - kLine, 1);
    __builtin_prefetch(coroutine, 1);
    __builtin_prefetch(coroutine + (sizeof(kit::Core) + 15) / 16 * 16, 1);  // its registers
}

}  // namespace

// ---- a long ready queue ---------------------------------------------------------------------------------------------

// A linked list cannot be prefetched far ahead: each link is known only when the one before it has been loaded. But
// nearly all tasks of a long queue yield, so each round has the order of the last one. The stack can be prefetched once
// the saved registers have been loaded.
void StackPrefetcher::fetch_ready(const Task& task, const Task& next, std::size_t queued) {
    constexpr std::size_t kAhead = 8;
    const std::size_t round = queued + 1;
    if (round > turns_.size()) {
        turns_.assign(std::bit_ceil(round), nullptr);
        turn_ = 0;
    }
    const std::size_t mask = turns_.size() - 1;
    if (const Task* far = turns_[(turn_ + kAhead - round) & mask]; far != nullptr) fetch_for_switch(far);
    turns_[turn_++ & mask] = &task;

    Task& third = *next.ready_next.next->ready_next.next;
    kit::prefetch_stack(*third.backend, third.core());
}

// ---- events ---------------------------------------------------------------------------------------------------------

// The kernel's work for a message, several µs, is enough time to load a task's memory. A prefetch must first translate
// the address by a page walk, whose tables are not in a near cache either. Several walks run in parallel, so addresses
// are translated for a group of tasks, and the memory itself is prefetched later, task by task.

void StackPrefetcher::on_wait(const Task& task, const void* frame) {
    constexpr std::size_t kFirst = 64;
    constexpr std::size_t kMost = 1U << 20U;
    const auto index = static_cast<std::size_t>(task.fd);
    if (index < kMost) {
        if (index >= places_.size()) places_.resize(std::max(kFirst, index * 2));
        places_[index] = {&task, static_cast<const std::byte*>(frame)};
    }
    fetch_waiter();
}

StackPrefetcher::Place StackPrefetcher::place_of(const Event& event) const noexcept {
    const auto index = static_cast<std::size_t>(event.fd);
    return index < places_.size() ? places_[index] : Place{};
}

// One of the expected tasks has run: prefetches the memory of the next but one.
void StackPrefetcher::fetch_waiter() noexcept {
    constexpr std::ptrdiff_t kBelow = 3;  // lines below the frame, written by the switch
    constexpr std::ptrdiff_t kAbove = 8;  // lines above: the calls that it will return from
    if (coming_.empty()) return;
    coming_ = coming_.subspan(1);
    if (looked_up_ == 0) look_up_group();
    --looked_up_;
    if (coming_.size() < 2) return;
    const Place place = place_of(coming_[1]);
    if (place.task == nullptr) return;
    for (std::ptrdiff_t line = -kBelow; line < kAbove; ++line) __builtin_prefetch(place.frame + line * kLine, 1);
    __builtin_prefetch(&place.task->sleep_node, 1);
    fetch_for_switch(place.task);
    if (trace::recording()) [[unlikely]]
        __builtin_prefetch(reinterpret_cast<const std::byte*>(place.task + 1) + kLine,
                           1);  // when a trace named it last
}

void StackPrefetcher::look_up_group() noexcept {
    constexpr std::size_t kGroup = 6;  // about the number of parallel page walks
    looked_up_ = kGroup;
    for (const Event& event : coming_.subspan(0, std::min(coming_.size(), kGroup + 1))) {
        const Place place = place_of(event);
        __builtin_prefetch(place.frame, 1);
        __builtin_prefetch(place.task, 1);
    }
}

}  // namespace fiberscope::lab04
