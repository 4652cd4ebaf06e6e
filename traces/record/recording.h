// The per-object state of recording, and whether a trace is open. Everything else is in recorder.h.
#pragma once

#include <atomic>
#include <cstdint>

namespace fiberscope::trace {

/// When, and by which machine, a coroutine, timer or set was last named by an event. Embedded in that object, and
/// guarded by whatever passes the object from one thread to another. The recorder raises an event's time above it, so
/// that merging the machines by time preserves causality. A touch by an earlier trace of the process is ignored.
struct CausalStamp {
    std::uint64_t t = 0;
    std::uint16_t m = 0;
    std::uint16_t unused = 0;
    std::uint32_t trace = 0;  ///< index of the trace in this process; maintained by the recorder
};

namespace detail {
[[gnu::visibility("hidden")]] extern std::atomic<bool> recording;
}
/// Whether a trace is open. One relaxed load, the whole cost of an event when no trace is recorded.
inline bool recording() noexcept { return detail::recording.load(std::memory_order_relaxed); }

}  // namespace fiberscope::trace
