// Step 5.7: the load, which checks all servers of this lab, against some that answer wrongly.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/time.h>

#include <atomic>
#include <cstdio>
#include <set>
#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/plain.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/kit/fault/expected.h"
#include "testing/sanitized.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

constexpr const char* kHere = "127.0.0.1";

/// What a server does to its last connection from that one's third message on.
enum class Fault { corrupts, adds_a_byte, closes, is_mute };

/// An echo server on its own thread, without epoll and tasks.
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
    /// It has ended: no longer watched, and closed with the others. poll ignores numbers below 0.
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

TEST_CASE("5.7 the load reports no error for a correct server, and one for each fault") {
    INFO("the load generator compares every byte that comes back, and counts one error for each connection that fails");
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
        {Fault::corrupts, "different bytes came back than were sent"},
        {Fault::adds_a_byte, "more bytes came back than were sent"},
        {Fault::closes, "the server has closed a connection"},
        {Fault::is_mute, "no answer, and nothing else for 500 ms"},
    };
    for (const auto& [fault, words] : faults) {
        const WrongServer server(fault, 4);
        LoadOptions all = options(server.port(), 4);
        all.requests = 400;
        const LoadResult result = run_load(all);
        CHECK(english_of(result.first_error) == words);
        CHECK(result.errors == 1);
        INFO("the other connections continue");
        CHECK(result.requests == 399);
    }
}

namespace {

using SlowClose = Replaced<&SystemCalls::close>;
std::atomic<bool> next_close_is_slow{false}, number_is_free{false};

/// Waits until the number may have been reused.
int close_slowly(int fd) {
    const int result = SlowClose::before()(fd);
    if (!next_close_is_slow.exchange(false)) return result;
    number_is_free = true;
    for (int look = 0; look < 100 && fcntl(fd, F_GETFD) < 0; ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return result;
}

bool answers(const Socket& client) {
    char byte;
    return system_calls().write(client.fd(), "x", 1) == 1 && system_calls().read(client.fd(), &byte, 1) == 1;
}

}  // namespace

namespace {

std::atomic<int> closes{0};

/// Counts, and gives way to another thread.
int close_late(int fd) {
    ++closes;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return SlowClose::before()(fd);
}

}  // namespace

TEST_CASE("5.7 a connection that has ended is closed once, by the thread that has found its end") {
    if (!kHookBuilt) {
        SUCCEED("here the server's close is the C library's, which is not counted");
        return;
    }
    INFO("arm it again only if it continues: once it is armed another thread may get it, and closes it too");
    use_real_time();
    names_of_the_hook();
    bool answered = false;
    int closed = 0;
    {
        const SlowClose late(close_late);
        const Running running(serve_in_a_pool, plain(3));
        const Socket client = running.client();
        answered = answers(client);
        closes = 0;
        ::shutdown(client.fd(), SHUT_RDWR);
        for (int look = 0; look < 5000 && answered && closes == 0; ++look)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a second one would come after the first
        closed = closes;
    }
    CHECK(answered);
    CHECK(closed == 1);
}

TEST_CASE("5.7 a connection that gets the number of one being closed is closed at the end too") {
    if (kit::kUnderTsan) {
        SUCCEED("ThreadSanitizer reports a reused number as a race");
        return;
    }
    use_real_time();
    names_of_the_hook();
    const SlowClose slow(close_slowly);
    Socket second(-1);
    bool answered = false;
    {
        const Running running(serve_in_a_pool, plain(1));
        const Socket first = running.client();
        second = Socket(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        answered = answers(first);
        next_close_is_slow = true;
        ::shutdown(first.fd(), SHUT_RDWR);
        for (int look = 0; look < 5000 && answered && !number_is_free; ++look)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        running.connect(second);
        answered = answered && answers(second);
    }
    INFO("erase the number before you close it, both under the lock: after the close the loop may get it again");
    CHECK(answered);
    char byte;
    CHECK(system_calls().recvfrom(second.fd(), &byte, 1, MSG_DONTWAIT, nullptr, nullptr) == 0);
}

TEST_CASE("5.7 a server that has ended leaves no descriptor open, nor its own epoll") {
    INFO("close the connections and the epoll descriptor");
#ifdef FIBERSCOPE_SANITIZED
    SUCCEED("sanitizers open files of their own now and then");
#else
    use_real_time();
    for (auto* serve : {&serve_in_the_loop, &serve_in_a_pool}) {
        const std::set<int> before = open_descriptors();
        bool answered = false;
        {
            const Running running(*serve, plain(1));
            answered = answers(running.client());
        }
        CHECK(answered);
        CHECK(open_descriptors() == before);
    }
#endif
}

TEST_CASE("5.7 a connection that was closed when it ended is not closed again at the end") {
    INFO("remove a connection when you close it: at the end its number may belong to something else");
    if (kit::kUnderTsan) {
        SUCCEED("it reports a number that one thread has closed, and another gets, as a race");
        return;
    }
    use_real_time();
    for (auto* serve : {&serve_in_the_loop, &serve_in_a_pool}) {
        const Pair other = Pair::pipe();
        bool answered = false, free = false;
        int number = -1;
        {
            const Running running(*serve, plain(1));
            const std::set<int> before = open_descriptors();
            Socket client = running.client();
            answered = answers(client);
            for (const int fd : open_descriptors())
                if (!before.contains(fd) && fd != client.fd()) number = fd;
            client.close();
            for (int look = 0; look < 5000 && !free; ++look) {
                free = fcntl(number, F_GETFD) < 0;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            if (free) system_calls().dup2(other.a, number);
        }
        CHECK(answered);
        REQUIRE(free);
        CHECK(system_calls().close(number) == 0);
    }
}

TEST_CASE("5.7 number 0 is a connection like any other, in the loop and in the pool") {
    EXPECTS("a server without a standard input gets 0 for a connection: only negative numbers are invalid");
    if (kit::kUnderTsan) {
        SUCCEED("it reports a number that one thread has closed, and another gets, as a race");
        return;
    }
    use_real_time();
    for (auto* serve : {&serve_in_the_loop, &serve_in_a_pool}) {
        const int standard = system_calls().dup(0);
        bool answered = false;
        {
            const Running running(*serve, plain(1));
            const Socket client(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            const timeval limit{5, 0};
            setsockopt(client.fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
            const Socket first = running.client();
            const bool has_begun = answers(first);  // and has created all its descriptors
            system_calls().close(0);
            running.connect(client);
            answered = has_begun && answers(client);
        }
        standard < 0 ? system_calls().close(0) : system_calls().dup2(standard, 0);
        if (standard >= 0) system_calls().close(standard);
        CHECK(answered);
    }
}
