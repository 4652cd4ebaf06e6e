// Files of traces: whether a recorder is writing them, and what is left of those that are not whole.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "languages/say.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"

namespace fiberscope::trace {
namespace {

/// What the system says most.
[[maybe_unused]] constexpr Text kReasons[] = {mark("No such file or directory", "errno"),
                                              mark("Permission denied", "errno")};

Trace read_once(const std::filesystem::path& file, bool recorded, Progress* progress) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw ReadError(in_english("cannot open {0:file}: {1:errno}.", printable(file.string()),
                                   std::error_code(errno, std::generic_category()).message()));
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    return read(in, file.string(), error ? 0 : size, progress, recorded);
}

}  // namespace

Trace read(const std::filesystem::path& file, Progress* progress) {
    constexpr int kAttempts = 3;
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw ReadError(in_english("{0:file} is a directory: name a trace file.", printable(file.string())));
    // A recorder that begins or ends while the file is read leaves it in another condition than it was read in.
    for (int attempt = 0;; ++attempt) {
        const bool before = is_being_recorded(file);
        try {
            Trace trace = read_once(file, before, progress);
            if (trace.complete || before == is_being_recorded(file) || attempt == kAttempts) return trace;
        } catch (const ReadError&) {
            if (before == is_being_recorded(file) || attempt == kAttempts) throw;
        }
    }
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

Trace read_events_of(const std::filesystem::path& file, Progress* progress) {
    Trace trace = read(file, progress);
    require_events(trace);
    return trace;
}

void require_events(const Trace& trace) {
    if (trace.size() != 0) return;
    if (trace.condition == Condition::whole)
        throw ReadError(nothing_read(printable(trace.file.string()), in_english("the file is empty: it has no events")),
                        Condition::empty);
    throw ReadError(nothing_read(printable(trace.file.string()), trace.missing), trace.condition);
}

}  // namespace fiberscope::trace
