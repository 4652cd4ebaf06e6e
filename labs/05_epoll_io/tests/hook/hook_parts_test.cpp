// Step 5.5: calls of several parts under the hook: one limit for all of them, and parts that must not be split or
// joined.
#include <netinet/in.h>

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

/// Two blocking ends, and another task that does `play` with the second one.
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
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(stand.run() == "");
    return took;
}

}  // namespace

TEST_CASE("5.5 second: a limit covers the whole write, however many parts it has") {
    WITHOUT_HOOK_NOTHING
    INFO("compute the deadline once, before the first part, and return the number of bytes written");
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
    // The kernel rounds a time limit up to its own clock tick, by at most 10 ms.
    CHECK(took >= 50 * kMillisecond);
    CHECK(took < 61 * kMillisecond);
}

TEST_CASE("5.5 first: a read of 0 bytes does not wait, and a write of 0 bytes sends nothing") {
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
    INFO("read(fd, p, 0) returns at once: if it waited here, no message would end the wait");
    CHECK(stand.run() == "");
    CHECK(got == 0);
    CHECK(written == system_calls().write(datagrams.a, "", 0));
    CHECK(told == system_calls().recvfrom(datagrams.b, &byte, 1, MSG_DONTWAIT, nullptr, nullptr));
}

TEST_CASE("5.5 second: a connection that has failed with ETIMEDOUT reports it, even with a limit") {
    WITHOUT_HOOK_NOTHING
    INFO("pass on an error of the call itself unchanged");
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
    INFO("only the time-out of the limit becomes EAGAIN, which a program reads as 'try again'");
    CHECK(error == ETIMEDOUT);
}

TEST_CASE("5.5 second: if its limit has already passed, a call still returns its own result") {
    WITHOUT_HOOK_NOTHING
    INFO(
        "only a wait that the limit has ended becomes EAGAIN: a call that has failed, or succeeded, has its own "
        "result");
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

/// The first call starts it; the next returns its result.
bool has_begun = false;
int has_timed_out(int fd, const sockaddr* address, socklen_t size) {
    if (!std::exchange(has_begun, true)) return Connects::before()(fd, address, size);
    set_last_error(ETIMEDOUT);
    return -1;
}

}  // namespace

TEST_CASE("5.5 third: a connect that the peer never answers fails with ETIMEDOUT, not with EINPROGRESS") {
    WITHOUT_HOOK_NOTHING
    INFO("EINPROGRESS is for the limit alone: pass on the error of the connection itself unchanged");
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

TEST_CASE("5.5 third: the remaining time of a very long sleep that is cancelled") {
    INFO("a cancelled sleep returns its remaining time");
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
    INFO("now plus the duration must not overflow (deadline_after)");
    CHECK(left > kSecond);
    INFO("errno belongs to the thread: restore it after a switch");
    CHECK(error == ERANGE);
}

TEST_CASE("5.5 third: connect on a descriptor that the program made non-blocking is the kernel's own") {
    WITHOUT_HOOK_NOTHING
    INFO("a descriptor that the program made non-blocking does not wait");
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
