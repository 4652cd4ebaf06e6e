// A server without coroutines that runs next to a test.
#pragma once

#include <sys/eventfd.h>

#include <span>
#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

inline PlainServer plain(unsigned threads) {
    PlainServer server;
    server.threads = threads;
    return server;
}

/// A server on its own thread, for the lifetime of this object.
class Running {
  public:
    /// `early` clients have connected before its first look.
    Running(void (*serve)(const PlainServer&), PlainServer server, std::span<const Socket> early = {})
        : listener_(Socket::listener("127.0.0.1", 0)),
          second_(Socket::listener("127.0.0.1", 0)),
          stop_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        server.listeners = {listener_.fd(), second_.fd()};
        server.stop = stop_;
        for (const Socket& client : early) connect(client);
        thread_ = std::thread([=] { serve(server); });
    }
    /// Clients must be closed first if something waits for them.
    ~Running() {
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(stop_, &one, sizeof one));
        thread_.join();
        system_calls().close(stop_);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    LoadResult load(std::size_t connections, std::size_t size, std::uint64_t requests) const {
        return run_load({.ip = "127.0.0.1",
                         .ports = {listener_.port()},
                         .connections = connections,
                         .size = size,
                         .requests = requests});
    }

    std::uint16_t port() const { return listener_.port(); }
    std::uint16_t second_port() const { return second_.port(); }
    Socket client() const {
        Socket socket(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        connect(socket);
        return socket;
    }
    void connect(const Socket& client) const {
        const sockaddr_in address = address_of("127.0.0.1", listener_.port());
        system_calls().connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }

  private:
    Socket listener_, second_;
    int stop_;
    std::thread thread_;
};

}  // namespace fiberscope::lab05::testing
