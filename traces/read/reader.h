// Reads a trace file into columns. Knows the format and nothing else: it does not judge the events (the checker does)
// and does not apply them (the replay does).
#pragma once

#include <filesystem>
#include <iosfwd>
#include <stdexcept>
#include <string>

#include "traces/read/progress.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// What made a file unreadable, in one sentence: file, line, what was expected and what to do.
class ReadError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Reads a trace. A file cut at any byte yields every whole event and says in `missing` what is not there. Throws
/// ReadError for a file that cannot be opened, is empty, is no trace, has another format version, or has a malformed
/// event before its end.
/// `progress` is told how much was read, and may end it by Cancelled.
Trace read(const std::filesystem::path& file, Progress* progress = nullptr);
/// The same from a stream; `name` stands for the file in messages. `size`: its bytes, 0 if that is not known.
Trace read(std::istream& in, const std::string& name, std::uint64_t size = 0, Progress* progress = nullptr);

}  // namespace fiberscope::trace
