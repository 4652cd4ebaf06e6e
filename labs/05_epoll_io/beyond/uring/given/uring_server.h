// Given: the echo server of step 5.8.
#pragma once

#include "labs/05_epoll_io/servers.h"

namespace fiberscope::lab05 {

/// Like accept_per_connection, on a UringSource; for ServerOptions::accept.
void accept_by_uring(EchoServer& server, int listener);

}  // namespace fiberscope::lab05
