// Given: sylar's echo server (TcpServer on its IO manager).
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/servers.h"

namespace fiberscope::lab05 {

/// Connections that wait by events of an IO manager, and each wait has a timer there that cancels its event. On one
/// machine or several.
class SylarServer {
  public:
    /// sylar's TcpServer waits for a message for two minutes.
    static constexpr std::uint64_t kReceiveLimit = 120'000'000'000;  // ns

    /// `limit`: ns without a message after which a connection is ended. The thread's scheduler must stand on `source`.
    SylarServer(EchoServer& server, EpollSource& source, std::uint64_t limit)
        : server_(server), manager_(source), limit_(limit) {}

    /// The life of an acceptor: each connection is scheduled as a task.
    void accept_from(int listener);
    /// The server stops: the manager ends when nothing is pending.
    void stop() { manager_.stop(); }

  private:
    void serve(int fd);
    /// Waits for an event; at most `limit` ns. False if that passed first.
    bool wait(int fd, Want want, std::uint64_t limit);
    /// One call until it does not block any more: as the hook's do_io. -1 with ETIMEDOUT after `limit`.
    ssize_t do_io(int fd, Want want, std::uint64_t limit, Attempt attempt);
    bool send_all(int fd, const char* bytes, std::size_t size);

    EchoServer& server_;
    IOManager manager_;
    std::uint64_t limit_;
};

}  // namespace fiberscope::lab05
