// A second buffer for each thread, and a thread of the recorder's own that turns full ones into text meanwhile: where
// what is recorded runs under the real clock and must not wait for its own recording. A few times a second it writes
// what all machines have recorded, and how far that reaches, so that a file can be looked at while it grows.
#pragma once

#include "traces/record/buffer.h"

namespace fiberscope::trace::detail::background_writer {

/// Gives the calling thread's full buffer to the writer. Returns the thread's other one, empty; nullptr if the writer
/// has not written that yet, or there is no writer.
ThreadBuffer* hand_over(ThreadBuffer& full) noexcept;
/// The trace has ended: so does the writer. Not for signal handlers.
void stop() noexcept;
/// In a child of fork, which has no writer.
void forget() noexcept;

}  // namespace fiberscope::trace::detail::background_writer
