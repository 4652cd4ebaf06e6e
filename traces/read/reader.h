// Reads a trace file into columns. Implements only the format: the checker judges the events, the replay applies them.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "traces/read/condition.h"
#include "traces/read/slices.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

class DocumentReader;

/// Reads a file in slices. A file cut at any byte yields every complete event, and `missing` describes what is not
/// there. A file that is being recorded yields the events up to the time that every machine has reached.
class Reading {
  public:
    /// `items`: the maximum number of events per slice.
    explicit Reading(std::filesystem::path file, std::size_t items = Slices().items());
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    /// Reads a slice: at most `items` events and about 256 KiB, plus one value of at most 1 MiB. Returns false at the
    /// end. Throws ReadError for a file that cannot be opened, is empty, is not a trace, has another format version, or
    /// has a malformed event before its end.
    bool step();
    /// Progress, from 0 to 1.
    double share() const noexcept;
    /// The trace, once step() has returned false.
    Trace take();

  private:
    void begin();
    bool begin_again();

    std::filesystem::path file_;
    std::size_t items_;
    std::ifstream in_;
    bool recorded_ = false;  ///< when it was opened
    int attempts_ = 0;
    std::unique_ptr<DocumentReader> document_;
    Trace trace_;
};

/// Reads the whole file at once.
Trace read(const std::filesystem::path& file);
/// Reads from a stream; `name` denotes the file in messages.
Trace read(std::istream& in, const std::string& name);
/// Throws ReadError, which names the file's condition, if the trace has no events.
void require_events(const Trace& trace);
/// Reads a trace, which must have events.
Trace read_events_of(const std::filesystem::path& file);
/// Whether a recorder is writing the file, which it keeps locked.
bool is_being_recorded(const std::filesystem::path& file);

}  // namespace fiberscope::trace
