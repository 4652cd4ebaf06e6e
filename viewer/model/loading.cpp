#include "viewer/model/loading.h"

#include <malloc.h>

#include <exception>
#include <system_error>
#include <utility>

#include "languages/say.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"

namespace fiberscope::viewer {
namespace {

/// How much of the time goes by until the file is read, and until it is replayed.
constexpr double kRead = 0.55, kReplayed = 0.95;

/// Why `file` is nothing to read a trace from; empty if it is. Reading a FIFO or a device might never end.
std::string no_regular_file(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (error || !std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return {};
    return in_english(std::filesystem::is_directory(status)
                          ? mark("{0:file} is a directory; give the file of a trace.", "loading")
                          : mark("{0:file} is no regular file; give the file of a trace.", "loading"),
                      trace::printable(file.string()));
}

/// What was only needed while the file was read goes back to the system.
void give_back_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void read_notes_beside(const std::filesystem::path& file, Opened& out) {
    try {
        if (const auto beside = trace::notes_file(file); !beside.empty()) out.notes = trace::read_notes(beside);
        if (const auto beside = trace::notes_file(file, "zh"); !beside.empty())
            out.chinese_notes = trace::read_notes(beside);
    } catch (const trace::ReadError& error) {
        out.notes_error = error.what();
    }
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
    std::error_code size_error, time_error;
    const auto size = std::filesystem::file_size(file, size_error);
    const auto time = std::filesystem::last_write_time(file, time_error);
    if (size_error || time_error) return std::nullopt;
    return FileStamp{size, time};
}

Opened open_trace(trace::Trace trace, trace::Progress* progress) {
    Opened out;
    out.condition = trace.condition;
    trace.number_namesakes();
    out.trace = std::make_unique<trace::Trace>(std::move(trace));
    try {
        require_events(*out.trace);
    } catch (const trace::ReadError& error) {
        out.error = error.what();
        out.condition = error.condition();
        return out;
    }
    if (progress != nullptr) progress->begin(kRead, kReplayed);
    out.replay = std::make_unique<trace::Replay>(*out.trace, progress);
    if (progress != nullptr) progress->tell(1);
    out.index = std::make_unique<TraceIndex>(*out.trace, *out.replay);
    return out;
}

Opened open_trace(const std::filesystem::path& file, trace::Progress* progress) {
    Opened out;
    out.error = no_regular_file(file);
    if (!out.error.empty()) return out;
    const std::optional<FileStamp> stamp = stamp_of(file);
    if (progress != nullptr) progress->begin(0, kRead);
    try {
        out = open_trace(trace::read(file, progress), progress);
    } catch (const trace::ReadError& error) {
        out.error = error.what();
        out.condition = error.condition();
    } catch (const std::exception& error) {
        out.error =
            in_english(mark("{0:file}: cannot be read: {1}", "loading"), trace::printable(file.string()), error.what());
    }
    out.stamp = stamp;
    read_notes_beside(file, out);
    give_back_memory();
    return out;
}

Loading::Loading(std::filesystem::path file) : file_(std::move(file)) {
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        run();
    }
}

Loading::~Loading() {
    progress_.cancel();
    if (thread_.joinable()) thread_.join();
}

void Loading::run() {
    try {
        opened_ = open_trace(file_, &progress_);
        done_.store(true, std::memory_order_release);
    } catch (const trace::Cancelled&) {  // its result is not wanted any more
    }
}

std::optional<Opened> Loading::take() {
    if (!done_.exchange(false, std::memory_order_acquire)) return std::nullopt;
    return std::move(opened_);
}

}  // namespace fiberscope::viewer
