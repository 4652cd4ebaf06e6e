// A second buffer for each thread, and a thread of the recorder's own that turns full ones into text meanwhile: where
// what is recorded runs under the real clock and must not wait for its own recording.
#pragma once

#include "traces/record/buffer.h"

namespace fiberscope::trace {

/// Until the open trace is closed, full buffers are written by a thread of the recorder's own, in which no signal is
/// handled. Where there is no such thread to be had, or it does not keep up, a thread writes its own, as without this.
/// After open(), before other threads record. Not for what must record the same bytes each time: which thread's events
/// come first in the file is chance.
void write_in_background() noexcept;

namespace detail::background_writer {

/// Gives the calling thread's full buffer to the writer. Returns the thread's other one, empty; nullptr if the writer
/// has not written that yet, or there is no writer.
ThreadBuffer* hand_over(ThreadBuffer& full) noexcept;
/// The trace has ended: so does the writer. Not for signal handlers.
void stop() noexcept;
/// In a child of fork, which has no writer.
void forget() noexcept;

}  // namespace detail::background_writer

}  // namespace fiberscope::trace
