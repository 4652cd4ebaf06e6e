// The other side of an echo server: many connections, each with one message on the way, and every byte that comes back
// is compared. A plain epoll loop on a thread of its own; it knows no coroutines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fiberscope::lab05 {

struct LoadOptions {
    std::string ip = "127.0.0.1";
    std::vector<std::uint16_t> ports;  ///< connections are spread over them
    std::size_t connections = 100;
    std::size_t size = 64;       ///< bytes of a message
    std::uint64_t seconds = 0;   ///< how long, if `requests` is 0
    std::uint64_t requests = 0;  ///< how many in all
    /// So many more come first, over the same connections, and are in no figure but `errors`.
    std::uint64_t warm_up = 0;
    std::uint64_t patience = 10'000;  ///< ms for which nothing may happen while an answer is missing
};

struct LoadResult {
    std::uint64_t requests = 0;  ///< answered rightly
    std::uint64_t errors = 0;    ///< connections that failed, and messages whose answer was wrong or never came
    std::string first_error;     ///< a message; empty if there was none
    double seconds = 0;          ///< from the first message that counts to the last answer: connecting is not counted
    double connecting = 0;       ///< s, until all were connected
    /// Connections whose first packet (SYN) the server's kernel did not take, since the queue of its listener was full:
    /// TCP sends it again after a second, and the connect waits for that.
    std::uint64_t knocked_again = 0;
    double p50 = 0, p99 = 0;  ///< µs from a message to its answer

    double per_second() const noexcept { return seconds > 0 ? static_cast<double>(requests) / seconds : 0; }
};

/// Returns when every message is answered; or when each connection that still waits for an answer has failed, or
/// nothing has come for `patience`. Throws std::system_error if there is no descriptor for its poller.
LoadResult run_load(const LoadOptions& options);

/// Allows as many descriptors as the system lets this process have: how many.
std::size_t raise_descriptor_limit();

}  // namespace fiberscope::lab05
