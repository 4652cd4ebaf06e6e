// Shared by the tests of step 5.5: blocking descriptors, and two tasks that talk to each other by blocking calls.
#pragma once

#include <sys/time.h>

#include <cstring>
#include <string>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

/// A test of the hook; skipped in programs without one.
#define WITHOUT_HOOK_NOTHING                                                    \
    if constexpr (!kHookBuilt) {                                                \
        SUCCEED("ThreadSanitizer intercepts the C library's functions itself"); \
        return;                                                                 \
    }

/// Both ends block.
inline Pair blocking_pair(Pair pair = Pair::sockets()) {
    for (const int fd : {pair.a, pair.b}) system_calls().fcntl(fd, F_SETFL, 0);
    return pair;
}

using lab05::go_hooked;
inline Handle go_hooked(std::string name, lab04::Body body) {
    return lab05::go_hooked(std::move(body), std::move(name));
}

inline std::string read_text(int fd) {
    char buffer[64];
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    return n < 0 ? std::string("error ") + std::strerror(errno) : std::string(buffer, static_cast<std::size_t>(n));
}

inline void limit(int fd, int option, long us) {
    const timeval after{0, us};
    setsockopt(fd, SOL_SOCKET, option, &after, sizeof after);
}

/// Two tasks that talk to each other through `a` and `b`, by blocking calls.
template <class Put, class Take>
int rounds_of(Stand& stand, const Pair& pair, Put put, Take take) {
    int rounds = 0;
    for (const int end : {pair.a, pair.b})
        go_hooked("player", [&, end] {
            for (int i = 0; i < 5; ++i) {
                if (end == pair.a) put(end, "ping");
                if (take(end) == "ping") ++rounds;
                if (end == pair.b) put(end, "ping");
            }
        });
    const std::string failed = stand.run();
    return failed.empty() ? rounds : -1;
}

}  // namespace fiberscope::lab05::testing
