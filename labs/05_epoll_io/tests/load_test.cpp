// Step 5.7: the load, which judges all servers of this lab, against some that answer wrongly.
#include <poll.h>
#include <sys/eventfd.h>

#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/stand.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

constexpr const char* kHere = "127.0.0.1";

/// What a server does to the last of its connections from that one's third message on.
enum class Fault { corrupts, adds_a_byte, closes, is_mute };

/// An echo server on a thread of its own, which knows neither epoll nor tasks.
class WrongServer {
  public:
    WrongServer(Fault fault, std::size_t connections)
        : fault_(fault),
          connections_(connections),
          listener_(Socket::listener(kHere, 0)),
          stop_(eventfd(0, EFD_CLOEXEC)),
          thread_([this] { serve(); }) {}
    ~WrongServer() {
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(stop_, &one, sizeof one));
        thread_.join();
        for (const pollfd& each : watched_) system_calls().close(each.fd < 0 ? ~each.fd : each.fd);
    }
    WrongServer(const WrongServer&) = delete;
    WrongServer& operator=(const WrongServer&) = delete;

    std::uint16_t port() const { return listener_.port(); }

  private:
    void serve() {
        watched_.push_back({stop_, POLLIN, 0});
        for (std::size_t i = 0; i < connections_; ++i) {
            pollfd waiting{listener_.fd(), POLLIN, 0};
            system_calls().poll(&waiting, 1, -1);
            watched_.push_back({system_calls().accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC), POLLIN, 0});
        }
        for (;;) {
            system_calls().poll(watched_.data(), watched_.size(), -1);
            if (watched_[0].revents != 0) return;
            for (pollfd& one : watched_)
                if (one.revents != 0) answer(one);
        }
    }
    void answer(pollfd& one) {
        char buffer[256];
        const ssize_t got = system_calls().recvfrom(one.fd, buffer, sizeof buffer - 1, 0, nullptr, nullptr);
        if (got <= 0) return leave(one);
        auto size = static_cast<std::size_t>(got);
        if (&one == &watched_.back() && ++messages_ >= 3) {
            if (fault_ == Fault::is_mute) return;
            if (fault_ == Fault::closes) return leave(one);
            if (fault_ == Fault::corrupts) buffer[size / 2] ^= 1;
            if (fault_ == Fault::adds_a_byte) buffer[size++] = 'x';
        }
        system_calls().sendto(one.fd, buffer, size, MSG_NOSIGNAL, nullptr, 0);
    }
    /// It is at its end: watched no longer, and closed with the others. poll passes over numbers below 0.
    static void leave(pollfd& one) {
        shutdown(one.fd, SHUT_RDWR);
        one.fd = ~one.fd;
    }

    const Fault fault_;
    const std::size_t connections_;
    Socket listener_;
    int stop_;
    int messages_ = 0;  // of the last connection
    std::vector<pollfd> watched_;
    std::thread thread_;
};

LoadOptions options(std::uint16_t port, std::size_t connections) {
    return {.ip = kHere, .ports = {port}, .connections = connections, .patience = 500};
}

}  // namespace

TEST_CASE("5.7 the load finds no fault with a server that is right, and one with each that is not") {
    INFO("the load compares every byte that comes back, and counts one error for each connection that fails");
    use_real_time();
    {
        const Socket listener = Socket::listener(kHere, 0);
        PlainServer plain;
        plain.listeners = {listener.fd()};
        plain.stop = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        std::thread server([&] { serve_in_the_loop(plain); });
        LoadOptions all = options(listener.port(), 4);
        all.requests = 400;
        const LoadResult result = run_load(all);
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(plain.stop, &one, sizeof one));
        server.join();
        system_calls().close(plain.stop);
        CHECK(result.requests == 400);
        CHECK(result.errors == 0);
    }
    const std::pair<Fault, const char*> faults[] = {
        {Fault::corrupts, "other bytes came back than were sent"},
        {Fault::adds_a_byte, "more came back than was sent"},
        {Fault::closes, "the server has closed a connection"},
        {Fault::is_mute, "no answer, and nothing else for 500 ms"},
    };
    for (const auto& [fault, words] : faults) {
        const WrongServer server(fault, 4);
        LoadOptions all = options(server.port(), 4);
        all.requests = 400;
        const LoadResult result = run_load(all);
        CHECK(result.first_error == words);
        CHECK(result.errors == 1);
        INFO("the other connections go on");
        CHECK(result.requests == 399);
    }
}

TEST_CASE("5.7 what is not answered when the load's time is over is an error") {
    INFO("what is sent and not answered at the end counts as an error");
    use_real_time();
    PlainServer none;
    none.stop = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
    serve_in_the_loop(none);  // ends at once
    system_calls().close(none.stop);
    const WrongServer server(Fault::is_mute, 1);
    LoadOptions all = options(server.port(), 1);
    all.seconds = 1;
    const LoadResult result = run_load(all);
    CHECK(result.requests == 2);
    CHECK(result.errors == 1);
}
