// Descriptions of calls for the tests of step 5.2.
#pragma once

#include <cstring>
#include <string>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

/// Returns the result of a call: the number, or errno's name if it failed.
inline std::string result(long value) {
    if (value >= 0 || value < -1) return std::to_string(value);
    const int error = last_error();
    return error == EBADF        ? "EBADF"
           : error == EPIPE      ? "EPIPE"
           : error == ECONNRESET ? "ECONNRESET"
           : error == ECANCELED  ? "ECANCELED"
           : error == ETIMEDOUT  ? "ETIMEDOUT"
           : error == ENOTSOCK   ? "ENOTSOCK"
                                 : "errno " + std::to_string(error);
}

inline ssize_t put(int fd, const char* text) { return io::send(fd, text, std::strlen(text), 0); }

inline std::string take(int fd) {
    char buffer[256];
    const ssize_t n = io::recv(fd, buffer, sizeof buffer, 0);
    return n < 0 ? result(n) : std::string(buffer, static_cast<std::size_t>(n));
}

}  // namespace fiberscope::lab05::testing
