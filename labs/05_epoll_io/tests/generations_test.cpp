// Step 5.5, given: descriptor numbers that are closed behind the poller's back and reused; and descriptors that are
// copies of each other.
#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <thread>

#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

void put(int fd, const char* text) { static_cast<void>(!system_calls().write(fd, text, std::strlen(text))); }

/// A task waits for `fd`, so that it is registered, and gets a byte. Then `close_it` closes it in some way, and `make`
/// creates another pair, whose end has the same number. Returns what the task reads from that one, which comes later.
template <class Close, class Make>
std::string read_of_the_next(Close close_it, Make make) {
    Stand stand;
    Log log;
    int fd = -1, peer = -1;
    go_hooked("reader", [&] {
        Pair pair = blocking_pair();
        fd = std::exchange(pair.a, -1);
        peer = pair.b;
        log.push_back(read_text(fd));
        close_it(fd);
        int ends[2] = {-1, -1};
        if (make(ends) != 0) return;
        log.emplace_back(ends[0] == fd ? "same" : "another number");
        peer = ends[1];
        log.push_back(read_text(ends[0]));
        ::close(ends[0]);
        ::close(ends[1]);
    });
    go("writer", [&] {
        for (const char* text : {"one", "two"}) {
            sleep_for(kMillisecond);
            put(peer, text);
        }
    });
    std::string all = stand.run();
    for (const std::string& entry : log) all += entry + " ";
    return all;
}

int make_sockets(int* ends) { return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }
int make_pipe(int* ends) { return ::pipe(ends); }

}  // namespace

TEST_CASE("5.5 third: a number that was closed unseen and reused is registered again") {
    WITHOUT_HOOK_NOTHING
    INFO("check whether the number is still the same file before you use the stored state");
    const auto by_hand = [](int fd) { syscall(SYS_close, fd); };
    const auto by_another_thread = [](int fd) { std::thread([fd] { ::close(fd); }).join(); };
    const auto by_range = [](int fd) { ::close_range(static_cast<unsigned>(fd), static_cast<unsigned>(fd), 0); };
    const std::string expected = "one same two ";
    CHECK(read_of_the_next(by_hand, make_sockets) == expected);
    CHECK(read_of_the_next(by_hand, make_pipe) == expected);
    CHECK(read_of_the_next(by_another_thread, make_sockets) == expected);
    CHECK(read_of_the_next(by_range, make_sockets) == expected);
}

TEST_CASE("5.5 third: every creation and every close increments the generation of its number") {
    WITHOUT_HOOK_NOTHING
    INFO("every call that creates or closes a descriptor increments the generation of its number");
    Stand stand;
    int ends[2] = {-1, -1}, copy = -1;
    std::uint32_t made = 0, closed = 0, copied = 0;
    go_hooked("user", [&] {
        if (::pipe(ends) != 0) return;
        made = generation(ends[0]);
        ::close(ends[0]);
        closed = generation(ends[0]);
        copy = ::dup(ends[1]);
        copied = generation(copy);
        ::close(copy);
        ::close(ends[1]);
    });
    CHECK(stand.run() == "");
    CHECK(closed > made);
    CHECK(copy == ends[0]);
    CHECK(copied > closed);
    CHECK(generation(-1) == 0);
}

// ---- copies ---------------------------------------------------------------------------------------------------------

namespace {

/// Returns what a task sees of a copy when flags and limits of the original change.
Log seen_of_a_copy(int (*copied)(int fd)) {
    Stand stand;
    Pair pair = blocking_pair();
    Log log;
    go_hooked("user", [&] {
        const int copy = copied(pair.a);
        static_cast<void>(!::write(pair.b, "x", 1));
        log.push_back(read_text(copy));
        ::fcntl(pair.a, F_SETFL, O_NONBLOCK);
        log.push_back(read_text(copy));
        int off = 0;
        ::ioctl(pair.a, FIONBIO, &off);
        limit(pair.a, SO_RCVTIMEO, 3000);
        timeval seen{};
        socklen_t size = sizeof seen;
        ::getsockopt(copy, SOL_SOCKET, SO_RCVTIMEO, &seen, &size);
        log.push_back(seen.tv_usec / 1000 == 3 || seen.tv_usec / 1000 == 4 ? "3 ms" : "?");
        const std::uint64_t before = kit::now();
        log.push_back(read_text(copy));
        log.push_back(kit::now() - before >= 3 * kMillisecond ? "late" : "?");
        ::close(std::exchange(pair.a, -1));
        static_cast<void>(!::write(pair.b, "y", 1));
        log.push_back(read_text(copy));
        ::close(copy);
    });
    log.push_back(stand.run());
    return log;
}

void check_copies(const char* way, int (*copied)(int fd)) {
    INFO(kit::told(message("a copy made by {0} shares the flags and the time limits of the original", way)));
    const std::string again = "error " + std::string(std::strerror(EAGAIN));
    CHECK(seen_of_a_copy(copied) == Log{"x", again, "3 ms", again, "late", "y", ""});
}

constexpr int kCopyAt = 200;

}  // namespace

// One test per way: the hook records that this process has copied, so the first way would hide the others.
TEST_CASE("5.5 second: a copy by dup shares flags and options with the original") {
    WITHOUT_HOOK_NOTHING
    check_copies("dup", [](int fd) { return ::dup(fd); });
}

TEST_CASE("5.5 second: a copy by fcntl with F_DUPFD shares flags and options with the original") {
    WITHOUT_HOOK_NOTHING
    check_copies("fcntl with F_DUPFD", [](int fd) { return ::fcntl(fd, F_DUPFD, kCopyAt); });
}

TEST_CASE("5.5 second: a copy by fcntl with F_DUPFD_CLOEXEC shares flags and options with the original") {
    WITHOUT_HOOK_NOTHING
    check_copies("fcntl with F_DUPFD_CLOEXEC", [](int fd) { return ::fcntl(fd, F_DUPFD_CLOEXEC, kCopyAt); });
}

TEST_CASE("5.5 second: a copy made with dup2 shares flags and options with the original") {
    WITHOUT_HOOK_NOTHING
    check_copies("dup2", [](int fd) { return ::dup2(fd, kCopyAt); });
}

TEST_CASE("5.5 second: a copy by dup3 shares flags and options with the original") {
    WITHOUT_HOOK_NOTHING
    check_copies("dup3", [](int fd) { return ::dup3(fd, kCopyAt, O_CLOEXEC); });
}

TEST_CASE("5.5 first: a task that waits for a number that dup2 replaces is woken") {
    WITHOUT_HOOK_NOTHING
    INFO("dup2 closes its second argument: wake the tasks that wait for it first");
    Stand stand;
    const Pair pair = blocking_pair(), other = blocking_pair();
    std::string got;
    go_hooked([&] { got = read_text(pair.a); }, "reader");
    go_hooked([&] { ::dup2(other.a, pair.a); }, "takes it");
    CHECK(stand.run() == "");
    CHECK(got == "error " + std::string(std::strerror(EBADF)));
}

TEST_CASE("5.2 number 0 is a descriptor like any other: an accept that returns it reports it as new") {
    INFO("the number from socket and accept may have been closed unseen: 0 too");
    Stand stand;
    const LocalListener listener(1);
    const Pair before = Pair::pipe();
    const int client = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(system_calls().connect(client, listener.address(), listener.size()) == 0);
    const int standard = system_calls().dup(0);
    int accepted = -1;
    lab04::Wake woken = lab04::Wake::cancelled;
    go([&] {
        system_calls().dup2(before.a, 0);
        lab04::wait_readable(0, kMicrosecond);
        system_calls().close(0);
        accepted = io::accept(listener.fd(), nullptr, nullptr);
        static_cast<void>(!system_calls().write(client, "x", 1));
        woken = lab04::wait_readable(accepted, kMillisecond);
    });
    const std::string failed = stand.run();
    standard < 0 ? system_calls().close(0) : system_calls().dup2(standard, 0);
    for (const int fd : {client, standard})
        if (fd >= 0) system_calls().close(fd);
    CHECK(failed == "");
    CHECK(accepted == 0);
    CHECK(woken == lab04::Wake::event);
}
