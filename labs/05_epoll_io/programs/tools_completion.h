// `./lab run 05 completion`: readiness beside completion, by what both cost.
#pragma once

#include <cstdint>

namespace fiberscope::lab05 {

struct CompletionOptions {
    unsigned rounds = 5;
    std::uint64_t requests = 50'000;  ///< messages in each round
};

/// Prints a table: the echo server of a task for each connection on epoll, and that on io_uring, at 100 and at 1,000
/// connections: system calls a message, messages a second, and their ratio. The exit status: 77 where the kernel
/// refuses io_uring, which is said.
int compare_completion(const CompletionOptions& options);

}  // namespace fiberscope::lab05
