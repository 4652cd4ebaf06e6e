// Shared by the tests of step 5.8: a scheduler on a ring without a kernel.
#pragma once

#include <cerrno>
#include <string>

#include "labs/05_epoll_io/beyond/uring/uring.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

/// A descriptor of a ring without a kernel.
inline constexpr int kSomeFd = 7;

struct Completions : Runs<Completions> {
    SimulatedRing ring;
    UringSource source{ring};
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};

    explicit Completions(unsigned entries = 64) : ring(entries) { use_virtual_time(); }
};

/// Describes the result of a recv of `size` bytes: the bytes, "the end", or the error's name.
inline std::string received(int fd, std::uint64_t deadline = kNever, std::size_t size = 64) {
    char buffer[64] = {};
    set_last_error(0);
    const ssize_t n = uring::recv(fd, buffer, size, 0, deadline);
    if (n > 0) return {buffer, static_cast<std::size_t>(n)};
    if (n == 0) return "the end";
    if (n != -1) return "neither -1 nor a length";
    switch (last_error()) {
    case ECANCELED: return "ECANCELED";
    case ETIMEDOUT: return "ETIMEDOUT";
    default: return "errno " + std::to_string(last_error());
    }
}

}  // namespace fiberscope::lab05::testing
