// Given: sylar's echo server (TcpServer on its IO manager).
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/servers.h"

namespace fiberscope::lab05 {

/// Each wait for a connection is an event of an IO manager, with a timer that cancels the event. On one machine or
/// several.
class SylarServer {
  public:
    /// sylar's TcpServer waits two minutes for a message.
    static constexpr std::uint64_t kReceiveLimit = 120'000'000'000;  // ns

    /// `limit`: ns without a message after which a connection is closed. The thread's scheduler must use `source`.
    SylarServer(EchoServer& server, EpollSource& source, std::uint64_t limit)
        : server_(server), manager_(source), limit_(limit) {}

    /// Body of an acceptor: schedules a task for each connection.
    void accept_from(int listener);
    /// Stops the manager, which ends when nothing is pending.
    void stop() { manager_.stop(); }

  private:
    void serve(int fd);
    /// Waits for an event for at most `limit` ns. Returns false if the limit has passed.
    bool wait(int fd, Want want, std::uint64_t limit);
    /// Repeats a call until it no longer would block, as the hook's do_io. Returns -1 with ETIMEDOUT after `limit`.
    ssize_t do_io(int fd, Want want, std::uint64_t limit, Attempt attempt);
    bool send_all(int fd, const char* bytes, std::size_t size);

    EchoServer& server_;
    IOManager manager_;
    std::uint64_t limit_;
};

}  // namespace fiberscope::lab05
