// The process-wide state of its one open trace. Never destroyed: threads, exit handlers and signal handlers may record
// until the process ends.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "traces/record/buffer.h"
#include "traces/record/file.h"

namespace fiberscope::trace::detail {

struct State {
    TraceFile file;
    std::atomic<std::uint32_t> trace{0};     ///< number of the open or last trace, from 1
    std::atomic<std::uint32_t> machines{0};  ///< of the open trace
    std::atomic<ThreadBuffer*> buffers{nullptr};
    std::atomic<std::uint32_t> ender{0};  ///< the thread (id) that ends the trace from a signal handler or at exit
};
extern State state;

/// Whether the content of the buffer belongs to the open or last trace.
inline bool is_current(const ThreadBuffer& buffer) noexcept {
    return buffer.trace.load(std::memory_order_acquire) == state.trace.load(std::memory_order_relaxed);
}

/// Calls `f` with each thread's current buffer (with the listed one of a pair).
template <class F>
void for_each_current(F&& f) noexcept {
    for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next)
        if (is_current(*b)) f(*b);
}

/// The time of the last event of that buffer's thread, ns.
inline std::uint64_t last_time(const ThreadBuffer& buffer) noexcept {
    const ThreadBuffer* other = buffer.other.load(std::memory_order_acquire);
    return std::max(buffer.last_t.load(std::memory_order_relaxed),
                    other == nullptr ? 0 : other->last_t.load(std::memory_order_relaxed));
}

/// Ends the open trace whatever its threads are doing, as from a signal handler; a non-null `fault` becomes the last
/// event.
void end_abruptly(const Stored* fault) noexcept;

}  // namespace fiberscope::trace::detail
