// Step 5.2: the calls over TCP and UDP, mostly under the real clock, since a network takes time.
#include <sys/syscall.h>

#include <cstring>

#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/05_epoll_io/tests/support/replaced.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

bool does_not_block(int fd) { return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

}  // namespace

TEST_CASE("5.2 accept waits for a connection, connect for its end; neither end blocks") {
    INFO("accept waits for reading, connect for writing");
    Stand stand(kRealTime);
    std::string got;
    bool listener_blocks = false, connection_blocks = false, socket_blocks = false;
    std::uint16_t port = 0;
    go("server", [&] {
        Socket listener = Socket::listener(kHere, 0);
        port = listener.port();
        Socket connection = listener.accept();
        char buffer[16];
        const ssize_t n = connection.read(buffer, sizeof buffer);
        got.assign(buffer, n < 0 ? 0 : static_cast<std::size_t>(n));
        listener_blocks = !does_not_block(listener.fd());
        connection_blocks = !does_not_block(connection.fd());
    });
    go("client", [&] {
        Socket socket;
        const int failed = socket.connect(kHere, port);
        socket_blocks = !does_not_block(socket.fd());
        if (failed == 0) socket.send("hello", 5);
    });
    CHECK(stand.run() == "");
    CHECK(got == "hello");
    {
        INFO("io::socket creates it with SOCK_NONBLOCK in its type");
        CHECK_FALSE(listener_blocks);
        CHECK_FALSE(socket_blocks);
    }
    INFO("io::accept calls accept4 with SOCK_NONBLOCK: a connection does not inherit it from its listener");
    CHECK_FALSE(connection_blocks);
}

TEST_CASE("5.2 connect to a port without a listener: ECONNREFUSED, without delay") {
    INFO("after the wait call connect again: the second connect(2) has the result of the first");
    Stand stand(kRealTime);
    int error = 0;
    CHECK(stand.run("client", [&] {
        const std::uint16_t port = Socket::listener(kHere, 0).port();
        Socket socket;
        if (socket.connect(kHere, port) != 0) error = last_error();
    }) == "");
    CHECK(error == ECONNREFUSED);
}

TEST_CASE("5.2 a refused socket can be connected again, and a connected one reports EISCONN") {
    INFO("call connect(2) again: SO_ERROR returns the error and leaves the socket in the middle of its connect");
    Stand stand(kRealTime);
    Log log;
    CHECK(stand.run("client", [&] {
        Socket listener;
        const sockaddr_in any = address_of(kHere, 0);
        bind(listener.fd(), reinterpret_cast<const sockaddr*>(&any), sizeof any);
        Socket client;
        const auto connect = [&] {
            const int result = client.connect(kHere, listener.port());
            log.emplace_back(result == 0 ? "connected" : strerrorname_np(last_error()));
        };
        char byte;
        connect();
        if (client.read(&byte, 1) < 0) log.emplace_back(strerrorname_np(last_error()));
        connect();
        listen(listener.fd(), 1);
        connect();
        connect();
    }) == "");
    CHECK(log == Log{"ECONNREFUSED", "ENOTCONN", "ECONNREFUSED", "connected", "EISCONN"});
}

TEST_CASE("5.2 a connect whose result another task has fetched first is still connected") {
    INFO("ended_connect: EISCONN means that it is connected");
    Stand stand(kRealTime);
    int first = -1, second = -1;
    CHECK(stand.run("client", [&] {
        Socket listener = Socket::listener(kHere, 0);
        Socket client;
        const sockaddr_in to = address_of(kHere, listener.port());
        const auto* address = reinterpret_cast<const sockaddr*>(&to);
        first = io::connect(client.fd(), address, sizeof to);
        second = io::ended_connect(client.fd(), address, sizeof to);
    }) == "");
    CHECK(first == 0);
    CHECK(second == 0);
}

TEST_CASE("5.2 datagrams: each whole, and with its sender") {
    INFO("pass the address and its size on to the system call");
    Stand stand(kRealTime);
    std::string got;
    bool known = false;
    CHECK(stand.run("both", [&] {
        const int a = io::socket(AF_INET, SOCK_DGRAM, 0), b = io::socket(AF_INET, SOCK_DGRAM, 0);
        sockaddr_in here = address_of(kHere, 0), from{};
        bind(a, reinterpret_cast<sockaddr*>(&here), sizeof here);
        socklen_t size = sizeof here;
        getsockname(a, reinterpret_cast<sockaddr*>(&here), &size);
        const Handle receiver = go("receiver", [&] {
            char buffer[64];
            socklen_t length = sizeof from;
            const ssize_t n = io::recvfrom(a, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&from), &length);
            got.assign(buffer, n < 0 ? 0 : static_cast<std::size_t>(n));
            known = from.sin_family == AF_INET && from.sin_port != 0;
        });
        lab04::yield();
        io::sendto(b, "whole", 5, 0, reinterpret_cast<sockaddr*>(&here), sizeof here);
        lab04::join(receiver);
        io::close(a);
        io::close(b);
    }) == "");
    CHECK(got == "whole");
    CHECK(known);
}

TEST_CASE("5.2 a socket closes itself, and a moved-from one owns nothing") {
    INFO("a move leaves -1, and the destructor closes everything but -1");
    Stand stand(kRealTime);
    int fd = -1;
    bool closed_after = false, open_between = false;
    CHECK(stand.run("owner", [&] {
        {
            Socket first;
            fd = first.fd();
            const Socket second(std::move(first));
            open_between = fcntl(fd, F_GETFD) >= 0 && second.fd() == fd && !first.is_open();  // NOLINT: moved from
        }
        closed_after = fcntl(fd, F_GETFD) < 0;
    }) == "");
    CHECK(open_between);
    CHECK(closed_after);
}

namespace {

/// A listener whose queue is full: the first packet of the next connection is dropped. For tasks.
class FullListener {
  public:
    FullListener() {
        const sockaddr_in address = address_of(kHere, port());
        for (const int fd : {first_.fd(), second_.fd()})
            system_calls().connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    std::uint16_t port() const { return listener_.port(); }

  private:
    Socket listener_ = Socket::listener(kHere, 0, 0);
    Socket first_, second_;
};

}  // namespace

TEST_CASE("5.2 a connect without an answer ends at its deadline, not before") {
    INFO("the deadline ends the wait with ETIMEDOUT");
    Stand stand;
    int error = 0;
    std::uint64_t took = 0;
    CHECK(stand.run("client", [&] {
        const FullListener full;
        Socket third;
        error = third.connect(kHere, full.port(), deadline_after(70 * kMillisecond)) < 0 ? last_error() : 0;
        took = kit::now();
    }) == "");
    CHECK(error == ETIMEDOUT);
    CHECK(took >= 70 * kMillisecond);
    CHECK(took < 71 * kMillisecond);
}

TEST_CASE("5.2 socket reports its number as new, even if the old one was closed behind the poller's back") {
    INFO("socket returns a new descriptor: the poller must drop its state for that number");
    Stand stand;
    const LocalListener listener(5);
    int old = -1, fresh = -1, peer = -1;
    lab04::Wake woken = lab04::Wake::cancelled;
    CHECK(stand.run("client", [&] {
        old = io::socket(AF_UNIX, SOCK_STREAM, 0);
        if (io::connect(old, listener.address(), listener.size()) != 0) return;
        system_calls().close(system_calls().accept4(listener.fd(), nullptr, nullptr, 0));
        lab04::wait_readable(old, kMillisecond);  // now it is registered
        syscall(SYS_close, old);                  // unseen
        fresh = io::socket(AF_UNIX, SOCK_STREAM, 0);
        if (system_calls().connect(fresh, listener.address(), listener.size()) != 0) return;
        peer = system_calls().accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC);
        static_cast<void>(!system_calls().write(peer, "x", 1));
        woken = lab04::wait_readable(fresh, kMillisecond);
    }) == "");
    CHECK(old == fresh);
    CHECK(woken == lab04::Wake::event);
    for (const int end : {fresh, peer}) system_calls().close(end);
}

namespace {

using Connected = Replaced<&SystemCalls::connect>;

/// A signal arrives during the connect, which continues in the background.
int connect_interrupted(int fd, const sockaddr* address, socklen_t size) {
    const int result = Connected::before()(fd, address, size);
    if (result != 0 && last_error() == EINPROGRESS) set_last_error(EINTR);
    return result;
}

}  // namespace

TEST_CASE("5.2 a connect that a signal interrupts has started, and is waited for") {
    INFO("do not retry a connect after EINTR: it continues in the background, as with EINPROGRESS");
    Stand stand;
    int error = 0;
    std::uint64_t took = 0;
    CHECK(stand.run("client", [&] {
        const FullListener full;
        const Connected interrupted(connect_interrupted);
        Socket third;
        error = third.connect(kHere, full.port(), deadline_after(70 * kMillisecond)) < 0 ? last_error() : 0;
        took = kit::now();
    }) == "");
    CHECK(error == ETIMEDOUT);
    CHECK(took >= 70 * kMillisecond);
}

TEST_CASE("5.2 begin_connect distinguishes a full queue from a connect in progress") {
    INFO(
        "EAGAIN of connect(2): nothing has started, return kQueueFull; EINPROGRESS: -1 with EAGAIN, so that it is "
        "waited for");
    Stand stand;
    const LocalListener listener(0);
    std::vector<int> begun;
    go([&] {
        for (int i = 0; i < 2; ++i) {
            const int fd = io::socket(AF_UNIX, SOCK_STREAM, 0);
            begun.push_back(io::begin_connect(fd, listener.address(), listener.size()));
            system_calls().close(fd);
        }
    });
    CHECK(stand.run() == "");
    CHECK(begun == std::vector{0, kQueueFull});
}
