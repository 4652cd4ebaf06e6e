// Step 5.7: the two servers without coroutines.
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support/stand.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

PlainServer plain(unsigned threads) {
    PlainServer server;
    server.threads = threads;
    return server;
}

/// A server on a thread of its own, as long as this lives.
class Running {
  public:
    Running(void (*serve)(const PlainServer&), PlainServer server)
        : listener_(Socket::listener("127.0.0.1", 0)), stop_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        server.listeners = {listener_.fd()};
        server.stop = stop_;
        thread_ = std::thread([=] { serve(server); });
    }
    /// Clients must be closed before, if something waits for them.
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
    Socket client() const {
        Socket socket(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in address = address_of("127.0.0.1", listener_.port());
        system_calls().connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        return socket;
    }

  private:
    Socket listener_;
    int stop_;
    std::thread thread_;
};

/// Sanitizers open files of their own now and then: only sockets count.
std::size_t open_sockets() {
    std::size_t open = 0;
    for (int fd = 0; fd < 512; ++fd) {
        struct stat status {};
        open += fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? 1U : 0U;
    }
    return open;
}

/// Of the messages of one load after another. ThreadSanitizer has only one: it takes a descriptor's number that one
/// thread has closed, and another gets from the kernel, for a race; with one load no number is used twice.
std::vector<std::size_t> sizes() {
    if (kit::kUnderTsan) return {64};
    return {1, 64, 50'000};
}

void check_server(void (*serve)(const PlainServer&)) {
    use_real_time();
    Socket stays(-1);
    const std::size_t before = open_sockets();
    {
        const Running running(serve, plain(3));
        stays = running.client();
        static_cast<void>(!system_calls().write(stays.fd(), "x", 1));
        char byte;
        INFO("a server answers its first client");
        REQUIRE(system_calls().read(stays.fd(), &byte, 1) == 1);
        for (const std::size_t size : sizes()) {
            const LoadResult result = running.load(40, size, 400);
            INFO("messages of " << size << " bytes: " << result.first_error);
            CHECK(result.errors == 0);
            CHECK(result.requests == 400);
        }
    }
    INFO("all connections are closed at the end, also that of a client that stays");
    CHECK(open_sockets() == before + 1);
}

}  // namespace

TEST_CASE("5.7 a server with its IO in the loop") { check_server(serve_in_the_loop); }

TEST_CASE("5.7 a server with its IO in a pool of threads") {
    check_server(serve_in_a_pool);
    check_server(serve_by_threads);  // given; where the other two are not written, nothing is proved
}

namespace {

/// Whether a second client is answered while the first one sends much and reads nothing.
bool serves_the_second(void (*serve)(const PlainServer&), int within_ms) {
    use_real_time();
    const Running running(serve, plain(2));
    Socket deaf = running.client(), other = running.client();
    const std::string much(1 << 20, 'x');
    for (int quiet = 0; quiet < 20;) {
        if (system_calls().sendto(deaf.fd(), much.data(), much.size(), MSG_DONTWAIT, nullptr, 0) > 0) continue;
        ++quiet;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    system_calls().sendto(other.fd(), "hello", 5, 0, nullptr, 0);
    pollfd answer{other.fd(), POLLIN, 0};
    return system_calls().poll(&answer, 1, within_ms) == 1;
}

}  // namespace

TEST_CASE("5.7 one client that reads nothing stops the whole loop, but only one thread of the pool") {
    INFO(
        "a loop that waits for one client to read serves no other; each thread of a pool waits for its own client "
        "only");
    CHECK_FALSE(serves_the_second(serve_in_the_loop, 100));
    CHECK(serves_the_second(serve_in_a_pool, 2000));
    CHECK(serves_the_second(serve_by_threads, 2000));
}

namespace {

double processor_ms() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto ms = [](const timeval& t) {
        return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
    };
    return ms(used.ru_utime) + ms(used.ru_stime);
}

/// What a thread that never rests gets of a processor within `wall`: a measure that holds on a busy machine too.
double processor_ms_of_spinning(std::chrono::milliseconds wall) {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    timespec begin{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (const auto until = now() + wall; now() < until;) continue;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return 1e3 * static_cast<double>(end.tv_sec - begin.tv_sec) +
           1e-6 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
}

bool is_answered(const Socket& client) {
    char byte = 'x';
    pollfd answer{client.fd(), POLLIN, 0};
    return system_calls().write(client.fd(), &byte, 1) == 1 && system_calls().poll(&answer, 1, 1000) == 1 &&
           system_calls().read(client.fd(), &byte, 1) == 1;
}

/// There are descriptors for three of six clients; the others are served as soon as those end. No number is used by two
/// threads (see sizes).
void check_used_up(void (*serve)(const PlainServer&)) {
    use_real_time();
    const Running running(serve, plain(2));
    std::vector<Socket> clients;
    const Socket first = running.client();
    INFO("a server answers its first client");
    REQUIRE(is_answered(first));
    for (int i = 0; i < 6; ++i) clients.emplace_back(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit few{static_cast<rlim_t>(clients.back().fd()) + 4, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    const sockaddr_in address = address_of("127.0.0.1", running.port());
    for (const Socket& client : clients)
        system_calls().connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const double used_before = processor_ms();
    const double spun = processor_ms_of_spinning(std::chrono::milliseconds(100));
    const double used = processor_ms() - used_before - spun;
    int right = 0;
    for (const Socket& client : clients) {
        right += is_answered(client) ? 1 : 0;
        shutdown(client.fd(), SHUT_RDWR);
    }
    setrlimit(RLIMIT_NOFILE, &before);
    INFO("meanwhile it sleeps, although the listener is readable all the time");
    CHECK(used < spun / 2);
    CHECK(right == 6);
}

}  // namespace

TEST_CASE("5.7 when descriptors are used up the servers sleep until one is free") {
    check_used_up(serve_in_the_loop);
    check_used_up(serve_in_a_pool);
    check_used_up(serve_by_threads);
}
