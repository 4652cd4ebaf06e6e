// Given: libco's echo server (example_echosvr), with its condition variable between acceptors and workers.
#pragma once

#include <cstddef>
#include <deque>

#include "labs/05_epoll_io/given/line.h"
#include "labs/05_epoll_io/servers.h"

namespace fiberscope::lab05 {

/// A pool of workers on libco's event loop. The acceptor accepts only while a worker is free; else it sleeps for a
/// second, in the loop's wheel.
class LibcoPool {
  public:
    /// Of the scheduler of this thread, which must have one machine; `workers` of at least 1.
    LibcoPool(EchoServer& server, std::size_t workers) noexcept : server_(server), workers_(workers) {}

    /// The tasks that serve.
    void begin_workers();
    /// The life of an acceptor (accept_routine).
    void accept_from(int listener);
    /// The server stops: the workers that wait end.
    void stop() { connections_.broadcast(); }

  private:
    /// The life of a worker (readwrite_routine).
    void work();
    void serve(int fd);

    EchoServer& server_;
    std::size_t workers_;
    std::size_t taken_ = 0;  // connections that have a worker, or stand in accepted_
    std::deque<int> accepted_;
    Line connections_{"a connection"};
};

}  // namespace fiberscope::lab05
