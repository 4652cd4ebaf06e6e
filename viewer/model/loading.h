// Reads a file into all that is drawn of it: at once, or on a thread of its own while the window goes on.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "traces/read/notes.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// What of a file shows that it has changed.
struct FileStamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time;
    bool operator==(const FileStamp&) const = default;
};
/// None if the file is not there.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

/// What a file has become.
struct Opened {
    std::string error;  ///< in one sentence why there is nothing to show; empty if there is
    trace::Condition condition = trace::Condition::broken;
    std::unique_ptr<trace::Trace> trace;
    std::unique_ptr<trace::Replay> replay;  ///< null, as the index, if there is nothing to show
    std::unique_ptr<TraceIndex> index;
    trace::Notes notes, chinese_notes;
    std::string notes_error;         ///< why a file of notes cannot be read
    std::optional<FileStamp> stamp;  ///< of the file before it was read
};

/// Never throws for what is in the file; throws trace::Cancelled.
Opened open_trace(const std::filesystem::path& file, trace::Progress* progress = nullptr);
/// The same of a trace that is in memory already.
Opened open_trace(trace::Trace trace, trace::Progress* progress = nullptr);

/// A file that is read on a thread of its own.
class Loading {
  public:
    /// Begins. Without a thread to spare the file is read at once.
    explicit Loading(std::filesystem::path file);
    /// Ends it, finished or not.
    ~Loading();
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

    /// How much is done, from 0 to 1.
    double share() const noexcept { return progress_.share(); }
    /// What the file has become, once it is read; then nothing more.
    std::optional<Opened> take();

  private:
    void run();

    std::filesystem::path file_;
    trace::Progress progress_;
    Opened opened_;  // the thread's until done_
    std::atomic<bool> done_ = false;
    std::thread thread_;
};

}  // namespace fiberscope::viewer
