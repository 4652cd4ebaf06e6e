// Double buffering: a second buffer for each thread, and a writer thread that formats full ones, for recordings under
// the real clock that must not wait for the recorder. A few times a second it also writes what all machines have
// recorded, and up to which time, so that a file can be read while it grows.
#pragma once

#include "traces/record/buffer.h"

namespace fiberscope::trace::detail::background_writer {

/// Passes the calling thread's full buffer to the writer. Returns the thread's other buffer, which is empty, or nullptr
/// if the writer has not finished with it or is not running.
ThreadBuffer* hand_over(ThreadBuffer& full) noexcept;
/// Stops the writer, at the end of the trace or when no thread records. Not async-signal-safe.
void stop() noexcept;
/// To be called in a child of fork, which has no writer.
void forget() noexcept;

}  // namespace fiberscope::trace::detail::background_writer
