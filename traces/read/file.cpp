// Trace files: whether a recorder is writing them, and the usable part of incomplete ones.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "languages/message.h"
#include "traces/read/document_reader.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"

namespace fiberscope::trace {
namespace {

/// The system's own explanation.
[[maybe_unused]] constexpr Text kReasons[] = {mark("No such file or directory", "errno"),
                                              mark("Permission denied", "errno")};

}  // namespace

Reading::Reading(std::filesystem::path file, std::size_t items) : file_(std::move(file)), items_(items) {}
Reading::~Reading() = default;

void Reading::begin() {
    std::error_code error;
    if (std::filesystem::is_directory(file_, error))
        throw ReadError(message("{0} is a directory: name a trace file.", printable(file_.string())));
    recorded_ = is_being_recorded(file_);
    in_ = std::ifstream(file_, std::ios::binary);
    if (!in_)
        throw ReadError(
            message("cannot open {0}: {1}.", printable(file_.string()), Text(std::strerror(errno), "errno")));
    const auto size = std::filesystem::file_size(file_, error);
    document_ = std::make_unique<DocumentReader>(in_, file_.string(), error ? 0 : size, recorded_, items_);
}

// The file's condition changes if a recorder begins or ends while it is read.
bool Reading::begin_again() {
    constexpr int kAttempts = 3;
    if (recorded_ == is_being_recorded(file_) || ++attempts_ > kAttempts) return false;
    document_.reset();
    return true;
}

bool Reading::step() {
    if (!document_) begin();
    try {
        if (document_->step()) return true;
    } catch (const ReadError&) {
        if (!begin_again()) throw;
        return true;
    }
    trace_ = document_->take();
    return !trace_.complete && begin_again();
}

double Reading::share() const noexcept { return document_ ? document_->share() : 0; }

Trace Reading::take() {
    trace_.file = file_;
    return std::move(trace_);
}

Trace read(const std::filesystem::path& file) {
    Reading reading(file);
    while (reading.step()) {
    }
    return reading.take();
}

Trace read(std::istream& in, const std::string& name) {
    DocumentReader document(in, name, 0, false, SIZE_MAX);
    while (document.step()) {
    }
    Trace trace = document.take();
    trace.file = name;
    return trace;
}

bool is_being_recorded(const std::filesystem::path& file) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    struct flock lock {};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    const bool held = ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
    ::close(fd);
    return held;
}

Trace read_events_of(const std::filesystem::path& file) {
    Trace trace = read(file);
    require_events(trace);
    return trace;
}

void require_events(const Trace& trace) {
    if (trace.size() != 0) return;
    if (trace.condition == Condition::whole)
        throw ReadError(nothing_read(printable(trace.file.string()), message("the file is empty: it has no events")),
                        Condition::empty);
    throw ReadError(nothing_read(printable(trace.file.string()), trace.missing), trace.condition);
}

}  // namespace fiberscope::trace
