// Shared by the tests of plain servers: whether a client is answered, the order of the answers, and a server with too
// few descriptors.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>
#include <vector>

#include "labs/05_epoll_io/tests/support/plain.h"

namespace fiberscope::lab05::testing {

inline bool is_answered(const Socket& client) {
    char byte = 'x';
    pollfd answer{client.fd(), POLLIN, 0};
    return system_calls().write(client.fd(), &byte, 1) == 1 && system_calls().poll(&answer, 1, 2000) == 1 &&
           system_calls().read(client.fd(), &byte, 1) == 1;
}

/// A server that has a descriptor for one more client, and one client that waits for another descriptor.
class Scarce {
  public:
    static constexpr std::size_t kClients = 20;  // so that no smaller number is free

    explicit Scarce(void (*serve)(const PlainServer&)) : running_(serve, plain(2)), first_(running_.client()) {
        INFO("a server answers its first client");
        REQUIRE(is_answered(first_));
        for (std::size_t i = 0; i < kClients; ++i)
            clients_.emplace_back(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit few{static_cast<rlim_t>(clients_.back().fd()) + 2, before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        next();
        REQUIRE(is_answered(client()));
    }
    ~Scarce() { more_descriptors(); }
    Scarce(const Scarce&) = delete;
    Scarce& operator=(const Scarce&) = delete;

    const Socket& client() const { return clients_[last_ - 1]; }
    /// One more client connects; the server has no descriptor for it, and has just begun to pause.
    void next() {
        const std::uint64_t exhausted = plain_figures().exhausted;
        const sockaddr_in address = address_of("127.0.0.1", running_.port());
        system_calls().connect(clients_[last_++].fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        if (last_ == 1) return;
        for (int look = 0; look < 5000 && plain_figures().exhausted < exhausted + 1; ++look)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        INFO("a server that cannot accept (accept_plainly) pauses, and tries again");
        REQUIRE(plain_figures().exhausted > exhausted);
    }
    void end_the_one_before() const { shutdown(clients_[last_ - 2].fd(), SHUT_RDWR); }
    void more_descriptors() const { setrlimit(RLIMIT_NOFILE, &before_); }

  private:
    Running running_;
    Socket first_;  // stays, so that its number is not free
    std::vector<Socket> clients_;
    std::size_t last_ = 0;
    rlimit before_{};
};

/// Reports the order in which connections are answered: one edge each, in the order in which they came.
class Answers {
  public:
    explicit Answers(const std::vector<Socket>& clients) {
        for (std::size_t i = 0; i < clients.size(); ++i) {
            epoll_event event{};
            event.events = EPOLLIN | EPOLLET;
            event.data.u64 = i;
            epoll_ctl(poller_.fd(), EPOLL_CTL_ADD, clients[i].fd(), &event);
        }
    }
    /// Returns the next one, after a short wait; or kNone.
    static constexpr std::size_t kNone = 99;
    std::size_t next() const {
        epoll_event event{};
        return epoll_wait(poller_.fd(), &event, 1, 1) == 1 ? event.data.u64 : kNone;
    }

  private:
    Socket poller_{epoll_create1(EPOLL_CLOEXEC)};
};

}  // namespace fiberscope::lab05::testing
