// What the process knows of its one open trace. Nothing here is ever destroyed: threads, exit handlers and signal
// handlers may record until the very end.
#pragma once

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
    std::atomic<std::uint32_t> ender{0};  ///< thread that ends the trace from a signal handler or at exit
};
extern State state;

/// The calling thread's buffer, or nullptr if it never recorded.
ThreadBuffer* own_buffer() noexcept;

/// Ends the open trace wherever its threads are, as from a signal handler; `fault` if it is not null is the last event.
void end_abruptly(const Stored* fault) noexcept;

}  // namespace fiberscope::trace::detail
