// Reads a file into all that is drawn of it: at once, or meanwhile while the window goes on: on a thread of its own, or
// where there is none to spare, as in a page, in slices between two frames.
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

/// Number (st_ino), size and time of a file. If one of them differs, the file has changed.
struct FileStamp {
    std::uintmax_t number = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const FileStamp&) const = default;
};
/// None if the file is not there.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

/// The result of opening a file.
struct Opened {
    std::string error;  ///< in one sentence why there is nothing to show; empty if there is
    trace::Condition condition = trace::Condition::broken;
    std::unique_ptr<trace::Trace> trace;
    std::unique_ptr<trace::Replay> replay;  ///< null, as the index, if there is nothing to show
    std::unique_ptr<TraceIndex> index;
    std::size_t whole_events = 0;  ///< up to which every machine's part is there
    Lecture lecture, chinese_lecture;
    std::optional<FileStamp> stamp;  ///< of the file before it was read
};

/// The work of opening a file, or a trace that is in memory already, in slices.
class Opening {
  public:
    /// `items`: events that a slice does at most.
    explicit Opening(std::filesystem::path file, std::size_t items = trace::Slices().items());
    explicit Opening(trace::Trace trace);
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;

    /// Does a slice (trace::Reading, trace::Slices); false once all is done. Never throws for what is in the file.
    bool step();
    /// Does all that is left, and returns the result.
    Opened finish();
    /// How much is done, from 0 to 1.
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

/// Opens a file while the window goes on.
class Loading {
  public:
    enum class By { thread, slices };
    /// Begins. If no thread can be started, take() does the work in slices.
    explicit Loading(std::filesystem::path file, By by = By::thread);
    /// Ends it, finished or not.
    ~Loading();
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

    /// How much is done, from 0 to 1.
    double share() const noexcept { return share_.load(std::memory_order_relaxed); }
    /// The result, once, when it is there. Without a thread it first works for some milliseconds.
    std::optional<Opened> take();

  private:
    void run();
    bool step();

    Opening opening_;  // the thread's until done_
    std::atomic<double> share_ = 0;
    std::atomic<bool> done_ = false, cancelled_ = false;
    std::thread thread_;
};

}  // namespace fiberscope::viewer
