// What an object keeps whose changes are recorded, and whether there is a trace to record them in. All else is in
// recorder.h.
#pragma once

#include <atomic>
#include <cstdint>

namespace fiberscope::trace {

/// When, and by which machine, a coroutine, timer or set was last named by an event. It lives inside that object, and
/// is guarded by whatever hands the object from one thread to another. The recorder raises an event's time above it,
/// so that the merge of the machines by time is causal. A touch by an earlier trace of the process does not count.
struct CausalStamp {
    std::uint64_t t = 0;
    std::uint16_t m = 0;
    std::uint16_t unused = 0;
    std::uint32_t trace = 0;  ///< which trace of this process; kept by the recorder
};

namespace detail {
[[gnu::visibility("hidden")]] extern std::atomic<bool> recording;
}
/// Whether a trace is open. One relaxed load: what an event costs while no trace is recorded.
inline bool recording() noexcept { return detail::recording.load(std::memory_order_relaxed); }

}  // namespace fiberscope::trace
