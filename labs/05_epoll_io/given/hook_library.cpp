// The C library's names, as in hook_names.cpp: those that make or close a descriptor within the C library, where no
// `open` or `close` of this program is called.
#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_that_work_within_the_library() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <dirent.h>
#include <linux/close_range.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

namespace {

/// No descriptor of this process has this number or a larger one. Its limit (RLIMIT_NOFILE) says less: it may have been
/// lowered since.
int room_for_descriptors() {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word && word != "FDSize:";) {
    }
    int room = 0;
    return in >> room ? room : getdtablesize();
}

}  // namespace

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names

extern "C" {

// ---- made -----------------------------------------------------------------------------------------------------------

int eventfd(unsigned value, int flags) noexcept { return as_unknown(system_calls().eventfd(value, flags)); }
int epoll_create1(int flags) noexcept { return as_unknown(system_calls().epoll_create1(flags)); }
int timerfd_create(clockid_t clock, int flags) noexcept {
    return as_unknown(system_calls().timerfd_create(clock, flags));
}
std::FILE* fopen(const char* path, const char* mode) {
    std::FILE* const stream = system_calls().fopen(path, mode);
    if (stream != nullptr) as_unknown(fileno(stream));
    return stream;
}
/// The name under which programs with 64-bit file offsets call it.
std::FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

std::FILE* freopen(const char* path, const char* mode, std::FILE* stream) {
    const int error_before = last_error();
    as_new(fileno(stream));
    set_last_error(error_before);
    std::FILE* const again = system_calls().freopen(path, mode, stream);
    if (again != nullptr) as_unknown(fileno(again));
    return again;
}
/// The name under which programs with 64-bit file offsets call it.
std::FILE* freopen64(const char* path, const char* mode, std::FILE* stream) __attribute__((alias("freopen")));

std::FILE* popen(const char* command, const char* mode) {
    std::FILE* const stream = system_calls().popen(command, mode);
    if (stream != nullptr) as_unknown(fileno(stream));
    return stream;
}

DIR* opendir(const char* path) {
    DIR* const directory = system_calls().opendir(path);
    if (directory != nullptr) as_unknown(dirfd(directory));
    return directory;
}

/// A child with its parent's memory would write into the parent's tables.
pid_t vfork() noexcept { return fork(); }

// ---- closed ---------------------------------------------------------------------------------------------------------

int fclose(std::FILE* stream) {
    const int error_before = last_error();
    as_new(fileno(stream));
    set_last_error(error_before);
    return system_calls().fclose(stream);
}
int pclose(std::FILE* stream) {
    as_new(fileno(stream));
    return system_calls().pclose(stream);
}
int closedir(DIR* directory) {
    as_new(dirfd(directory));
    return system_calls().closedir(directory);
}
int close_range(unsigned first, unsigned last, int flags) noexcept {
    if ((static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) == 0) {
        const long end = std::min(static_cast<long>(last) + 1, static_cast<long>(room_for_descriptors()));
        for (long fd = first; fd < end; ++fd) as_new(static_cast<int>(fd));
    }
    return system_calls().close_range(first, last, flags);
}

}  // extern "C"

#endif
