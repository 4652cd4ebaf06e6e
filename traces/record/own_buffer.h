// The buffer of the thread that records.
#pragma once

#include <atomic>
#include <cstdint>

#include "traces/record/buffer.h"
#include "traces/record/state.h"

namespace fiberscope::trace::detail {

/// Null if this thread has never recorded.
[[gnu::visibility("hidden")]] extern constinit thread_local ThreadBuffer* own;

/// Makes the calling thread a machine of the open trace. Returns null if its buffer cannot be allocated.
[[gnu::cold, gnu::noinline]] ThreadBuffer* attach() noexcept;

/// Returns the calling thread's buffer with room for `slots` more, or nullptr if the event must be dropped.
[[gnu::cold, gnu::noinline]] ThreadBuffer* make_room(std::uint32_t slots) noexcept;

/// Returns the calling thread's buffer if it has room for `slots` more, else nullptr.
inline ThreadBuffer* own_with_room(std::uint32_t slots) noexcept {
    ThreadBuffer* buffer = own;
    if (buffer == nullptr) return nullptr;
    const std::uint32_t end = buffer->published.load(std::memory_order_relaxed) + slots;
    return end <= buffer->limit.load(std::memory_order_relaxed) ? buffer : nullptr;
}

inline ThreadBuffer* room_for(std::uint32_t slots) noexcept {
    ThreadBuffer* buffer = own_with_room(slots);
    return buffer != nullptr ? buffer : make_room(slots);
}

}  // namespace fiberscope::trace::detail
