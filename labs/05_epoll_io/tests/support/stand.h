// Shared by the tests of this lab: a scheduler on epoll, and descriptors that close themselves.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "labs/04_scheduler/tests/running.h"
#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

namespace fiberscope::lab05::testing {

using namespace kit::testing;
using lab04::Handle;
using lab04::sleep_for;
using lab04::testing::go;
using lab04::testing::later;
using lab04::testing::Runs;
using Log = std::vector<std::string>;

/// Two ends, closed by the destructor if they are still open.
struct Pair {
    int a = -1, b = -1;

    /// Two connected sockets, or a pipe (read from a, write to b); non-blocking.
    static Pair sockets(int type = SOCK_STREAM) {
        int ends[2];
        if (socketpair(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) fail();
        return Pair(ends);
    }
    static Pair pipe() {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) fail();
        return Pair(ends);
    }
    Pair(Pair&& other) noexcept : a(std::exchange(other.a, -1)), b(std::exchange(other.b, -1)) {}
    Pair& operator=(Pair&&) = delete;
    ~Pair() {
        close_a();
        close_b();
    }
    void close_a() { close_end(a); }
    void close_b() { close_end(b); }
    /// Fills `b`: the next write would block.
    void fill() const {
        const std::string much(65536, 'x');
        while (system_calls().write(b, much.data(), much.size()) > 0) {
        }
    }
    void write(const std::string& text) const {
        INFO("the test itself can write into a pair of its own");
        REQUIRE(system_calls().write(b, text.data(), text.size()) > 0);
    }

  private:
    explicit Pair(const int (&ends)[2]) : a(ends[0]), b(ends[1]) {}
    [[noreturn]] static void fail() { throw std::system_error(errno, std::generic_category(), "cannot make a pair"); }
    static void close_end(int& end) {
        if (end >= 0) system_calls().close(std::exchange(end, -1));
    }
};

inline std::set<int> open_descriptors() {
#ifdef FIBERSCOPE_TSAN
    // ThreadSanitizer keeps two pipes to its symbolizer from the first race that it compares with a suppression, which
    // happens by chance. It is started here, before anything is counted.
    char name[8];
    __sanitizer_symbolize_pc(reinterpret_cast<void*>(&open_descriptors), "%f", name, sizeof name);
#endif
    std::set<int> open;
    for (int fd = 0; fd < 256; ++fd)
        if (fcntl(fd, F_GETFD) >= 0) open.insert(fd);
    return open;
}

/// Sends into a connection whose peer does not read, until the kernel has accepted nothing for a while: the next send
/// would block. For tasks, under the real clock.
inline void fill(int fd) {
    const std::string much(1 << 20, 'x');
    for (int quiet = 0; quiet < 20;) {
        if (system_calls().sendto(fd, much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0) > 0) {
            quiet = 0;
            continue;
        }
        ++quiet;
        sleep_for(kMillisecond);
    }
}

/// Closes a connection with a reset.
template <class Socket>
void reset(Socket& socket) {
    const linger now{1, 0};
    setsockopt(socket.fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket.close();
}

/// A scheduler on epoll, by default in virtual time. Without a clock it uses the current one: the process has only one,
/// which no second thread may restart.
struct Stand : Runs<Stand> {
    explicit Stand(std::optional<kit::ClockKind> clock = kVirtualTime) {
        if (clock) kit::choose_clock(*clock);
    }

    EpollSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};
};

}  // namespace fiberscope::lab05::testing
