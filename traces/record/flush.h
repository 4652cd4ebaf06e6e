// Writes the slots of a thread's buffer to the file as lines.
#pragma once

#include "traces/record/buffer.h"
#include "traces/record/file.h"

namespace fiberscope::trace::detail {

/// Appends the unwritten events of `buffer` and of the thread's other buffer, in order. Requires the lock;
/// async-signal-safe.
void append_rest(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept;

/// Appends what a thread that is still recording has recorded so far. Requires the lock; for the writer.
void append_so_far(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept;

/// Appends and empties a buffer that was passed to the writer, if it still is. Requires the lock; for the writer.
void write_handed(TraceFile& file, ThreadBuffer& buffer) noexcept;

/// Appends the content of the calling thread's own `buffer` and empties it; takes the lock only to append. If the trace
/// has ended in the meantime, the events are discarded.
void flush_own(TraceFile& file, ThreadBuffer& buffer) noexcept;

/// Resolves the code addresses in `buffer` (before slot `end`, if given) to names. Not async-signal-safe.
void resolve_codes(ThreadBuffer& buffer, Scratch& scratch) noexcept;
void resolve_codes(ThreadBuffer& buffer, std::uint32_t end, Scratch& scratch) noexcept;

}  // namespace fiberscope::trace::detail
