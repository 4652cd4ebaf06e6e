// Given: where those lie who wait for descriptors, so that their memory can be asked for before they run. Among a thousand
// connections a task's memory has left the nearer caches, and the addresses of its pages the processor's table, before its
// next event comes; a kernel's work for a message, several µs, is time enough to get both back.
//
// An address is looked up by a walk through tables that are in no near cache either, and until it has ended not even a
// prefetch is done. Several walks go on at once as well as one: so addresses are looked up for a group of tasks, and the
// memory itself is asked for later, task by task.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "labs/04_scheduler/event_source.h"

namespace fiberscope::lab04 {

class StackPrefetcher {
  public:
    /// Whom these events are for will run in this order, if nothing comes between. They must stay until the next call.
    void expect(std::span<const Event> events) noexcept {
        coming_ = events;
        looked_up_ = 0;
    }

    /// `task` begins to wait for its descriptor; `frame` is an address on its stack, near where it will go on.
    void note(const Task& task, const void* frame) {
        const auto index = static_cast<std::size_t>(task.fd);
        if (index >= kMost) return;
        if (index >= places_.size()) places_.resize(std::max(kFirst, index * 2));
        places_[index] = {reinterpret_cast<const std::byte*>(&task), static_cast<const std::byte*>(frame)};
    }

    /// One of the expected has run: asks for the memory of the next but one. Inline by force: a compiler takes a function that
    /// only prefetches for one that does nothing, and leaves out the call.
    [[gnu::always_inline]] void fetch_ahead() noexcept {
        if (coming_.empty()) return;
        coming_ = coming_.subspan(1);
        if (looked_up_ == 0) look_up_group();
        --looked_up_;
        if (coming_.size() < 2) return;
        const Place place = place_of(coming_[1]);
        if (place.task == nullptr) return;
        for (std::ptrdiff_t line = -kBelow; line < kAbove; ++line) __builtin_prefetch(place.frame + line * kLine, 1);
        for (const std::size_t offset : kOfTask) __builtin_prefetch(place.task + offset, 1);
        if (trace::recording()) [[unlikely]]
            __builtin_prefetch(place.task + kTouch, 1);
    }

  private:
    /// Only to be asked for, never to be followed: the task may be gone.
    struct Place {
        const std::byte* task = nullptr;
        const std::byte* frame = nullptr;
    };

    Place place_of(const Event& event) const noexcept {
        const auto index = static_cast<std::size_t>(event.fd);
        return index < places_.size() ? places_[index] : Place{};
    }
    [[gnu::always_inline]] void look_up_group() noexcept {
        looked_up_ = kGroup;
        for (const Event& event : coming_.subspan(0, std::min(coming_.size(), kGroup + 1))) {
            const Place place = place_of(event);
            __builtin_prefetch(place.frame, 1);
            __builtin_prefetch(place.task, 1);
        }
    }

    static constexpr std::size_t kGroup = 6;  // about as many walks as a processor makes at once
    static constexpr std::ptrdiff_t kLine = 64;
    static constexpr std::ptrdiff_t kBelow = 3;  // lines below the frame: what leaving has put there
    static constexpr std::ptrdiff_t kAbove = 8;  // and above: the calls that it will return from
    // The link in the wait set, whether it sleeps too, and what every switch touches: the end of the task, the beginning of
    // the coroutine behind it, and its registers.
    static constexpr std::size_t kRegisters = sizeof(Task) + (sizeof(kit::Core) + 15) / 16 * 16;
    static constexpr std::size_t kTouch = sizeof(Task) + kLine;  // when a trace said something of it last
    static constexpr std::array<std::size_t, 5> kOfTask{0, 64, sizeof(Task) - 64, sizeof(Task), kRegisters};
    static constexpr std::size_t kFirst = 64;
    static constexpr std::size_t kMost = 1U << 20U;

    std::vector<Place> places_;  ///< by descriptor: who began to wait for it last
    std::span<const Event> coming_;
    std::size_t looked_up_ = 0;  ///< of how many to come the addresses are asked for already
};

}  // namespace fiberscope::lab04
