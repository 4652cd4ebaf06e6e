// What the calls of the table are made on: kinds of descriptors, each in its states.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <termios.h>

#include <string>
#include <vector>

#include "labs/05_epoll_io/tests/support/table.h"

namespace fiberscope::lab05::testing::table {

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
    system_calls().fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    for (std::size_t size = much.size(); size > 0; size /= 2)
        while (system_calls().write(fd, much.data(), size) > 0) {
        }
    system_calls().fcntl(fd, F_SETFL, flags);
}

// ---- files, pipes, and what Linux made a descriptor -----------------------------------------------------------------

inline int file_of(const std::string& text) {
    const int fd = memfd_create("file", MFD_CLOEXEC);
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

// ---- sockets --------------------------------------------------------------------------------------------------------

inline void local(World& w, int type, const std::string& text = "") {
    int ends[2];
    static_cast<void>(!system_calls().socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends));
    w.fd = ends[0];
    w.peer = ends[1];
    if (!text.empty()) put(w.peer, text);
}

/// A socket bound to a port of 127.0.0.1 that the kernel chose.
inline int bound(World& w, int type) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = system_calls().socket(AF_INET, type | SOCK_CLOEXEC, 0);
    bind(fd, reinterpret_cast<const sockaddr*>(&here), sizeof here);
    w.size = sizeof w.address;
    getsockname(fd, reinterpret_cast<sockaddr*>(&w.address), &w.size);
    return fd;
}
inline int inet(int type) { return system_calls().socket(AF_INET, type | SOCK_CLOEXEC, 0); }
/// A port that nobody listens at: it is bound.
inline void refusing(World& w) {
    w.beside = bound(w, SOCK_STREAM);
    w.fd = inet(SOCK_STREAM);
}
inline void listening(World& w) {
    w.beside = bound(w, SOCK_STREAM);
    listen(w.beside, 8);
    w.fd = inet(SOCK_STREAM);
}
inline void listener(World& w) {
    listening(w), std::swap(w.fd, w.beside), system_calls().close(std::exchange(w.beside, -1));
}
inline void connected(World& w) {
    listening(w);
    system_calls().connect(w.fd, w.where(), w.size);
    w.peer = system_calls().accept4(w.beside, nullptr, nullptr, SOCK_CLOEXEC);
    system_calls().close(std::exchange(w.beside, -1));
}
inline void reset_peer(World& w) {
    const linger now{1, 0};
    system_calls().setsockopt(w.peer, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close_peer(w);
}

inline std::vector<Kind> local_sockets() {
    return {
        {"a stream", [](World& w) { local(w, SOCK_STREAM); }},
        {"a stream with bytes", [](World& w) { local(w, SOCK_STREAM, "hello"); }},
        {"a full stream", [](World& w) { local(w, SOCK_STREAM), fill_up(w.fd); }},
        {"a stream whose peer is closed", [](World& w) { local(w, SOCK_STREAM), close_peer(w); }},
        {"a stream with bytes whose peer is closed", [](World& w) { local(w, SOCK_STREAM, "hello"), close_peer(w); }},
        {"a stream whose peer sends no more", [](World& w) { local(w, SOCK_STREAM), shutdown(w.peer, SHUT_WR); }},
        {"a stream that reads no more", [](World& w) { local(w, SOCK_STREAM), shutdown(w.fd, SHUT_RD); }},
        {"a stream that sends no more", [](World& w) { local(w, SOCK_STREAM), shutdown(w.fd, SHUT_WR); }},
        {"a stream that is not connected",
         [](World& w) { w.fd = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }},
        {"local datagrams", [](World& w) { local(w, SOCK_DGRAM); }},
        {"a local datagram", [](World& w) { local(w, SOCK_DGRAM, "hello"); }},
        {"local datagrams, full", [](World& w) { local(w, SOCK_DGRAM), fill_up(w.fd); }},
        {"local messages", [](World& w) { local(w, SOCK_SEQPACKET); }},
        {"a local message", [](World& w) { local(w, SOCK_SEQPACKET, "hello"); }},
        {"local messages whose peer is closed", [](World& w) { local(w, SOCK_SEQPACKET), close_peer(w); }},
    };
}

inline std::vector<Kind> inet_sockets() {
    return {
        {"TCP", [](World& w) { connected(w); }},
        {"TCP with bytes", [](World& w) { connected(w), put(w.peer, "hello"); }},
        {"TCP whose peer is closed", [](World& w) { connected(w), close_peer(w); }},
        {"TCP that was reset", [](World& w) { connected(w), reset_peer(w); }},
        {"TCP that is not connected", [](World& w) { w.fd = inet(SOCK_STREAM); }},
        {"TCP that was refused", [](World& w) { refusing(w), system_calls().connect(w.fd, w.where(), w.size); }},
        {"a listener", [](World& w) { listener(w); }},
        {"a listener with a connection",
         [](World& w) { listener(w), system_calls().connect(w.peer = inet(SOCK_STREAM), w.where(), w.size); }},
        {"UDP", [](World& w) { w.fd = inet(SOCK_DGRAM); }},
        {"UDP with a datagram",
         [](World& w) {
             w.fd = bound(w, SOCK_DGRAM);
             w.peer = inet(SOCK_DGRAM);
             system_calls().connect(w.peer, w.where(), w.size);
             put(w.peer, "hello");
         }},
        {"UDP that was refused",
         [](World& w) {
             system_calls().close(bound(w, SOCK_DGRAM));
             w.fd = inet(SOCK_DGRAM);
             system_calls().connect(w.fd, w.where(), w.size);
             put(w.fd, "x");
         }},
    };
}

// ---- in other ways --------------------------------------------------------------------------------------------------

inline void add_to(std::vector<Kind>& all, const std::vector<Kind>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Those of `kinds` with these names, changed.
inline std::vector<Kind> changed(const std::vector<Kind>& kinds, std::vector<std::string> names, const std::string& how,
                                 const std::function<void(int)>& change) {
    std::vector<Kind> all;
    for (const Kind& kind : kinds)
        for (const std::string& name : names)
            if (kind.name == name) all.push_back({name + ", " + how, [=](World& w) { kind.make(w), change(w.fd); }});
    return all;
}
inline void limit_by(int fd, int option, timeval limit) { ::setsockopt(fd, SOL_SOCKET, option, &limit, sizeof limit); }

inline std::vector<Kind> all_kinds() {
    std::vector<Kind> all = files_and_pipes();
    for (const auto& more : {made_by_linux(), terminals(), local_sockets(), inet_sockets()}) add_to(all, more);
    const std::vector<Kind> plain = all;
    add_to(all, changed(plain,
                        {"a pipe", "a full pipe", "eventfd 0", "a stream", "a full stream", "TCP", "a listener", "UDP"},
                        "O_NONBLOCK", [](int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }));
    const std::pair<const char*, timeval> limits[] = {{"10 ms", {0, 10'000}},
                                                      {"-1 s", {-1, 0}},
                                                      {"-1 µs", {0, -1}},
                                                      {"forever", {std::numeric_limits<time_t>::max(), 0}}};
    for (const auto& [words, limit] : limits)
        add_to(all, changed(plain, {"a stream", "a full stream", "a listener", "UDP", "TCP"}, words,
                            [limit = limit](int fd) {
                                limit_by(fd, SO_RCVTIMEO, limit);
                                limit_by(fd, SO_SNDTIMEO, limit);
                            }));
    return all;
}

}  // namespace fiberscope::lab05::testing::table
