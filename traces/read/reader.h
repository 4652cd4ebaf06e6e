// Reads a trace file into columns. Knows the format and nothing else: it does not judge the events (the checker does)
// and does not apply them (the replay does).
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "traces/read/condition.h"
#include "traces/read/progress.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// Reads a trace. A file cut at any byte yields every whole event and says in `missing` what is not there. One that is
/// being recorded yields what every machine's part has reached. Throws ReadError for a file that cannot be opened, is
/// empty, is no trace, has another format version, or has a malformed event before its end.
/// `progress` is told how much was read, and may end it by Cancelled.
Trace read(const std::filesystem::path& file, Progress* progress = nullptr);
/// The same for those who have nothing to say about a file without events: ReadError says which condition it is in.
Trace read_events_of(const std::filesystem::path& file, Progress* progress = nullptr);
/// Whether a recorder is writing the file: it holds a lock on it as long as it does.
bool is_being_recorded(const std::filesystem::path& file);
/// Throws that ReadError for a trace that has no events.
void require_events(const Trace& trace);
/// The same from a stream; `name` stands for the file in messages. `size`: its bytes, 0 if that is not known;
/// `recorded`: a recorder is writing it.
Trace read(std::istream& in, const std::string& name, std::uint64_t size = 0, Progress* progress = nullptr,
           bool recorded = false);

}  // namespace fiberscope::trace
