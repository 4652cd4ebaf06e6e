// Step 5.5: the third stage of the hook: every way to read and to write, the sleeps, poll, connections, the
// environment.
#include <netinet/in.h>
#include <sys/uio.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.5 third: blocking socket, connect, accept, send and recv over TCP") {
    WITHOUT_HOOK_NOTHING
    INFO("each of these calls waits as a task, and to the program its descriptors appear blocking");
    Stand stand(kRealTime);
    std::uint16_t port = 0;
    Log log;
    go_hooked("server", [&] {
        const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = address_of("127.0.0.1", 0);
        socklen_t size = sizeof address;
        ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
        ::listen(listener, 8);
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        for (int i = 0; i < 2; ++i) {
            const int connection =
                i == 0 ? ::accept(listener, nullptr, nullptr) : ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            log.push_back((fcntl(connection, F_GETFL) & O_NONBLOCK) == 0 ? "blocks" : "?");
            char buffer[16];
            const ssize_t n = ::recv(connection, buffer, sizeof buffer, 0);
            ::send(connection, buffer, static_cast<std::size_t>(n), 0);
            ::close(connection);
        }
        ::close(listener);
    });
    go_hooked("client", [&] {
        for (int i = 0; i < 2; ++i) {
            const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
            const sockaddr_in address = address_of("127.0.0.1", port);
            log.push_back(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? "connected"
                                                                                                          : "?");
            ::usleep(1000);
            ::send(fd, "echo", 4, 0);
            log.push_back(read_text(fd));
            ::close(fd);
        }
    });
    CHECK(stand.run() == "");
    std::sort(log.begin(), log.end());
    CHECK(log == Log{"blocks", "blocks", "connected", "connected", "echo", "echo"});
}

TEST_CASE("5.5 third: every way to read and to write") {
    WITHOUT_HOOK_NOTHING
    INFO("each of these calls goes through the same blocking(): try, wait, try again");
    const auto text_of = [](const char* buffer, ssize_t n) {
        return n < 0 ? "error " + std::to_string(errno) : std::string(buffer, static_cast<std::size_t>(n));
    };
    const auto sends = std::vector<void (*)(int, const char*)>{
        [](int fd, const char* text) { static_cast<void>(!::write(fd, text, 4)); },
        [](int fd, const char* text) {
            const iovec parts[2] = {{const_cast<char*>(text), 1}, {const_cast<char*>(text) + 1, 3}};
            static_cast<void>(!::writev(fd, parts, 2));
        },
        [](int fd, const char* text) { ::send(fd, text, 4, 0); },
        [](int fd, const char* text) { ::sendto(fd, text, 4, 0, nullptr, 0); },
        [](int fd, const char* text) {
            iovec parts[2] = {{const_cast<char*>(text), 3}, {const_cast<char*>(text) + 3, 1}};
            msghdr message{};
            message.msg_iov = parts;
            message.msg_iovlen = 2;
            ::sendmsg(fd, &message, 0);
        },
    };
    const auto receives = std::vector<ssize_t (*)(int, char*)>{
        [](int fd, char* buffer) { return ::read(fd, buffer, 64); },
        [](int fd, char* buffer) {
            const iovec parts[2] = {{buffer, 2}, {buffer + 2, 62}};
            return ::readv(fd, parts, 2);
        },
        [](int fd, char* buffer) { return ::recv(fd, buffer, 64, 0); },
        [](int fd, char* buffer) { return ::recvfrom(fd, buffer, 64, 0, nullptr, nullptr); },
        [](int fd, char* buffer) {
            iovec part{buffer, 64};
            msghdr message{};
            message.msg_iov = &part;
            message.msg_iovlen = 1;
            return ::recvmsg(fd, &message, 0);
        },
    };
    Stand stand;
    const Pair pair = blocking_pair();
    for (std::size_t i = 0; i < sends.size(); ++i) {
        CAPTURE(i);
        const int rounds = rounds_of(stand, pair, sends[i], [&](int fd) {
            char buffer[64];
            return text_of(buffer, receives[i](fd, buffer));
        });
        CHECK(rounds == 10);
    }
    const Pair pipe = blocking_pair(Pair::pipe());
    std::string got;
    go_hooked("reader", [&] {
        char buffer[64];
        got = text_of(buffer, receives[1](pipe.a, buffer));
    });
    go_hooked([&] { sends[1](pipe.b, "ping"); }, "writer");
    CHECK(stand.run() == "");
    CHECK(got == "ping");
}

TEST_CASE("5.5 third: sleep, usleep and nanosleep let the others run, and return the remaining time") {
    WITHOUT_HOOK_NOTHING
    INFO("only the task sleeps; a cancelled sleep returns the remaining time, as after a signal");
    Stand stand;
    Log log;
    std::uint64_t times[3] = {};
    unsigned left = 99;
    timespec rest{};
    const Handle sleeper = go_hooked("sleeper", [&] {
        ::sleep(2);
        times[0] = kit::now();
        ::usleep(300'000);
        times[1] = kit::now();
        const timespec brief{0, 5'000'000};
        ::nanosleep(&brief, nullptr);
        times[2] = kit::now();
        left = ::sleep(10);
        const timespec longer{3, 0};
        log.push_back(::nanosleep(&longer, &rest) < 0 && errno == EINTR ? "interrupted" : "?");
    });
    go_hooked("canceller", [&] {
        ::sleep(4);
        lab04::cancel(sleeper);
        ::sleep(1);
        lab04::cancel(sleeper);
    });
    CHECK(stand.run() == "");
    CHECK(times[0] / kMillisecond == 2000);
    CHECK(times[1] / kMillisecond == 2300);
    CHECK(times[2] / kMillisecond == 2305);
    INFO("8.3 of 10 seconds remain");
    CHECK(left == 9);
    CHECK(log == Log{"interrupted"});
    CHECK(rest.tv_sec >= 1);
}

TEST_CASE("5.5 third: poll") {
    WITHOUT_HOOK_NOTHING
    INFO("the hooked poll is io::poll: 0 after its time-out, otherwise the number of ready descriptors");
    Stand stand;
    const Pair pair = blocking_pair();
    Log log;
    go_hooked("polls", [&] {
        pollfd one{pair.a, POLLIN, 0};
        log.push_back(std::to_string(::poll(&one, 1, 5)));
        log.push_back(std::to_string(::poll(&one, 1, -1)));
    });
    go_hooked("writes", [&] {
        ::usleep(20'000);
        static_cast<void>(!::write(pair.b, "x", 1));
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"0", "1"});
}

TEST_CASE("5.5 third: errno survives a switch") {
    WITHOUT_HOOK_NOTHING
    INFO("errno belongs to the thread: save it before a switch and restore it after");
    Stand stand;
    const Pair pair = blocking_pair();
    int slept = -1, after_sleep = 0, after_read = 0;
    go_hooked("careful", [&] {
        errno = ERANGE;
        slept = ::usleep(100);
        after_sleep = errno;
        read_text(pair.a);
        after_read = errno;
    });
    go_hooked("other", [&] {
        errno = EDOM;
        ::usleep(500);
        static_cast<void>(!::write(pair.b, "x", 1));
        errno = EDOM;
    });
    CHECK(stand.run() == "");
    {
        INFO("a sleep that has ended on time or late has no remaining time");
        CHECK(slept == 0);
    }
    CHECK(after_sleep == ERANGE);
    CHECK(after_read == ERANGE);
}

TEST_CASE("5.5 first: closing a descriptor wakes the tasks that wait for it, whichever function closes it") {
    WITHOUT_HOOK_NOTHING
    INFO("close is hooked for all tasks and threads, not only for hooked tasks");
    Stand stand;
    Pair pair = blocking_pair();
    Log log;
    go_hooked([&] { log.push_back(read_text(pair.a)); }, "reader");
    go([&] { ::close(std::exchange(pair.a, -1)); }, "closer, not hooked");
    CHECK(stand.run() == "");
    CHECK(log == Log{"error " + std::string(std::strerror(EBADF))});
}

TEST_CASE("5.5 second: the state of a reused number is looked up again") {
    WITHOUT_HOOK_NOTHING
    INFO("the hook drops its state of a number when the number is closed");
    Stand stand;
    Log log;
    go_hooked("user", [&] {
        Pair mine = Pair::sockets();
        const int fd = mine.a;
        log.push_back(read_text(fd));
        ::close(std::exchange(mine.a, -1));
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || ends[0] != fd) return;
        go_hooked([&] { static_cast<void>(!::write(ends[1], "x", 1)); }, "writer");
        log.push_back(read_text(fd));
        ::close(ends[0]);
        ::close(ends[1]);
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"error " + std::string(std::strerror(EAGAIN)), "x"});
}

TEST_CASE("5.5 first: a broken connection fails with EPIPE, and no signal ends the program") {
    WITHOUT_HOOK_NOTHING
    INFO("SIGPIPE must not reach the program: MSG_NOSIGNAL, or a mask for write");
    signal(SIGPIPE, SIG_DFL);
    Stand stand;
    Pair pair = blocking_pair();
    Log log;
    go_hooked("writer", [&] {
        pair.close_a();
        log.push_back(::write(pair.b, "x", 1) < 0 && errno == EPIPE ? "EPIPE" : "?");
        log.push_back(::send(pair.b, "x", 1, 0) < 0 && errno == EPIPE ? "EPIPE" : "?");
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"EPIPE", "EPIPE"});
}

TEST_CASE("5.5 third: a task may have an environment of its own") {
    WITHOUT_HOOK_NOTHING
    INFO("getenv and setenv search the environment of the HookScope first");
    Stand stand;
    ::setenv("FIBERSCOPE_A", "of the process", 1);
    Log log;
    const auto value = [](const char* name) {
        const char* found = ::getenv(name);
        return std::string(found == nullptr ? "-" : found);
    };
    Environment environment;
    go("own", [&] {
        const HookScope scope(true, &environment);
        log.push_back(value("FIBERSCOPE_A"));
        ::setenv("FIBERSCOPE_A", "mine", 1);
        ::setenv("FIBERSCOPE_A", "not again", 0);
        ::setenv("FIBERSCOPE_B", "mine too", 0);
        lab04::yield();
        log.push_back(value("FIBERSCOPE_A") + ", " + value("FIBERSCOPE_B"));
    });
    go_hooked([&] { log.push_back(value("FIBERSCOPE_A") + ", " + value("FIBERSCOPE_B")); }, "other");
    CHECK(stand.run() == "");
    CHECK(log == Log{"of the process", "of the process, -", "mine, mine too"});
    CHECK(value("FIBERSCOPE_B") == "-");
}
