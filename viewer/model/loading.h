// Reads a file and builds all data for drawing, synchronously or in the background: on a thread, or, where threads are
// unavailable (in the browser), in slices between frames.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "traces/read/reader.h"
#include "viewer/layout/base/index.h"
#include "viewer/model/lecture/lecture.h"

namespace fiberscope::viewer {

/// Inode number, size and time of a file. If any of them differs, the file has changed.
struct FileStamp {
    std::uintmax_t number = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const FileStamp&) const = default;
};
/// None if the file does not exist.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

/// The result of opening a file.
struct Opened {
    std::string error;  ///< why there is nothing to show, in one sentence; else empty
    trace::Condition condition = trace::Condition::broken;
    std::unique_ptr<trace::Trace> trace;
    std::unique_ptr<trace::Replay> replay;  ///< null if there is nothing to show, as the index
    std::unique_ptr<TraceIndex> index;
    std::size_t whole_events = 0;  ///< up to which the parts of all machines are complete
    Lecture lecture, chinese_lecture;
    std::optional<FileStamp> stamp;  ///< of the file before it was read
};

/// Opens a file, or a trace in memory, in slices.
class Opening {
  public:
    /// `items`: maximum number of events per slice.
    explicit Opening(std::filesystem::path file, std::size_t items = trace::Slices().items());
    explicit Opening(trace::Trace trace);
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;

    /// Processes a slice (trace::Reading, trace::Slices); false once all is done. Does not throw for invalid content.
    bool step();
    /// Processes all remaining slices and returns the result.
    Opened finish();
    /// Progress, from 0 to 1.
    double share() const noexcept { return slices_.share(); }
    /// The result, once step() has returned false.
    Opened take() { return std::move(opened_); }

  private:
    void begin_file();
    double read_slice();
    void take_trace(trace::Trace trace);
    void fail(std::string why, trace::Condition condition);

    std::filesystem::path file_;
    std::optional<trace::Reading> reading_;
    trace::Slices slices_;
    Opened opened_;
};

/// Opens a file in the background.
class Loading {
  public:
    enum class By { thread, slices };
    /// Starts. If no thread can be created, take() works in slices.
    explicit Loading(std::filesystem::path file, By by = By::thread);
    /// Cancels the work if it has not finished.
    ~Loading();
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

    /// Progress, from 0 to 1.
    double share() const noexcept { return share_.load(std::memory_order_relaxed); }
    /// The result, once, when available. Without a thread, first works for some milliseconds.
    std::optional<Opened> take();

  private:
    void run();
    bool step();

    Opening opening_;  // owned by the thread until done_
    std::atomic<double> share_ = 0;
    std::atomic<bool> done_ = false, cancelled_ = false;
    std::thread thread_;
};

}  // namespace fiberscope::viewer
