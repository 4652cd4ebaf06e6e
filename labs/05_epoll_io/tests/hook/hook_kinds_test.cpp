// Step 5.5: the hook, and what a descriptor is: files, devices, broken pipes, numbers that name something else by now.
#include <poll.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <csignal>
#include <cstdio>

#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

#ifndef FIBERSCOPE_TSAN
extern "C" {
ssize_t __read_chk(int fd, void* buffer, std::size_t size, std::size_t room);             // NOLINT
ssize_t __recv_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags);  // NOLINT
ssize_t __recvfrom_chk(int, void*, std::size_t size, std::size_t room, int flags, sockaddr* from,
                       socklen_t*);                                        // NOLINT
int __poll_chk(pollfd* fds, nfds_t count, int timeout, std::size_t room);  // NOLINT
}
#endif

TEST_CASE("5.5 first: a broken pipe is EPIPE too, and SIGPIPE is as free afterwards as before") {
    WITHOUT_HOOK_NOTHING
    INFO("block SIGPIPE for the call, take the one that came, and put the mask back");
    signal(SIGPIPE, SIG_DFL);
    Stand stand;
    Pair broken = blocking_pair(Pair::pipe()), filled = Pair::pipe();
    filled.fill();
    Pair full = blocking_pair(std::move(filled));
    Log log;
    const auto told = [&](ssize_t n) { log.push_back(n < 0 && errno == EPIPE ? "EPIPE" : "?"); };
    go_hooked("writer", [&] {
        broken.close_a();
        const iovec part{const_cast<char*>("x"), 1};
        told(::write(broken.b, "x", 1));
        told(::writev(broken.b, &part, 1));
        told(::write(full.b, "x", 1));
    });
    go_hooked([&] { full.close_a(); }, "breaks it");
    CHECK(stand.run() == "");
    CHECK(log == Log{"EPIPE", "EPIPE", "EPIPE"});
    sigset_t blocked, pending;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    sigpending(&pending);
    CHECK(sigismember(&blocked, SIGPIPE) == 0);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("5.5 third: a number that was closed unseen is looked at anew when it is given out, whatever it names then") {
    WITHOUT_HOOK_NOTHING
    for (const int way : {0, 1, 2}) {
        constexpr const char* kWays[] = {"pipe", "pipe2", "socketpair"};
        INFO(kit::told(
            message("a number that {0} gives out is looked at anew: what it named before does not count", kWays[way])));
        Stand stand;
        std::string got;
        bool file_is_file = false;
        go_hooked("user", [&] {
            const int fd = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
            char byte;
            static_cast<void>(!::read(fd, &byte, 1));
            syscall(SYS_close, fd);
            int ends[2] = {-1, -1};
            const int failed = way == 0   ? ::pipe(ends)
                               : way == 1 ? ::pipe2(ends, O_CLOEXEC)
                                          : ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
            if (failed != 0 || ends[0] != fd) return;
            go_hooked([&] { static_cast<void>(!::write(ends[1], "x", 1)); }, "writer");
            got = read_text(fd);
            syscall(SYS_close, fd);
            if (::open("/proc/self/exe", O_RDONLY | O_CLOEXEC) == fd)
                file_is_file = ::read(fd, &byte, 1) == 1 && ::lseek(fd, 0, SEEK_CUR) == 1;
            ::close(fd);
            ::close(ends[1]);
        });
        CHECK(stand.run() == "");
        CHECK(got == "x");
        CHECK(file_is_file);
    }
}

TEST_CASE("5.5 third: fclose wakes the tasks that wait, and the number is looked at anew, even if fopen gets it") {
    WITHOUT_HOOK_NOTHING
    INFO("fclose closes a number too: its waits end, and what is known of it is forgotten");
    Stand stand;
    Pair pair = blocking_pair();
    Log log;
    go_hooked([&] { log.push_back(read_text(pair.a)); }, "reader");
    go_hooked("closer", [&] {
        const int fd = std::exchange(pair.a, -1);
        std::fclose(fdopen(fd, "r+"));
        FILE* stream = std::fopen("/proc/self/exe", "re");
        char byte;
        log.push_back(fileno(stream) == fd && ::read(fd, &byte, 1) == 1 ? "a file" : "?");
        std::fclose(stream);
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"a file", "error " + std::string(std::strerror(EBADF))});
}

TEST_CASE("5.5 third: a dup2 that fails wakes no task") {
    WITHOUT_HOOK_NOTHING
    INFO("close the old file in the table only if dup2 will succeed");
    Stand stand;
    const Pair pair = blocking_pair();
    std::string got;
    Log log;
    go_hooked([&] { got = read_text(pair.a); }, "reader");
    go_hooked("fails", [&] {
        log.push_back(std::to_string(::dup2(-1, pair.a)));
        log.push_back(std::to_string(::dup2(777, pair.a)));
        log.push_back(std::to_string(::dup3(pair.b, pair.a, O_APPEND)));
        lab04::yield();
        static_cast<void>(!::write(pair.b, "x", 1));
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"-1", "-1", "-1"});
    CHECK(got == "x");
}

TEST_CASE("5.5 third: a read of what poll has found does not wait") {
    WITHOUT_HOOK_NOTHING
    INFO("what poll has found ready is tried at once");
    Stand stand;
    const Pair pair = blocking_pair();
    Log log;
    go_hooked("reader", [&] {
        for (int i = 0; i < 3; ++i) {
            pollfd one{pair.a, POLLIN, 0};
            ::poll(&one, 1, -1);
            const std::uint64_t before = call_counts().would_block;
            log.push_back(read_text(pair.a));
            if (call_counts().would_block != before) log.emplace_back("has waited");
        }
    });
    go_hooked("writer", [&] {
        for (int i = 0; i < 3; ++i) {
            ::usleep(1000);
            static_cast<void>(!::write(pair.b, "x", 1));
        }
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"x", "x", "x"});
}

TEST_CASE("5.5 third: what was built with _FORTIFY_SOURCE is hooked too") {
    WITHOUT_HOOK_NOTHING
    INFO("the names of _FORTIFY_SOURCE (__read_chk and others) go the same way as the plain ones");
#ifndef FIBERSCOPE_TSAN
    Stand stand;
    const Pair pair = blocking_pair();
    int rounds = 0;
    const auto reads = std::vector<ssize_t (*)(int, char*)>{
        [](int fd, char* buffer) { return __read_chk(fd, buffer, 8, 8); },
        [](int fd, char* buffer) { return __recv_chk(fd, buffer, 8, 8, 0); },
        [](int fd, char* buffer) { return __recvfrom_chk(fd, buffer, 8, 8, 0, nullptr, nullptr); },
        [](int fd, char* buffer) {
            pollfd one{fd, POLLIN, 0};
            return __poll_chk(&one, 1, -1, sizeof one) == 1 ? ::read(fd, buffer, 8) : -1;
        },
    };
    for (const auto way : reads)
        rounds += rounds_of(
            stand, pair, [](int fd, const char* text) { ::send(fd, text, std::strlen(text), 0); },
            [way](int fd) {
                char buffer[8];
                const ssize_t n = way(fd, buffer);
                return std::string(buffer, n < 0 ? 0 : static_cast<std::size_t>(n));
            });
    CHECK(rounds == 40);
#endif
}

TEST_CASE("5.5 first: outside of hooked tasks a call that blocks blocks the thread, as it always did") {
    WITHOUT_HOOK_NOTHING
    INFO("ask HookScope::here() first: without it the call is the C library's own");
    Stand stand;
    const Pair pair = blocking_pair();
    limit(pair.a, SO_RCVTIMEO, 20'000);
    const std::string again = "error " + std::string(std::strerror(EAGAIN));
    Log log;
    const std::uint64_t before = call_counts().io;
    log.push_back(read_text(pair.a));
    go("not hooked", [&] {
        log.push_back(read_text(pair.a));
        char byte;
        log.push_back(::recv(pair.a, &byte, 1, 0) < 0 && errno == EAGAIN ? again : "?");
    });
    go([&] { log.emplace_back("the other one"); }, "other");
    CHECK(stand.run() == "");
    CHECK(log == Log{again, again, again, "the other one"});
    INFO("it was not counted, and the virtual clock did not see it");
    CHECK(call_counts().io == before);
    CHECK(kit::now() < kMillisecond);
}
