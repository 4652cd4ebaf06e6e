// Shared by the tests of step 5.3: pipes to poll.
#pragma once

#include <poll.h>

#include <string>
#include <utility>
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
    /// The indices of the ready ones.
    std::vector<std::size_t> ready() const {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < fds.size(); ++i)
            if (fds[i].revents != 0) places.push_back(i);
        return places;
    }
};

using Places = std::vector<std::size_t>;

/// Describes the result of poll with the names of poll(2): "POLLIN POLLHUP"; "nothing" for 0.
inline std::string told_by(short revents) {
    constexpr std::pair<short, const char*> kNames[] = {
        {POLLIN, "POLLIN"},   {POLLPRI, "POLLPRI"}, {POLLOUT, "POLLOUT"},   {POLLRDHUP, "POLLRDHUP"},
        {POLLERR, "POLLERR"}, {POLLHUP, "POLLHUP"}, {POLLNVAL, "POLLNVAL"},
    };
    std::string names;
    int left = revents;
    for (const auto& [bit, name] : kNames) {
        if ((left & bit) == 0) continue;
        names += names.empty() ? name : std::string(" ") + name;
        left &= ~bit;
    }
    if (left != 0) names += (names.empty() ? "" : " and ") + std::to_string(left);
    return names.empty() ? "nothing" : names;
}

}  // namespace fiberscope::lab05::testing
