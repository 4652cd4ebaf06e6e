// Reads a trace file into columns. Knows the format and nothing else: it does not judge the events (the checker does)
// and does not apply them (the replay does).
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

/// A file that is read in slices. A file cut at any byte yields every whole event and says in `missing` what is not
/// there. One that is being recorded yields what every machine's part has reached.
class Reading {
  public:
    /// `items`: events that a slice reads at most.
    explicit Reading(std::filesystem::path file, std::size_t items = Slices().items());
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    /// Reads a slice: at most `items` events and some 256 KiB, and what one value takes, at most 1 MiB. False once the
    /// file is read. Throws ReadError for a file that cannot be opened, is empty, is no trace, has another format
    /// version, or has a malformed event before its end.
    bool step();
    /// How much is read, from 0 to 1.
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

/// The same at once.
Trace read(const std::filesystem::path& file);
/// From a stream; `name` stands for the file in messages.
Trace read(std::istream& in, const std::string& name);
/// Throws ReadError, which says in which condition the file is, for a trace that has no events.
void require_events(const Trace& trace);
/// Reads a trace that must have events.
Trace read_events_of(const std::filesystem::path& file);
/// Whether a recorder is writing the file: it holds a lock on it as long as it does.
bool is_being_recorded(const std::filesystem::path& file);

}  // namespace fiberscope::trace
