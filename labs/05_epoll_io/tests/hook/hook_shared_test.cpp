// Step 5.5, given: a descriptor that other threads use too. Data may be taken by another thread between a look and the
// call.
#include <netinet/in.h>

#include <atomic>
#include <thread>
#include <vector>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

constexpr int kConnections = 400;
constexpr int kWrong = 100'000;

/// Accepts in a hooked task until a connection brings a 'q'. Returns how many it accepted, or more if an accept failed.
int accept_all(int listener) {
    int accepted = 0;
    Stand stand(std::nullopt);
    go_hooked("accepts", [&] {
        for (char byte = 0; byte != 'q'; ++accepted) {
            const int taken = ::accept(listener, nullptr, nullptr);
            if (taken < 0 || ::read(taken, &byte, 1) != 1) return static_cast<void>(accepted = kWrong);
            ::close(taken);
        }
    });
    return stand.run().empty() ? accepted : kWrong;
}

/// Connects one client after the other, then sends one 'q' to each acceptor.
void dial_all(std::uint16_t port, int enders) {
    const sockaddr_in address = address_of("127.0.0.1", port);
    for (int i = 0; i < kConnections + enders; ++i) {
        const Socket client(system_calls().socket(AF_INET, SOCK_STREAM, 0));
        system_calls().connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        static_cast<void>(!system_calls().write(client.fd(), i < kConnections ? "x" : "q", 1));
    }
}

}  // namespace

TEST_CASE("5.5 third: two threads accept from one listener without losing or failing a call") {
    WITHOUT_HOOK_NOTHING
    INFO("given: the flags of a listener are changed for an attempt, and restored, as if there were only one caller");
    record_nothing();
    use_real_time();
    const Socket listener = Socket::listener("127.0.0.1", 0);
    system_calls().fcntl(listener.fd(), F_SETFL, 0);
    std::atomic<int> accepted{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back([&] { accepted += accept_all(listener.fd()); });
    dial_all(listener.port(), 2);
    for (std::thread& thread : threads) thread.join();
    CHECK(accepted == kConnections + 2);
    CHECK((system_calls().fcntl(listener.fd(), F_GETFL) & O_NONBLOCK) == 0);
}
