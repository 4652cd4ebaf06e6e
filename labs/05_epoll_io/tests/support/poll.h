// What the tests of step 5.3 share: pipes to poll.
#pragma once

#include <poll.h>

#include <vector>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

/// Several pipes, and the pollfds that wait for their reading ends.
struct Pipes {
    std::vector<Pair> pairs;
    std::vector<pollfd> fds;

    explicit Pipes(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            pairs.push_back(Pair::pipe());
            fds.push_back({pairs.back().a, POLLIN, 0});
        }
    }
    int poll(int timeout) { return io::poll(fds.data(), fds.size(), timeout); }
    /// Which of them are ready, by their places.
    std::vector<std::size_t> ready() const {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < fds.size(); ++i)
            if (fds[i].revents != 0) places.push_back(i);
        return places;
    }
};

using Places = std::vector<std::size_t>;

}  // namespace fiberscope::lab05::testing
