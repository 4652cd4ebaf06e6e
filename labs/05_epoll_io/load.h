// Load generator for echo servers: many connections with one outstanding message each; every byte that comes back is
// compared. A plain epoll loop on a separate thread, without coroutines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fiberscope::lab05 {

struct LoadOptions {
    std::string ip = "127.0.0.1";
    std::vector<std::uint16_t> ports;  ///< connections are distributed over them
    std::size_t connections = 100;
    std::size_t size = 64;       ///< bytes of a message
    std::uint64_t seconds = 0;   ///< duration, if `requests` is 0
    std::uint64_t requests = 0;  ///< total number
    /// Number of additional requests sent first over the same connections; only their `errors` are counted.
    std::uint64_t warm_up = 0;
    std::uint64_t patience = 10'000;  ///< ms without any progress before missing answers count as errors
};

struct LoadResult {
    std::uint64_t requests = 0;  ///< answered correctly
    std::uint64_t errors = 0;    ///< connections that failed, and messages whose answer was wrong or never came
    std::string first_error;     ///< a message; empty if there was none
    double seconds = 0;          ///< from the first counted message to the last answer, without connecting
    double connecting = 0;       ///< s, until all were connected
    /// Connections whose first packet (SYN) was dropped because the listener's queue was full: TCP resends it after a
    /// second, and the connect waits for that.
    std::uint64_t knocked_again = 0;
    double p50 = 0, p99 = 0;  ///< µs from a message to its answer

    double per_second() const noexcept { return seconds > 0 ? static_cast<double>(requests) / seconds : 0; }
};

/// Returns when every message is answered, when every connection with a missing answer has failed, or when nothing has
/// arrived for `patience`. Throws std::system_error if there is no descriptor for its poller.
LoadResult run_load(const LoadOptions& options);

/// Raises this process's descriptor limit to the maximum allowed, and returns it.
std::size_t raise_descriptor_limit();

}  // namespace fiberscope::lab05
