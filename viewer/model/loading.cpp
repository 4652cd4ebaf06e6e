#include "viewer/model/loading.h"

#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

#include "languages/spoken_error.h"
#include "traces/check/checker.h"
#include "traces/read/printable.h"

namespace fiberscope::viewer {
namespace {

/// Shares of the progress for reading, replaying and indexing.
constexpr double kReading = 0.55, kReplaying = 0.35, kIndexing = 0.1;
/// Time of work per frame without a thread.
constexpr std::chrono::milliseconds kBetweenFrames(12);

/// Why a trace cannot be read from `file`; empty if it can. Reading a FIFO or a device might block forever.
std::string no_regular_file(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (error || !std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return {};
    return message(std::filesystem::is_directory(status)
                       ? mark("{0} is a directory; expected a trace file.", "loading")
                       : mark("{0} is not a regular file; expected a trace file.", "loading"),
                   trace::printable(file.string()));
}

/// Returns memory that was needed only while reading to the system.
void give_back_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
    struct stat now {};
    if (::stat(file.c_str(), &now) != 0) return std::nullopt;
    return FileStamp{static_cast<std::uintmax_t>(now.st_ino), static_cast<std::uintmax_t>(now.st_size),
                     now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
}

Opening::Opening(std::filesystem::path file, std::size_t items) : file_(std::move(file)), slices_(items) {
    slices_.add_once([this] { begin_file(); });
}

Opening::Opening(trace::Trace trace) {
    try {
        take_trace(std::move(trace));
    } catch (const trace::ReadError& error) {
        fail(error.message(), error.condition());
    }
}

void Opening::fail(std::string why, trace::Condition condition) {
    opened_.error = std::move(why);
    opened_.condition = condition;
    slices_ = trace::Slices();
}

void Opening::begin_file() {
    if (std::string why = no_regular_file(file_); !why.empty()) {
        opened_.error = std::move(why);
        return;
    }
    opened_.stamp = stamp_of(file_);
    opened_.lecture = Lecture(file_, {});
    opened_.chinese_lecture = Lecture(file_, "zh");
    reading_.emplace(file_, slices_.items());
    slices_.add(kReading, [this] { return read_slice(); });
}

double Opening::read_slice() {
    constexpr double kNearlyAll = 0.999;
    if (reading_->step()) return std::min(kNearlyAll, reading_->share());
    take_trace(reading_->take());
    reading_.reset();
    return 1;
}

void Opening::take_trace(trace::Trace trace) {
    opened_.condition = trace.condition;
    opened_.trace = std::make_unique<trace::Trace>(std::move(trace));
    require_events(*opened_.trace);
    opened_.replay = std::make_unique<trace::Replay>(*opened_.trace, slices_, kReplaying);
    opened_.index = std::make_unique<TraceIndex>(*opened_.trace, slices_, kIndexing);
    slices_.add_once([this] {
        opened_.whole_events = trace::judged_events(*opened_.trace);
        give_back_memory();
    });
}

bool Opening::step() {
    try {
        return slices_.step();
    } catch (const trace::ReadError& error) {
        fail(error.message(), error.condition());
    } catch (const std::exception& error) {
        fail(message(mark("cannot read {0}: {1}", "loading"), trace::printable(file_.string()),
                     Value::of(message_of(error))),
             trace::Condition::broken);
    }
    return false;
}

Opened Opening::finish() {
    while (step()) {
    }
    return take();
}

Loading::Loading(std::filesystem::path file, By by) : opening_(std::move(file)) {
    if (by == By::thread) try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {  // take() then works in slices
        }
}

Loading::~Loading() {
    cancelled_.store(true, std::memory_order_relaxed);
    if (thread_.joinable()) thread_.join();
}

bool Loading::step() {
    const bool more = opening_.step();
    share_.store(opening_.share(), std::memory_order_relaxed);
    if (!more) done_.store(true, std::memory_order_release);
    return more;
}

void Loading::run() {
    while (!cancelled_.load(std::memory_order_relaxed) && step()) {
    }
}

std::optional<Opened> Loading::take() {
    if (!thread_.joinable() && !cancelled_) {
        const auto end = std::chrono::steady_clock::now() + kBetweenFrames;
        while (std::chrono::steady_clock::now() < end && step()) {
        }
    }
    if (!done_.exchange(false, std::memory_order_acquire)) return std::nullopt;
    cancelled_ = true;  // nothing is left to do
    return opening_.take();
}

}  // namespace fiberscope::viewer
