// Given: the echo server of step 5.8.
#pragma once

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/servers.h"

namespace fiberscope::lab05 {

/// As accept_per_connection, on a UringSource.
void accept_by_uring(EchoServer& server, int listener);
/// A whole server on a ring of the kernel's, until `plain.stop` is readable. Throws std::runtime_error where there is
/// no ring.
void serve_by_uring(Socket&& listener, const PlainServer& plain);

}  // namespace fiberscope::lab05
