// Step 5.5: the hook, calls of several parts: one limit for all of them, and what must not be taken apart or joined.
#include <netinet/in.h>
#include <sys/uio.h>

#include <algorithm>
#include <climits>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// Two ends that block, and another task that does `play` with the second one.
template <class Play, class Task>
std::uint64_t time_of(Pair& pair, Play play, Task task) {
    Stand stand;
    std::uint64_t took = 0;
    go_hooked("has a limit", [&] {
        const std::uint64_t before = kit::now();
        task(pair.a);
        took = kit::now() - before;
        pair.close_a();
    });
    go_hooked([&] { play(pair.b); }, "peer");
    INFO("the run ends when all tasks have ended, none of them by an exception");
    CHECK(stand.run() == "");
    return took;
}

const iovec kTwoParts[2] = {{const_cast<char*>("pi"), 2}, {const_cast<char*>("ng"), 2}};

ssize_t receive_by_message(int fd, char* buffer, std::size_t size, int flags) {
    iovec parts[2] = {{buffer, 2}, {buffer + 2, size - 2}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    return ::recvmsg(fd, &message, flags);
}

}  // namespace

TEST_CASE("5.5 second: a limit is for the whole of a write, however many parts it has") {
    WITHOUT_HOOK_NOTHING
    INFO("the deadline is taken once, before the first part, and what was written is the result");
    record_nothing();
    Pair pair = blocking_pair();
    limit(pair.a, SO_SNDTIMEO, 50'000);
    const std::string much(3'000'000, 'x');
    ssize_t sent = 0;
    const std::uint64_t took = time_of(
        pair,
        [](int fd) {
            char some[20'000];
            for (int i = 0; i < 1000 && ::read(fd, some, sizeof some) > 0; ++i) sleep_for(kMillisecond);
        },
        [&](int fd) { sent = ::write(fd, much.data(), much.size()); });
    CHECK(sent > 0);
    CHECK(sent < static_cast<ssize_t>(much.size()));
    // The kernel rounds a limit up to its own clock, by 10 ms at most.
    CHECK(took >= 50 * kMillisecond);
    CHECK(took < 61 * kMillisecond);
}

TEST_CASE("5.5 second: a limit is for the whole of a read that waits for all, and errno is as it was") {
    WITHOUT_HOOK_NOTHING
    INFO("the deadline is taken once, before the first part; what has come is the result, and no error");
    const auto ways = std::vector<ssize_t (*)(int, char*)>{
        [](int fd, char* buffer) { return ::recv(fd, buffer, 8, MSG_WAITALL); },
        [](int fd, char* buffer) { return receive_by_message(fd, buffer, 8, MSG_WAITALL); },
    };
    for (const auto way : ways) {
        Pair pair = blocking_pair();
        limit(pair.a, SO_RCVTIMEO, 50'000);
        ssize_t got = 0;
        int error = 0;
        const std::uint64_t took = time_of(
            pair,
            [](int fd) {
                for (int i = 0; i < 8; ++i) {
                    sleep_for(40 * kMillisecond);
                    ::send(fd, "x", 1, 0);
                }
            },
            [&](int fd) {
                char buffer[8];
                errno = ERANGE;
                got = way(fd, buffer);
                error = errno;
            });
        CHECK(got == 1);
        CHECK(error == ERANGE);
        CHECK(took >= 50 * kMillisecond);
        CHECK(took < 61 * kMillisecond);
    }
}

TEST_CASE("5.5 third: MSG_WAITALL by recvmsg too, but datagrams are not joined, and a look leaves what it saw") {
    WITHOUT_HOOK_NOTHING
    INFO("MSG_WAITALL repeats on a stream until all is there; not on datagrams, and not with MSG_PEEK");
    Stand stand;
    const Pair stream = blocking_pair(), datagrams = blocking_pair(Pair::sockets(SOCK_DGRAM));
    Log log;
    const auto text = [](const char* buffer, ssize_t n) {
        return std::string(buffer, n < 0 ? 0 : static_cast<std::size_t>(n));
    };
    go_hooked("reader", [&] {
        char buffer[4] = {};
        log.push_back(text(buffer, receive_by_message(stream.a, buffer, 4, MSG_WAITALL)));
        log.push_back(text(buffer, ::recv(datagrams.a, buffer, 4, MSG_WAITALL)));
        log.push_back(text(buffer, receive_by_message(datagrams.a, buffer, 4, MSG_WAITALL)));
        log.push_back(text(buffer, ::recv(stream.a, buffer, 4, MSG_WAITALL | MSG_PEEK)));
        log.push_back(text(buffer, ::recv(stream.a, buffer, 2, 0)));
    });
    go_hooked("writer", [&] {
        for (const char* letter : {"p", "i", "n", "g"}) {
            ::send(stream.b, letter, 1, 0);
            ::send(datagrams.b, letter, 1, 0);
            ::usleep(1000);
        }
        ::send(stream.b, "ab", 2, 0);
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"ping", "p", "i", "ab", "ab"});
}

TEST_CASE("5.5 third: writev is one call and one message, to sockets and to pipes") {
    WITHOUT_HOOK_NOTHING
    for (const int type : {int{SOCK_STREAM}, int{SOCK_SEQPACKET}, int{SOCK_DGRAM}, -1}) {
        INFO("writev sends its parts as one message, by one call: to a " << (type < 0 ? "pipe" : "socket of type ")
                                                                         << (type < 0 ? "" : std::to_string(type)));
        Stand stand;
        const Pair pair = blocking_pair(type < 0 ? Pair::pipe() : Pair::sockets(type));
        std::string got;
        std::uint64_t calls = 99;
        go_hooked([&] { got = read_text(pair.a); }, "reader");
        go_hooked("writer", [&] {
            const std::uint64_t before = call_counts().io;
            if (::writev(pair.b, kTwoParts, 2) == 4) calls = call_counts().io - before;
        });
        CHECK(stand.run() == "");
        CHECK(got == "ping");
        CHECK(calls == 1);
    }
}

TEST_CASE("5.5 third: a writev to a pipe that is larger than what fits goes in pieces, and all of it arrives") {
    WITHOUT_HOOK_NOTHING
    INFO("go on behind what was written, in the middle of a part if need be");
    record_nothing();
    Stand stand;
    const Pair pair = blocking_pair(Pair::pipe());
    std::string much(200'001, ' '), got(much.size(), '?');
    for (std::size_t i = 0; i < much.size(); ++i) much[i] = static_cast<char>('a' + i % 23);
    ssize_t written = 0;
    go_hooked("writer", [&] {
        const iovec parts[3] = {
            {much.data(), PIPE_BUF - 1}, {nullptr, 0}, {much.data() + PIPE_BUF - 1, much.size() - PIPE_BUF + 1}};
        written = ::writev(pair.b, parts, 3);
    });
    go_hooked("reader", [&] {
        for (std::size_t done = 0; done < got.size();) {
            const std::size_t rest = got.size() - done, some = std::min<std::size_t>(rest / 2, 5000);
            const iovec parts[2] = {{got.data() + done, some}, {got.data() + done + some, rest - some}};
            const ssize_t n = ::readv(pair.a, parts, 2);
            if (n <= 0) break;
            done += static_cast<std::size_t>(n);
        }
    });
    CHECK(stand.run() == "");
    CHECK(written == 200'001);
    CHECK((got == much));
}

TEST_CASE("5.5 third: a connect to a local listener whose queue is full waits for room, as long as SO_SNDTIMEO says") {
    WITHOUT_HOOK_NOTHING
    INFO("EAGAIN of a local connect is no connection: wait for room until the limit");
    Stand stand;
    const LocalListener listener(0);
    Log log;
    std::vector<int> ends;
    go_hooked("client", [&] {
        for (int i = 0; i < 3; ++i) {
            ends.push_back(::socket(AF_UNIX, SOCK_STREAM, 0));
            if (i == 1) limit(ends.back(), SO_SNDTIMEO, 20'000);
            const std::uint64_t before = kit::now();
            const int failed = ::connect(ends.back(), listener.address(), listener.size());
            log.push_back(failed == 0 ? "connected" : std::strerror(errno));
            log.push_back(kit::now() - before >= 20 * kMillisecond ? "late" : "soon");
        }
    });
    go_hooked("server", [&] {
        ::usleep(100'000);
        for (int i = 0; i < 2; ++i) ends.push_back(::accept(listener.fd(), nullptr, nullptr));
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"connected", "soon", std::strerror(EAGAIN), "late", "connected", "late"});
    for (const int end : ends) ::close(end);
}

TEST_CASE("5.5 first: a read of no bytes does not wait, and a write of none sends nothing") {
    WITHOUT_HOOK_NOTHING
    Stand stand;
    const Pair pair = blocking_pair(), datagrams = blocking_pair(Pair::sockets(SOCK_DGRAM));
    ssize_t got = -2, written = -2, told = -2;
    char byte;
    go_hooked("reads nothing", [&] {
        got = ::read(pair.a, &byte, 0);
        written = ::write(datagrams.a, "", 0);
        told = ::recv(datagrams.b, &byte, 1, MSG_DONTWAIT);
    });
    INFO("read(fd, p, 0) returns at once: if it waits here, no message will ever end the wait");
    CHECK(stand.run() == "");
    CHECK(got == 0);
    CHECK(written == system_calls().write(datagrams.a, "", 0));
    CHECK(told == system_calls().recvfrom(datagrams.b, &byte, 1, MSG_DONTWAIT, nullptr, nullptr));
}

TEST_CASE("5.5 second: a connection that has died of ETIMEDOUT says so, also where there is a limit") {
    WITHOUT_HOOK_NOTHING
    INFO("an error that the call itself returns is passed on as it is");
    Stand stand;
    const Pair pair = blocking_pair();
    limit(pair.a, SO_RCVTIMEO, 500'000);
    int error = 0;
    go_hooked("reads", [&] {
        hook::blocking({"read", pair.a, Want::read}, []() -> long {
            set_last_error(ETIMEDOUT);
            return -1;
        });
        error = last_error();
    });
    CHECK(stand.run() == "");
    INFO("only the time-out of the limit becomes EAGAIN, which a program takes for 'try again'");
    CHECK(error == ETIMEDOUT);
}

TEST_CASE("5.5 second: what a call says when its limit has passed already is passed on as it is") {
    WITHOUT_HOOK_NOTHING
    INFO("only a wait that the limit has ended becomes EAGAIN: a call that has failed, or succeeded, has its own end");
    Stand stand;
    const Pair pair = blocking_pair();
    limit(pair.a, SO_RCVTIMEO, 500'000);
    int failed = 0, succeeded = 0;
    go_hooked("reads", [&] {
        const auto late = [](int error, long result) -> long {
            kit::work(kSecond);
            set_last_error(error);
            return result;
        };
        hook::blocking({"read", pair.a, Want::read}, [&] { return late(ECONNRESET, -1); });
        failed = last_error();
        hook::blocking({"read", pair.a, Want::read}, [&] { return late(ETIMEDOUT, 1); });
        succeeded = last_error();
    });
    CHECK(stand.run() == "");
    CHECK(failed == ECONNRESET);
    CHECK(succeeded != EAGAIN);
}

namespace {

using Connects = Replaced<&SystemCalls::connect>;

/// The first call begins; the next says how it has ended.
bool has_begun = false;
int has_timed_out(int fd, const sockaddr* address, socklen_t size) {
    if (!std::exchange(has_begun, true)) return Connects::before()(fd, address, size);
    set_last_error(ETIMEDOUT);
    return -1;
}

}  // namespace

TEST_CASE("5.5 third: a connect that the peer has never answered says ETIMEDOUT, and not that it goes on") {
    WITHOUT_HOOK_NOTHING
    INFO("EINPROGRESS is for the limit alone: the error that the connection itself has ended by is passed on as it is");
    Stand stand(kRealTime);
    int result = 0, error = 0;
    go_hooked("client", [&] {
        const Socket listener = Socket::listener(kHere, 0);
        const sockaddr_in address = address_of(kHere, listener.port());
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        hooked_descriptor(fd);
        {
            has_begun = false;
            const Connects timed_out(has_timed_out);
            result = hook::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
            error = last_error();
        }
        ::close(fd);
    });
    CHECK(stand.run() == "");
    CHECK(result == -1);
    CHECK(error == ETIMEDOUT);
}

TEST_CASE("5.5 third: what is left of a sleep that is nearly endless, when it is cancelled") {
    INFO("a sleep that is cancelled returns what is left of it");
    Stand stand;
    std::uint64_t left = 0;
    int error = 0;
    const Handle sleeper = later(kMillisecond, "sleeper", [&] {
        set_last_error(ERANGE);
        left = hook::sleep(kNever - 1000);
        error = last_error();
    });
    later(2 * kMillisecond, "cancels", [&] {
        set_last_error(EIO);
        lab04::cancel(sleeper);
    });
    CHECK(stand.run() == "");
    INFO("now plus the time must not run over the largest number (deadline_after)");
    CHECK(left > kSecond);
    INFO("errno is the thread's: put it back after a switch");
    CHECK(error == ERANGE);
}

TEST_CASE("5.5 third: connect of a descriptor that the program made non-blocking is the kernel's own") {
    WITHOUT_HOOK_NOTHING
    INFO("what the program made non-blocking does not wait");
    Stand stand;
    const LocalListener listener(0);
    Log log;
    go_hooked("client", [&] {
        std::vector<int> ends;
        for (int i = 0; i < 2; ++i) {
            ends.push_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            const int result = ::connect(ends.back(), listener.address(), listener.size());
            log.push_back(std::to_string(result) + (result < 0 ? std::string(" ") + std::strerror(errno) : ""));
        }
        for (const int fd : ends) ::close(fd);
    });
    CHECK(stand.run() == "");
    INFO("the queue is full: -1 with EAGAIN, and no wait");
    CHECK(log == Log{"0", std::string("-1 ") + std::strerror(EAGAIN)});
}
