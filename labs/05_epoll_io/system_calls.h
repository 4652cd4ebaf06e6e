// The C library's own functions, even where functions of the same names hide them (step 5.5), and counters of calls.
#pragma once

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace fiberscope::lab05 {

struct SystemCalls {
    int (*socket)(int, int, int);
    int (*connect)(int, const sockaddr*, socklen_t);
    int (*accept4)(int, sockaddr*, socklen_t*, int);
    ssize_t (*read)(int, void*, size_t);
    ssize_t (*readv)(int, const iovec*, int);
    ssize_t (*preadv2)(int, const iovec*, int, off_t, int);
    ssize_t (*pwritev2)(int, const iovec*, int, off_t, int);
    ssize_t (*recvfrom)(int, void*, size_t, int, sockaddr*, socklen_t*);
    ssize_t (*recvmsg)(int, msghdr*, int);
    ssize_t (*write)(int, const void*, size_t);
    ssize_t (*writev)(int, const iovec*, int);
    ssize_t (*sendto)(int, const void*, size_t, int, const sockaddr*, socklen_t);
    ssize_t (*sendmsg)(int, const msghdr*, int);
    int (*poll)(pollfd*, nfds_t, int);
    int (*close)(int);
    int (*fclose)(FILE*);
    FILE* (*fopen)(const char*, const char*);
    FILE* (*freopen)(const char*, const char*, FILE*);
    FILE* (*popen)(const char*, const char*);
    int (*pclose)(FILE*);
    DIR* (*opendir)(const char*);
    int (*closedir)(DIR*);
    int (*close_range)(unsigned, unsigned, int);
    int (*eventfd)(unsigned, int);
    int (*epoll_create1)(int);
    int (*timerfd_create)(clockid_t, int);
    int (*pipe2)(int*, int);
    int (*socketpair)(int, int, int, int*);
    int (*openat)(int, const char*, int, ...);
    int (*fcntl)(int, int, ...);
    int (*ioctl)(int, unsigned long, ...);
    int (*getsockopt)(int, int, int, void*, socklen_t*);
    int (*setsockopt)(int, int, int, const void*, socklen_t);
    int (*dup)(int);
    int (*dup2)(int, int);
    int (*dup3)(int, int, int);
    unsigned (*sleep)(unsigned);
    int (*usleep)(useconds_t);
    int (*nanosleep)(const timespec*, timespec*);
    char* (*getenv)(const char*);
    int (*setenv)(const char*, const char*, int);
};

/// The functions that dlsym(RTLD_NEXT, …) finds.
const SystemCalls& system_calls() noexcept;

/// System calls made by `Epoller` and the functions of io.h in the calling thread.
struct CallCounts {
    std::uint64_t io = 0;           ///< recv, send, accept and similar
    std::uint64_t would_block = 0;  ///< of these, the calls that returned EAGAIN
    std::uint64_t epoll_ctl = 0;
    std::uint64_t epoll_wait = 0;
    std::uint64_t io_uring_enter = 0;
};
CallCounts& call_counts() noexcept;
/// Totals of this thread and all threads that have ended.
CallCounts all_call_counts();

/// errno of the current thread. Functions, because a compiler may cache the address of errno across a switch, after
/// which a task may continue on another thread.
int last_error() noexcept;
void set_last_error(int error) noexcept;

}  // namespace fiberscope::lab05
