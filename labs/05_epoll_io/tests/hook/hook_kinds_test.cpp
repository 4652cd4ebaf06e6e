// Step 5.5: the hook and kinds of descriptors: files, devices, broken pipes, reused numbers.
#include <poll.h>
#include <sys/uio.h>

#include <csignal>

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

TEST_CASE("5.5 first: a write to a broken pipe fails with EPIPE, and SIGPIPE is not blocked or pending afterwards") {
    WITHOUT_HOOK_NOTHING
    INFO("block SIGPIPE for the call, consume a new one, and restore the mask");
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

TEST_CASE("5.5 third: code built with _FORTIFY_SOURCE is hooked too") {
    WITHOUT_HOOK_NOTHING
    INFO("the functions of _FORTIFY_SOURCE (__read_chk and others) do the same as the plain ones");
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

TEST_CASE("5.5 first: outside of hooked tasks a blocking call blocks the thread, as usual") {
    WITHOUT_HOOK_NOTHING
    INFO("check HookScope::here() first: without it the call is the C library's own");
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
    INFO("it was not counted, and did not advance the virtual clock");
    CHECK(call_counts().io == before);
    CHECK(kit::now() < kMillisecond);
}
