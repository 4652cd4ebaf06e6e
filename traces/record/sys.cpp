#include "traces/record/sys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace fiberscope::trace::detail::sys {
namespace {

constexpr int kFirstDescriptor = 400;

}  // namespace

int open_for_appending(const char* path) noexcept {
    const auto fd =
        static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (fd < 0) return -1;
    const auto moved = static_cast<int>(::syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstDescriptor));
    if (moved < 0) return fd;
    close(fd);
    return moved;
}

bool lock(int fd) noexcept {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return ::syscall(SYS_fcntl, fd, F_OFD_SETLK, &whole) == 0;
}

bool is_regular(int fd) noexcept {
    struct stat status {};
    return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

std::uint64_t inode(int fd) noexcept {
    struct stat status {};
    return ::fstat(fd, &status) == 0 ? status.st_ino : 0;
}

bool write_all(int fd, const char* bytes, std::size_t size) noexcept {
    while (size > 0) {
        const long n = ::syscall(SYS_write, fd, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

std::int64_t size(int fd) noexcept {
    struct stat status {};
    return ::fstat(fd, &status) == 0 ? static_cast<std::int64_t>(status.st_size) : -1;
}

bool truncate(int fd, std::uint64_t size) noexcept {
    return ::syscall(SYS_ftruncate, fd, static_cast<long>(size)) == 0;
}

void close(int fd) noexcept { ::syscall(SYS_close, fd); }

void sleep_ns(long ns) noexcept {
    const timespec duration{0, ns};
    ::syscall(SYS_nanosleep, &duration, nullptr);
}

std::uint32_t thread_id() noexcept { return static_cast<std::uint32_t>(::syscall(SYS_gettid)); }

bool is_mapped(std::uintptr_t address) noexcept {
    unsigned char resident = 0;
    const auto page = static_cast<std::uintptr_t>(::getpagesize());
    return ::syscall(SYS_mincore, address & ~(page - 1), std::size_t{1}, &resident) == 0;
}

}  // namespace fiberscope::trace::detail::sys
