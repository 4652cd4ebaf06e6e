// Step 5.7: the two servers without coroutines.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support/plain.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/05_epoll_io/tests/support/scarce.h"
#include "labs/05_epoll_io/tests/support/stand.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/threads.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// While true, no wait of epoll has a timeout: only events end waits.
std::atomic<bool> waits_have_no_limit{false};
std::atomic<int> waits{0}, waits_without_limit{0};  // the latter: those that had a timeout

}  // namespace

#ifdef FIBERSCOPE_TSAN
/// ThreadSanitizer orders only after EPOLL_CTL_ADD: after another thread's EPOLL_CTL_MOD it reports a close as a race.
/// It takes the connect at the end of the previous test for the creation of the descriptor: a race with any epoll_ctl.
extern "C" const char* __tsan_default_suppressions() { return "race_top:^close$\nrace_top:^connect$\n"; }
#else  // ThreadSanitizer intercepts the C library's function
extern "C" int epoll_wait(int poller, epoll_event* events, int room, int limit) {
    const bool for_ever = waits_have_no_limit && limit > 0;
    if (for_ever) ++waits_without_limit;
    ++waits;
    return static_cast<int>(
        syscall(SYS_epoll_pwait, poller, events, room, for_ever ? -1 : limit, nullptr, std::size_t{8}));
}
#endif

namespace {

const char* name_of(void (*serve)(const PlainServer&)) {
    return serve == serve_in_the_loop ? "serve_in_the_loop"
           : serve == serve_in_a_pool ? "serve_in_a_pool"
                                      : "serve_by_threads";
}

/// Sanitizers open files of their own now and then: count only sockets.
std::size_t open_sockets() {
    std::size_t open = 0;
    for (int fd = 0; fd < 512; ++fd) {
        struct stat status {};
        open += fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? 1U : 0U;
    }
    return open;
}

/// Message sizes of consecutive loads. Under ThreadSanitizer only one, so that no number is reused: it reports a number
/// that one thread has closed and another gets from the kernel as a race.
std::vector<std::size_t> sizes() {
    if (kit::kUnderTsan) return {64};
    return {1, 64, 50'000};
}

void check_server(void (*serve)(const PlainServer&), const char* sentence = "") {
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
            INFO("(messages of " << size << " bytes" << (result.first_error.empty() ? "" : ": ") << result.first_error
                                 << ")");
            INFO(sentence);
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
    EXPECTS("EPOLLONESHOT reports a descriptor once: the thread that has served it arms it again");
    check_server(serve_in_a_pool, "EPOLLONESHOT each time it is armed: otherwise two threads read from one descriptor");
    check_server(serve_by_threads);  // given; if the other two are not written, this proves nothing
}

namespace {

/// The wait of a server until it can continue to write: its number, or 0.
std::atomic<int> wait_to_write{0};

int note_waits_to_write(pollfd* items, nfds_t count, int limit) {
    static std::atomic<int> number{0};
    const bool to_write = count == 1 && items[0].events == POLLOUT;
    if (to_write) wait_to_write = ++number;
    const int ready = Replaced<&SystemCalls::poll>::before()(items, count, limit);
    if (to_write) wait_to_write = 0;
    return ready;
}

/// Sends to a server until it waits to write its answer, and stays in this wait for a while; or until many looks have
/// found no wait.
void send_until_it_waits(const Socket& deaf) {
    const std::string much(1 << 20, 'x');
    for (int looks = 0, same = 0, last = 0; same < 20 && looks < 5000; ++looks) {
        if (system_calls().sendto(deaf.fd(), much.data(), much.size(), MSG_DONTWAIT, nullptr, 0) > 0) continue;
        const int now = wait_to_write;
        same = now != 0 && now == last ? same + 1 : 0;
        last = now;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

/// Returns whether a second client is answered while the first one sends much and reads nothing.
bool serves_the_second(void (*serve)(const PlainServer&), int within_ms) {
    use_real_time();
    const Replaced<&SystemCalls::poll> noting(note_waits_to_write);
    const Running running(serve, plain(2));
    Socket deaf = running.client(), other = running.client();
    send_until_it_waits(deaf);
    system_calls().sendto(other.fd(), "hello", 5, 0, nullptr, 0);
    pollfd answer{other.fd(), POLLIN, 0};
    return system_calls().poll(&answer, 1, within_ms) == 1;
}

}  // namespace

TEST_CASE("5.7 a client that reads nothing stops the whole loop, but only one thread of the pool") {
    EXPECTS(
        "a loop that waits for one client to read serves no other; each thread of a pool waits only for its own "
        "client");
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

/// Returns the CPU time of a busy thread within `wall`, as a reference on a loaded computer.
double processor_ms_of_spinning(std::chrono::milliseconds wall) {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    timespec begin{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (const auto until = now() + wall; now() < until;) continue;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return 1e3 * static_cast<double>(end.tv_sec - begin.tv_sec) +
           1e-6 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
}

/// There are descriptors for three of six clients; the others are served when those end. No number is used by two
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
    for (const Socket& client : clients) {
        const bool even = (&client - clients.data()) % 2 == 0;
        const sockaddr_in address = address_of("127.0.0.1", even ? running.port() : running.second_port());
        system_calls().connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    const double used_before = processor_ms();
    const double spun = processor_ms_of_spinning(std::chrono::milliseconds(100));
    const double used = processor_ms() - used_before - spun;
    int right = 0;
    for (const Socket& client : clients) {
        right += is_answered(client) ? 1 : 0;
        shutdown(client.fd(), SHUT_RDWR);
    }
    setrlimit(RLIMIT_NOFILE, &before);
    INFO(kit::told(
        message("meanwhile {0} sleeps, although its two listeners are readable all the time", name_of(serve))));
    CHECK(used < spun / 2);
    CHECK(right == 6);
}

}  // namespace

TEST_CASE("5.7 when descriptors are used up the servers sleep until one is free") {
    EXPECTS("a server that has stopped watching its listeners watches them again after it has closed a descriptor");
    check_used_up(serve_in_the_loop);
    check_used_up(serve_in_a_pool);
    check_used_up(serve_by_threads);
}

namespace {

/// From some time on the pause has no limit, so only the close can end it.
bool a_close_ends_the_rest(void (*serve)(const PlainServer&)) {
    Scarce scarce(serve);
    scarce.next();
    waits_without_limit = 0;
    waits_have_no_limit = true;
    for (int look = 0; look < 5000 && !kit::kUnderTsan && waits_without_limit == 0; ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    scarce.end_the_one_before();
    const bool answered = is_answered(scarce.client());
    waits_have_no_limit = false;
    return answered;
}

bool looks_again_by_itself(void (*serve)(const PlainServer&)) {
    Scarce scarce(serve);
    scarce.next();
    scarce.more_descriptors();
    return is_answered(scarce.client());
}

}  // namespace

TEST_CASE("5.7 a connection that ends frees its descriptor for the next client at once") {
    use_real_time();
    EXPECTS("a close ends the listeners' pause before its time is up");
    CHECK(a_close_ends_the_rest(serve_in_the_loop));
    CHECK(a_close_ends_the_rest(serve_in_a_pool));
}

namespace {

std::ptrdiff_t threads_now() {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return std::distance(begin(all), end(all));
}

/// Counts the threads until `threads` are found, for a moment at most: a joined one may still be listed.
std::ptrdiff_t threads_soon(std::ptrdiff_t threads) {
    for (int tries = 0; tries < 20 && threads_now() != threads; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return threads_now();
}

/// A client has been answered, so all threads of the server exist.
std::ptrdiff_t threads_beside(void (*serve)(const PlainServer&), unsigned pool) {
    const Running running(serve, plain(pool));
    const std::ptrdiff_t before = 2;  // this thread, and the thread that calls `serve`
    if (!is_answered(running.client())) return -1;
    return threads_soon(before + (serve == serve_in_a_pool ? pool : 0)) - before;
}

}  // namespace

TEST_CASE("5.7 when the server has ended, the threads of its pool have ended too") {
    INFO("join them: they use variables on the stack of the function that is about to return");
    use_real_time();
    const Socket listener = Socket::listener("127.0.0.1", 0);
    const Socket stop(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    PlainServer server = plain(2);
    server.listeners = {listener.fd()};
    server.stop = stop.fd();
    server.sleep = 300'000'000;
    std::thread([] {}).join();  // ThreadSanitizer starts a thread of its own with the first one
    const std::ptrdiff_t before = threads_now();
    std::atomic<bool> stopped{false};
    std::thread client([&] {
        const Socket socket(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in address = address_of("127.0.0.1", listener.port());
        system_calls().connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        static_cast<void>(!system_calls().write(socket.fd(), "x", 1));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::uint64_t one = 1;
        stopped = true;
        static_cast<void>(!system_calls().write(stop.fd(), &one, sizeof one));
    });
    serve_in_a_pool(server);
    const bool until_the_stop = stopped;
    client.join();
    CHECK(until_the_stop);
    CHECK(threads_soon(before) <= before);
}

TEST_CASE("5.7 all threads of an idle pool end with the server") {
    EXPECTS("notify all threads at the end: a thread that is not notified waits forever, and the server waits for it");
    use_real_time();
    for (const unsigned threads : {1U, 3U}) {
        const Running running(serve_in_a_pool, plain(threads));
        INFO("a server answers its first client");
        CHECK(is_answered(running.client()));
        kit::testing::wait_until_all_others_sleep();  // a thread that has not started need not be notified
    }
}

TEST_CASE("5.7 the pool has the configured number of threads, and the loop has none") {
    if (kit::kUnderTsan) {
        SUCCEED("ThreadSanitizer has a thread of its own");
        return;
    }
    use_real_time();
    INFO("count the threads from 0, and stop before PlainServer::threads: one too many uses CPU time too");
    for (const unsigned threads : {1U, 2U, 5U}) CHECK(threads_beside(serve_in_a_pool, threads) == threads);
    CHECK(threads_beside(serve_in_the_loop, 3) == 0);
}

TEST_CASE("5.7 a server that pauses tries again by itself: other code may have closed a descriptor") {
    use_real_time();
    INFO("while listeners are not watched, the wait has a timeout: kUntilDescriptorsAreFree");
    CHECK(looks_again_by_itself(serve_in_the_loop));
    CHECK(looks_again_by_itself(serve_in_a_pool));
    CHECK(looks_again_by_itself(serve_by_threads));
}

namespace {

/// The only thread of the pool waits for a client that reads nothing, while the others are queued one after the other.
std::vector<std::size_t> order_of_answers(std::size_t count) {
    const Running running(serve_in_a_pool, plain(1));
    Socket deaf = running.client();
    std::vector<Socket> clients;
    for (std::size_t i = 0; i < count; ++i) clients.push_back(running.client());
    for (const Socket& client : clients)
        if (!is_answered(client)) return {};
    const std::string much(1 << 20, 'x');
    for (int quiet = 0; quiet < 20;) {
        if (system_calls().sendto(deaf.fd(), much.data(), much.size(), MSG_DONTWAIT, nullptr, 0) > 0) continue;
        ++quiet;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const Answers answers(clients);
    const std::uint64_t accepted = plain_figures().accepted;
    for (const Socket& client : clients) system_calls().sendto(client.fd(), "x", 1, 0, nullptr, 0);
    const Socket last = running.client();  // accepted after the loop has queued the others
    for (int look = 0; look < 5000 && plain_figures().accepted == accepted; ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::vector<std::size_t> order;
    std::string read(1 << 20, 'x');
    for (int look = 0; look < 5000 && order.size() < count; ++look) {
        system_calls().recvfrom(deaf.fd(), read.data(), read.size(), MSG_DONTWAIT, nullptr, nullptr);
        for (std::size_t next; (next = answers.next()) != Answers::kNone;) order.push_back(next);
    }
    return order;
}

}  // namespace

TEST_CASE("5.7 the pool serves descriptors in the order in which its loop found them") {
    use_real_time();
    INFO("first queued, first served: with a stack the first one waits while others come");
    CHECK(order_of_answers(5) == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("5.7 one wake-up accepts all pending connections") {
    if (kit::kUnderTsan) {
        SUCCEED("ThreadSanitizer intercepts epoll_wait, so that it is not counted here");
        return;
    }
    INFO("accept until the queue is empty: one epoll_wait per connection costs more system calls");
    for (const auto serve : {serve_in_the_loop, serve_in_a_pool}) {
        std::vector<Socket> clients;
        for (int i = 0; i < 50; ++i) clients.emplace_back(system_calls().socket(AF_INET, SOCK_STREAM, 0));
        const std::uint64_t before = plain_figures().accepted;
        waits = 0;
        const Running running(serve, plain(1), clients);
        for (int look = 0; look < 5000 && plain_figures().accepted < before + clients.size(); ++look)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(plain_figures().accepted == before + clients.size());
        CHECK(waits <= 10);
    }
}
