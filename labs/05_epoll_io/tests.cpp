// Step 5.1: the poller, and the source of events.
#include <dirent.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include "labs/05_epoll_io/tests_kit.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;
using lab04::wait_readable;
using lab04::wait_writable;

namespace {

/// What a look finds, in words: "7 in", "9 in out".
std::set<std::string> look(Epoller& poller) {
    std::set<std::string> seen;
    for (const epoll_event& event : poller.wait(0))
        seen.insert(std::to_string(event.data.fd) + ((event.events & EPOLLIN) != 0 ? " in" : "") +
                    ((event.events & EPOLLOUT) != 0 ? " out" : "") + ((event.events & EPOLLHUP) != 0 ? " hup" : ""));
    return seen;
}

std::string in(int fd) { return std::to_string(fd) + " in"; }

std::set<int> open_descriptors() {
    std::set<int> open;
    for (int fd = 0; fd < 256; ++fd)
        if (fcntl(fd, F_GETFD) >= 0) open.insert(fd);
    return open;
}

double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

TEST_CASE("5.1 the poller tells what is ready, and nothing else") {
    Epoller poller;
    const Pair one = Pair::pipe(), other = Pair::pipe(), both = Pair::sockets();
    CHECK(poller.add(one.a, EPOLLIN));
    CHECK(poller.add(other.a, EPOLLIN));
    CHECK(poller.add(both.a, EPOLLIN | EPOLLOUT));
    CHECK(look(poller) == std::set<std::string>{std::to_string(both.a) + " out"});
    one.write("x");
    both.write("x");
    CHECK(look(poller) == std::set<std::string>{in(one.a), std::to_string(both.a) + " in out"});
}

TEST_CASE("5.1 modify changes what is watched, remove ends it") {
    Epoller poller;
    const Pair pair = Pair::sockets();
    pair.write("x");
    REQUIRE(poller.add(pair.a, EPOLLOUT));
    CHECK(look(poller) == std::set<std::string>{std::to_string(pair.a) + " out"});
    CHECK(poller.modify(pair.a, EPOLLIN));
    CHECK(look(poller) == std::set<std::string>{in(pair.a)});
    CHECK(poller.remove(pair.a));
    CHECK(look(poller).empty());
}

TEST_CASE("5.1 what epoll refuses is told by errno") {
    Epoller poller;
    const Pair pair = Pair::pipe();
    CHECK_FALSE(poller.modify(pair.a, EPOLLIN));
    CHECK(errno == ENOENT);
    REQUIRE(poller.add(pair.a, EPOLLIN));
    CHECK_FALSE(poller.add(pair.a, EPOLLIN));
    CHECK(errno == EEXIST);
    CHECK_FALSE(poller.add(250, EPOLLIN));
    CHECK(errno == EBADF);
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    CHECK_FALSE(poller.add(file, EPOLLIN));
    CHECK(errno == EPERM);
    system_calls().close(file);
}

TEST_CASE("5.1 level-triggered tells again what is still true, edge-triggered only what becomes true") {
    Epoller poller;
    const Pair level = Pair::pipe(), edge = Pair::pipe();
    REQUIRE(poller.add(level.a, EPOLLIN));
    REQUIRE(poller.add(edge.a, EPOLLIN, Trigger::edge));
    level.write("two");
    edge.write("two");
    CHECK(look(poller) == std::set<std::string>{in(level.a), in(edge.a)});
    INFO("nothing was read: the level is still high, but there is no new edge");
    CHECK(look(poller) == std::set<std::string>{in(level.a)});
    char byte;
    REQUIRE(system_calls().read(edge.a, &byte, 1) == 1);
    INFO("who reads a part only and waits for the next edge leaves the rest lying");
    CHECK(look(poller) == std::set<std::string>{in(level.a)});
    edge.write("more");
    CHECK(look(poller) == std::set<std::string>{in(level.a), in(edge.a)});
}

TEST_CASE("5.1 the poller's descriptors are closed on exec, and closed at its end") {
    const std::set<int> before = open_descriptors();
    {
        Epoller poller;
        int made = 0;
        for (const int fd : open_descriptors()) {
            if (before.contains(fd)) continue;
            ++made;
            INFO("descriptor " << fd);
            CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
        }
        CHECK(made == 2);
    }
    CHECK(open_descriptors() == before);
}

TEST_CASE("5.1 the buffer begins with 16 places and grows when it is full") {
    Epoller poller;
    CHECK(poller.room() == 16);
    std::vector<Pair> pairs;
    for (int i = 0; i < 100; ++i) {
        pairs.push_back(Pair::pipe());
        REQUIRE(poller.add(pairs.back().a, EPOLLIN));
        pairs.back().write("x");
    }
    std::set<int> seen;
    for (int i = 0; i < 5; ++i)
        for (const epoll_event& event : poller.wait(0)) seen.insert(event.data.fd);
    INFO("each look finds twice as many as the one before, until it finds all");
    CHECK(seen.size() == 100);
    CHECK(poller.room() == 128);
    CHECK(poller.wait(0).size() == 100);
}

TEST_CASE("5.1 a wake ends the next wait, once, and is no event") {
    Epoller poller;
    const Pair pair = Pair::pipe();
    REQUIRE(poller.add(pair.a, EPOLLIN));
    poller.wake();
    poller.wake();
    CHECK(poller.wait(kNever).empty());
    pair.write("x");
    CHECK(poller.wait(kNever).size() == 1);
    poller.wake();
    const auto events = poller.wait(kNever);
    REQUIRE(events.size() == 1);
    CHECK(events[0].data.fd == pair.a);
    INFO("all wakes are used up: the next wait waits");
    REQUIRE(poller.remove(pair.a));
    use_real_time();
    CHECK(poller.wait(3 * kMillisecond).empty());
    CHECK(kit::now() >= 3 * kMillisecond);
}

TEST_CASE("5.1 a wake from another thread ends a wait that has begun") {
    Epoller poller;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        poller.wake();
    });
    const bool nothing = poller.wait(kNever).empty();
    other.join();
    CHECK(nothing);
}

TEST_CASE("5.1 a wait ends at its time-out, not before") {
    use_real_time();
    Epoller poller;
    const std::uint64_t before = kit::now();
    const bool nothing = poller.wait(3 * kMillisecond).empty();
    CHECK(nothing);
    CHECK(kit::now() - before >= 3 * kMillisecond);
}

TEST_CASE("5.1 a signal ends a wait, and is no error") {
    Epoller poller;
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, nullptr);
    const itimerval soon{{0, 0}, {0, 10'000}};
    setitimer(ITIMER_REAL, &soon, nullptr);
    CHECK(poller.wait(kNever).empty());
}

TEST_CASE("5.1 a task waits for a real descriptor, and another for its time-out") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::pipe();
    Log log;
    go(
        [&] {
            const Wake woken = wait_readable(pair.a);
            log.emplace_back(woken == Wake::event ? "reader event" : "reader ?");
        },
        "reader");
    go(
        [&] {
            const Wake woken = wait_readable(pair.a, 5 * kMicrosecond);
            log.emplace_back(woken == Wake::timeout ? "impatient timeout" : "impatient ?");
        },
        "impatient");
    go(
        [&] {
            sleep_for(20 * kMicrosecond);
            static_cast<void>(system_calls().write(pair.b, "x", 1));
        },
        "writer");
    CHECK(stand.run() == "");
    CHECK(log == Log{"impatient timeout", "reader event"});
}

TEST_CASE("5.1 a descriptor is registered at the first wait, and stays so") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::pipe();
    const std::uint64_t before = call_counts().epoll_ctl;
    go(
        [&] {
            for (int i = 0; i < 10; ++i) {
                static_cast<void>(system_calls().write(pair.b, "x", 1));
                wait_readable(pair.a);
                char byte;
                static_cast<void>(system_calls().read(pair.a, &byte, 1));
            }
        },
        "reader");
    CHECK(stand.run() == "");
    INFO("ten waits, one system call to register");
    CHECK(call_counts().epoll_ctl - before == 1);
    CHECK(stand.source.registered() == 1);
}

TEST_CASE("5.1 an event that nobody waits for is disarmed, so that nothing spins") {
    use_real_time();
    Stand stand;
    const Pair pair = Pair::pipe();
    go([&] { wait_readable(pair.a, kMillisecond); }, "impatient");
    go(
        [&] {
            sleep_for(3 * kMillisecond);
            static_cast<void>(system_calls().write(pair.b, "x", 1));
            const std::uint64_t before = call_counts().epoll_wait;
            sleep_for(30 * kMillisecond);
            const std::uint64_t waits = call_counts().epoll_wait - before;
            if (waits > 4) throw std::runtime_error(std::to_string(waits) + " waits while nothing happens");
        },
        "writer");
    CHECK(stand.run() == "");
    INFO("the pipe can still be read, but nobody asks");
    CHECK(stand.source.registered() == 0);
}

TEST_CASE("5.1 what was disarmed is registered again when somebody waits") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    bool readable = false;
    go([&] { wait_writable(pair.a); }, "writer");
    go(
        [&] {
            wait_readable(pair.a, kMicrosecond);
            static_cast<void>(system_calls().write(pair.b, "x", 1));
            sleep_for(5 * kMicrosecond);
            readable = wait_readable(pair.a) == Wake::event;
        },
        "reader");
    CHECK(stand.run() == "");
    CHECK(readable);
}

TEST_CASE("5.1 one waits for reading and one for writing on one descriptor") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    Pair& ends = const_cast<Pair&>(pair);
    std::swap(ends.a, ends.b);
    pair.fill();
    go(
        [&] {
            wait_readable(pair.b);
            log.emplace_back("readable");
        },
        "reader");
    go(
        [&] {
            wait_writable(pair.b);
            log.emplace_back("writable");
        },
        "writer");
    go(
        [&] {
            sleep_for(10 * kMicrosecond);
            static_cast<void>(system_calls().write(pair.a, "x", 1));
            sleep_for(10 * kMicrosecond);
            std::string much(1 << 20, ' ');
            while (system_calls().read(pair.a, much.data(), much.size()) > 0) {
            }
        },
        "peer");
    CHECK(stand.run() == "");
    CHECK(log == Log{"readable", "writable"});
}

TEST_CASE("5.1 when the peer is gone, readers and writers are told") {
    use_virtual_time();
    Stand stand;
    Pair read_from = Pair::pipe(), written_to = Pair::pipe();
    written_to.fill();
    int told = 0;
    go([&] { told += wait_readable(read_from.a) == Wake::event ? 1 : 0; }, "reader");
    go([&] { told += wait_writable(written_to.b) == Wake::event ? 1 : 0; }, "writer");
    go(
        [&] {
            sleep_for(10 * kMicrosecond);
            read_from.close_b();
            written_to.close_a();
        },
        "peer");
    CHECK(stand.run() == "");
    CHECK(told == 2);
}

TEST_CASE("5.1 what epoll refuses is always ready: the call itself says what is wrong") {
    use_virtual_time();
    Stand stand;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int told = 0;
    go([&] { told += wait_readable(file) == Wake::event ? 1 : 0; }, "reads a file");
    go([&] { told += wait_readable(250) == Wake::event ? 1 : 0; }, "reads nothing");
    CHECK(stand.run() == "");
    CHECK(told == 2);
    system_calls().close(file);
}

TEST_CASE("5.1 a descriptor that was closed and opened again is registered anew") {
    use_virtual_time();
    Stand stand;
    const Pair keep = Pair::sockets(), full = Pair::sockets();
    full.fill();
    const int fd = dup(keep.a);
    int told = 0;
    go(
        [&] {
            wait_readable(fd, kMicrosecond);
            system_calls().close(fd);
            dup2(full.b, fd);
            told += wait_writable(fd, kMicrosecond) == Wake::timeout ? 1 : 0;
        },
        "reuser");
    CHECK(stand.run() == "");
    CHECK(told == 1);
    INFO("there is no room: only one that is registered can tell");
    CHECK(stand.source.registered() == 1);
    system_calls().close(fd);
}

TEST_CASE("5.1 many events at once: each finds its task, in order of descriptors under the virtual clock") {
    use_virtual_time();
    Stand stand;
    std::vector<Pair> pairs;
    std::vector<int> woken, expected;
    for (int i = 0; i < 60; ++i) pairs.push_back(Pair::pipe());
    for (std::size_t i = pairs.size(); i-- > 0;)
        go(
            [&, i] {
                wait_readable(pairs[i].a);
                woken.push_back(pairs[i].a);
            },
            "reader");
    go(
        [&] {
            for (std::size_t i = 0; i < pairs.size(); ++i)
                static_cast<void>(system_calls().write(pairs[(i * 7) % pairs.size()].b, "x", 1));
        },
        "writer");
    CHECK(stand.run() == "");
    for (const Pair& pair : pairs) expected.push_back(pair.a);
    std::sort(woken.begin(), woken.end());
    std::sort(expected.begin(), expected.end());
    CHECK(woken == expected);
}

TEST_CASE("5.1 while nothing happens nobody wakes up") {
    constexpr std::uint64_t kIdle = kSecond / 2;
    double used = 0;
    const auto file = kit::testing::scratch_trace("used");
    const trace::Trace recorded = trace_of("idle", [&] {
        use_real_time();
        Stand stand;
        const Pair pair = Pair::pipe();
        const Handle reader = go([&] { wait_readable(pair.a); }, "reader");
        go(
            [&] {
                const double before = cpu_seconds();
                sleep_for(kIdle);
                std::ofstream(file) << cpu_seconds() - before;
                lab04::cancel(reader);
            },
            "sleeper");
        static_cast<void>(stand.run());
    });
    std::ifstream(file) >> used;
    std::filesystem::remove(file);
    CHECK(used < 0.005);
    std::size_t waits = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        waits +=
            recorded[i].kind == trace::Kind::poll && recorded[i].first<trace::PollPhase>() == trace::PollPhase::leave;
    CHECK(waits >= 1);
    CHECK(waits <= 3);
}
