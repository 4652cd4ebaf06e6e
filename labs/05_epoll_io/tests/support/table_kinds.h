// What the calls of the table are made on: kinds of descriptors, each in its states.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <termios.h>

#include <cstdio>
#include <string>
#include <vector>

#include "labs/05_epoll_io/tests/support/table.h"

namespace fiberscope::lab05::testing::table {

/// A null pointer, that no compiler sees.
inline void* nowhere() {
    static void* volatile none = nullptr;
    return none;
}

struct Kind {
    std::string name;
    Make make;
};

inline void put(int fd, const std::string& text) {
    static_cast<void>(!system_calls().write(fd, text.data(), text.size()));
}

/// Until the next write would wait; blocks afterwards as before.
inline void fill_up(int fd) {
    const std::string much(65536, 'x');
    const int flags = system_calls().fcntl(fd, F_GETFL);
    ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    for (std::size_t size = much.size(); size > 0; size /= 2)
        while (system_calls().write(fd, much.data(), size) > 0) {
        }
    ::fcntl(fd, F_SETFL, flags);
}

// ---- files, pipes, and what Linux made a descriptor -----------------------------------------------------------------

inline int file_of(const std::string& text) {
    const int fd = ::fileno(std::tmpfile());
    put(fd, text);
    lseek(fd, 0, SEEK_SET);
    return fd;
}
inline void pipe_read(World& w, const std::string& text) {
    int ends[2];
    static_cast<void>(!system_calls().pipe2(ends, O_CLOEXEC));
    w.fd = ends[0];
    w.peer = ends[1];
    if (!text.empty()) put(w.peer, text);
}
inline void pipe_write(World& w) {
    pipe_read(w, "");
    std::swap(w.fd, w.peer);
}
inline void close_peer(World& w) { system_calls().close(std::exchange(w.peer, -1)); }

inline std::vector<Kind> files_and_pipes() {
    return {
        {"a closed number", [](World& w) { w.fd = 9000; }},
        {"-1", [](World&) {}},
        {"a file", [](World& w) { w.fd = file_of("0123456789"), lseek(w.fd, 3, SEEK_SET); }},
        {"a file at its end", [](World& w) { w.fd = file_of("0123456789"), lseek(w.fd, 0, SEEK_END); }},
        {"a file to append to",
         [](World& w) { w.fd = file_of("0123"), system_calls().fcntl(w.fd, F_SETFL, O_APPEND); }},
        {"a directory", [](World& w) { w.fd = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC); }},
        {"/dev/null", [](World& w) { w.fd = ::open("/dev/null", O_RDWR | O_CLOEXEC); }},
        {"/dev/full", [](World& w) { w.fd = ::open("/dev/full", O_RDWR | O_CLOEXEC); }},
        {"O_PATH", [](World& w) { w.fd = ::open("/dev/null", O_PATH | O_CLOEXEC); }},
        {"a pipe", [](World& w) { pipe_read(w, ""); }},
        {"a pipe with bytes", [](World& w) { pipe_read(w, "hello"); }},
        {"a pipe without a writer", [](World& w) { pipe_read(w, ""), close_peer(w); }},
        {"a pipe with bytes without a writer", [](World& w) { pipe_read(w, "hello"), close_peer(w); }},
        {"a pipe's writing end", [](World& w) { pipe_write(w); }},
        {"a full pipe", [](World& w) { pipe_write(w), fill_up(w.fd); }},
        {"a pipe without a reader", [](World& w) { pipe_write(w), close_peer(w); }},
    };
}

inline std::vector<Kind> made_by_linux() {
    return {
        {"eventfd 0", [](World& w) { w.fd = eventfd(0, EFD_CLOEXEC); }},
        {"eventfd 5", [](World& w) { w.fd = eventfd(5, EFD_CLOEXEC); }},
        {"eventfd semaphore", [](World& w) { w.fd = eventfd(3, EFD_CLOEXEC | EFD_SEMAPHORE); }},
        {"eventfd full",
         [](World& w) {
             const std::uint64_t most = ~std::uint64_t{1};
             w.fd = eventfd(0, EFD_CLOEXEC);
             put(w.fd, {reinterpret_cast<const char*>(&most), sizeof most});
         }},
        {"timerfd", [](World& w) { w.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }},
        {"timerfd expired",
         [](World& w) {
             const itimerspec at{{0, 0}, {0, 1}};
             w.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
             timerfd_settime(w.fd, 0, &at, nullptr);
         }},
        {"epoll", [](World& w) { w.fd = epoll_create1(EPOLL_CLOEXEC); }},
        {"epoll with an event",
         [](World& w) {
             epoll_event event{EPOLLOUT, {}};
             w.fd = epoll_create1(EPOLL_CLOEXEC);
             w.beside = eventfd(0, EFD_CLOEXEC);
             epoll_ctl(w.fd, EPOLL_CTL_ADD, w.beside, &event);
         }},
        {"signalfd",
         [](World& w) {
             sigset_t set;
             sigemptyset(&set);
             sigaddset(&set, SIGUSR2);
             w.fd = signalfd(-1, &set, SFD_CLOEXEC);
         }},
        {"inotify", [](World& w) { w.fd = inotify_init1(IN_CLOEXEC); }},
        {"pidfd", [](World& w) { w.fd = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)); }},
    };
}

// ---- terminals ------------------------------------------------------------------------------------------------------

inline void terminal(World& w, bool impatient = false) {
    w.peer = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    char name[64] = {};
    if (grantpt(w.peer) != 0 || unlockpt(w.peer) != 0 || ptsname_r(w.peer, name, sizeof name) != 0) return;
    w.fd = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    termios how{};
    tcgetattr(w.fd, &how);
    how.c_lflag &= ~static_cast<tcflag_t>(ECHO | (impatient ? ICANON : 0));
    if (impatient) how.c_cc[VMIN] = how.c_cc[VTIME] = 0;
    tcsetattr(w.fd, TCSANOW, &how);
}

inline std::vector<Kind> terminals() {
    return {
        {"a terminal", [](World& w) { terminal(w); }},
        {"a terminal with a line", [](World& w) { terminal(w), put(w.peer, "hi\n"); }},
        {"a terminal that does not wait", [](World& w) { terminal(w, true); }},
        {"a terminal's master", [](World& w) { terminal(w), std::swap(w.fd, w.peer); }},
    };
}

}  // namespace fiberscope::lab05::testing::table
