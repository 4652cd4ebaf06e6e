// From the slots of a thread's buffer to lines in the file.
#pragma once

#include "traces/record/buffer.h"
#include "traces/record/file.h"

namespace fiberscope::trace::detail {

/// Appends what `buffer` and the thread's other one hold and the file has not, in order. The lock is held;
/// async-signal-safe.
void append_rest(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept;

/// Appends what a thread that goes on recording has recorded so far. The lock is held; for the writer.
void append_so_far(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept;

/// Appends and empties a buffer that was handed over, if it still is. The lock is held; for the writer.
void write_handed(TraceFile& file, ThreadBuffer& buffer) noexcept;

/// Appends what the calling thread's own `buffer` holds and empties it; takes the lock only to append. When the trace
/// has ended meanwhile, the events are left out.
void flush_own(TraceFile& file, ThreadBuffer& buffer) noexcept;

/// Finds out what the code addresses in `buffer` are called, or those before slot `end`. Not for signal handlers.
void resolve_codes(ThreadBuffer& buffer, Scratch& scratch) noexcept;
void resolve_codes(ThreadBuffer& buffer, std::uint32_t end, Scratch& scratch) noexcept;

}  // namespace fiberscope::trace::detail
