// Step 5.5: the hook, and descriptors that are copies of each other.
#include <sys/ioctl.h>

#include "labs/05_epoll_io/tests/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.5 second: a copy shares flags and options with what it was copied from, by whatever dup") {
    WITHOUT_HOOK_NOTHING
    use_virtual_time();
    const std::string again = "error " + std::string(std::strerror(EAGAIN));
    constexpr int kAt = 200;
    for (const int way : {0, 1, 2, 3}) {
        INFO(way);
        Stand stand;
        Pair pair = blocking_pair();
        Log log;
        go_hooked(
            [&] {
                const int copy = way == 0   ? ::dup(pair.a)
                                 : way == 1 ? ::fcntl(pair.a, F_DUPFD_CLOEXEC, kAt)
                                 : way == 2 ? ::dup2(pair.a, kAt)
                                            : ::dup3(pair.a, kAt, O_CLOEXEC);
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
            },
            "user");
        CHECK(stand.run() == "");
        CHECK(log == Log{"x", again, "3 ms", again, "late", "y"});
    }
}

TEST_CASE("5.5 first: a task that waits for a number that dup2 takes away is woken") {
    WITHOUT_HOOK_NOTHING
    use_virtual_time();
    Stand stand;
    const Pair pair = blocking_pair(), other = blocking_pair();
    std::string got;
    go_hooked([&] { got = read_text(pair.a); }, "reader");
    go_hooked([&] { ::dup2(other.a, pair.a); }, "takes it");
    CHECK(stand.run() == "");
    CHECK(got == "error " + std::string(std::strerror(EBADF)));
}
