// Step 5.5, given: numbers of descriptors that are closed where no poller sees it, and given out anew; and descriptors
// that are copies of each other.
#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <algorithm>
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
/// makes another pair, whose end has the same number. What the task reads of that one, which comes later.
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

TEST_CASE("5.5 third: a number that was closed unseen and given out anew is registered anew") {
    WITHOUT_HOOK_NOTHING
    INFO("ask whether the number is still the same file before you trust what you remember of it");
    const auto by_hand = [](int fd) { syscall(SYS_close, fd); };
    const auto by_another_thread = [](int fd) { std::thread([fd] { ::close(fd); }).join(); };
    const auto by_range = [](int fd) { ::close_range(static_cast<unsigned>(fd), static_cast<unsigned>(fd), 0); };
    const std::string expected = "one same two ";
    CHECK(read_of_the_next(by_hand, make_sockets) == expected);
    CHECK(read_of_the_next(by_hand, make_pipe) == expected);
    CHECK(read_of_the_next(by_another_thread, make_sockets) == expected);
    CHECK(read_of_the_next(by_range, make_sockets) == expected);
}

TEST_CASE("5.5 third: a number that passes through a directory or a child's pipe, and comes back, is registered anew") {
    WITHOUT_HOOK_NOTHING
    INFO("ask whether the number is still the same file before you trust what you remember of it");
    const auto through_directory = [](int fd) {
        syscall(SYS_close, fd);
        DIR* directory = ::opendir("/");
        ::closedir(directory);
    };
    const auto through_child = [](int fd) {
        syscall(SYS_close, fd);
        const HookScope blocks(false);  // virtual time would not wait for a child
        std::FILE* child = ::popen("exit 3", "r");
        ::pclose(child);
    };
    const auto unseen = [](int* ends) {
        return static_cast<int>(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends));
    };
    CHECK(read_of_the_next(through_directory, unseen) == "one same two ");
    CHECK(read_of_the_next(through_child, unseen) == "one same two ");
}

TEST_CASE("5.5 third: a thread without a scheduler shuts down and closes what a task waits for: the task is woken") {
    WITHOUT_HOOK_NOTHING
    INFO("a close in another thread ends the waits for that number, by whichever thread they wait");
    Stand stand(kRealTime);
    Pair reads = blocking_pair(), polls = blocking_pair();
    Log log;
    go_hooked([&] { log.push_back("read: " + read_text(reads.a)); }, "reads");
    go_hooked("polls", [&] {
        pollfd one{polls.a, POLLIN, 0};
        const int ready = ::poll(&one, 1, 10'000);
        log.emplace_back(ready == 1 && (one.revents & (POLLNVAL | POLLHUP)) != 0 ? "poll: told" : "poll: not told");
    });
    std::thread closer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (int* fd : {&reads.a, &polls.a}) {
            ::shutdown(*fd, SHUT_RDWR);
            ::close(std::exchange(*fd, -1));
        }
    });
    const std::string failed = stand.run();
    closer.join();
    CHECK(failed == "");
    std::sort(log.begin(), log.end());
    REQUIRE(log.size() == 2);
    CHECK(log[0] == "poll: told");
    const std::string closed = "read: error " + std::string(std::strerror(EBADF));
    CHECK((log[1] == closed || log[1] == "read: "));
}

TEST_CASE("5.5 third: every making and every close raises the generation of its number") {
    WITHOUT_HOOK_NOTHING
    INFO("whatever makes or closes a descriptor raises the generation of its number");
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

/// What a task sees of a copy, when flags and limits of the original change.
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
    INFO(kit::told(message("a copy made by {0} has the flags and the time limits of what it was copied from", way)));
    const std::string again = "error " + std::string(std::strerror(EAGAIN));
    CHECK(seen_of_a_copy(copied) == Log{"x", again, "3 ms", again, "late", "y", ""});
}

constexpr int kCopyAt = 200;

}  // namespace

// A test for each way: what is noted is that this process has copied, so the first way would hide the others.
TEST_CASE("5.5 second: a copy by dup shares flags and options with what it was copied from") {
    WITHOUT_HOOK_NOTHING
    check_copies("dup", [](int fd) { return ::dup(fd); });
}

TEST_CASE("5.5 second: a copy by fcntl with F_DUPFD shares flags and options with what it was copied from") {
    WITHOUT_HOOK_NOTHING
    check_copies("fcntl with F_DUPFD", [](int fd) { return ::fcntl(fd, F_DUPFD, kCopyAt); });
}

TEST_CASE("5.5 second: a copy by fcntl with F_DUPFD_CLOEXEC shares flags and options with what it was copied from") {
    WITHOUT_HOOK_NOTHING
    check_copies("fcntl with F_DUPFD_CLOEXEC", [](int fd) { return ::fcntl(fd, F_DUPFD_CLOEXEC, kCopyAt); });
}

TEST_CASE("5.5 second: a copy by dup2 shares flags and options with what it was copied from") {
    WITHOUT_HOOK_NOTHING
    check_copies("dup2", [](int fd) { return ::dup2(fd, kCopyAt); });
}

TEST_CASE("5.5 second: a copy by dup3 shares flags and options with what it was copied from") {
    WITHOUT_HOOK_NOTHING
    check_copies("dup3", [](int fd) { return ::dup3(fd, kCopyAt, O_CLOEXEC); });
}

TEST_CASE("5.5 first: a task that waits for a number that dup2 takes away is woken") {
    WITHOUT_HOOK_NOTHING
    INFO("dup2 closes its second argument: first wake the tasks that wait for it");
    Stand stand;
    const Pair pair = blocking_pair(), other = blocking_pair();
    std::string got;
    go_hooked([&] { got = read_text(pair.a); }, "reader");
    go_hooked([&] { ::dup2(other.a, pair.a); }, "takes it");
    CHECK(stand.run() == "");
    CHECK(got == "error " + std::string(std::strerror(EBADF)));
}

TEST_CASE("5.2 number 0 is a descriptor as any other: an accept that returns it says that it is new") {
    INFO("what socket and accept return may be the number of one that was closed unseen: 0 too");
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

TEST_CASE("5.2 given: that a read has taken all is forgotten with the descriptor that it was of") {
    INFO("the next descriptor of this number may have something to be read: to wait first costs a look for nothing");
    Stand stand;
    const Pair pair = Pair::sockets();
    bool before = false, after = true;
    char buffer[16] = {};
    go([&] {
        put(pair.b, "x");
        perform({"recv", pair.a, Want::read, kNever, sizeof buffer},
                [&] { return system_calls().recvfrom(pair.a, buffer, sizeof buffer, MSG_DONTWAIT, nullptr, nullptr); });
        before = stand.source.drained(pair.a);
        stand.source.forget(pair.a);
        after = stand.source.drained(pair.a);
    });
    CHECK(stand.run() == "");
    CHECK(buffer[0] == 'x');
    CHECK(before);
    CHECK_FALSE(after);
}

TEST_CASE(
    "5.2 given: a trace says of a call whose descriptor was closed that its wait has ended, not that it is ready") {
    const trace::Trace recorded = trace_of("closed", [] {
        Stand stand;
        Pair pair = Pair::sockets();
        go([&] {
            char byte = 0;
            io::recv(pair.a, &byte, 1, 0);
        });
        go([&] { io::close(std::exchange(pair.a, -1)); });
        static_cast<void>(stand.run());
    });
    Log phases;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::io && recorded.text(recorded[i].text) == "recv")
            phases.emplace_back(word(recorded[i].first<trace::IoPhase>()));
    INFO("given: the close has woken the task; the descriptor did not become ready");
    CHECK(std::find(phases.begin(), phases.end(), "cancel") != phases.end());
    CHECK(std::find(phases.begin(), phases.end(), "ready") == phases.end());
}

TEST_CASE("5.5 second: FIONBIO at one of two numbers of a socket is known at the other too") {
    WITHOUT_HOOK_NOTHING
    INFO("given: the flag belongs to the open file, so all that is known of its copies is asked again");
    Stand stand;
    const Pair pair = blocking_pair();
    Log log;
    go_hooked([&] {
        const int copy = ::dup(pair.a);
        put(pair.b, "x");
        log.push_back(read_text(copy));
        int on = 1;
        ::ioctl(pair.a, FIONBIO, &on);
        log.push_back(hooked_descriptor(copy).nonblocking ? "does not block" : "blocks");
        ::close(copy);
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"x", "does not block"});
}

TEST_CASE("5.5 third: a number that was not open at a call is asked for again at the next one") {
    WITHOUT_HOOK_NOTHING
    INFO("given: a number that is closed is not remembered, since a call that is not hooked may open it");
    Stand stand;
    const Pair pipe = blocking_pair(Pair::pipe());
    constexpr int kNumber = 200;
    int error = 0;
    HookedDescriptor::Kind kind = HookedDescriptor::Kind::unknown;
    go_hooked([&] {
        char byte = 0;
        error = ::read(kNumber, &byte, 1) < 0 ? errno : 0;
        syscall(SYS_dup3, pipe.a, kNumber, 0);
        kind = hooked_descriptor(kNumber).kind;
        syscall(SYS_close, kNumber);
    });
    CHECK(stand.run() == "");
    CHECK(error == EBADF);
    CHECK(kind == HookedDescriptor::Kind::pipe);
}
