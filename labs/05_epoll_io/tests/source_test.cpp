// Step 5.1: epoll as the source of events of lab 04's scheduler.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "labs/05_epoll_io/tests/support/stand.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;
using lab04::wait_readable;
using lab04::wait_writable;

namespace {

double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

TEST_CASE("5.1 a task waits for a real descriptor, and another for its time-out") {
    INFO("watch registers with the poller; its reports become events of lab 04");
    Stand stand;
    const Pair pair = Pair::pipe();
    Log log;
    go("reader", [&] {
        const Wake woken = wait_readable(pair.a);
        log.emplace_back(woken == Wake::event ? "reader event" : "reader ?");
    });
    go("impatient", [&] {
        const Wake woken = wait_readable(pair.a, 5 * kMicrosecond);
        log.emplace_back(woken == Wake::timeout ? "impatient timeout" : "impatient ?");
    });
    later(20 * kMicrosecond, "writer", [&] { static_cast<void>(system_calls().write(pair.b, "x", 1)); });
    CHECK(stand.run() == "");
    CHECK(log == Log{"impatient timeout", "reader event"});
}

TEST_CASE("5.1 a descriptor is registered at the first wait, and stays so") {
    INFO("store the registrations: a second wait for the same direction costs no epoll_ctl");
    Stand stand;
    const Pair pair = Pair::pipe();
    const std::uint64_t before = call_counts().epoll_ctl;
    CHECK(stand.run("reader", [&] {
        for (int i = 0; i < 10; ++i) {
            static_cast<void>(system_calls().write(pair.b, "x", 1));
            wait_readable(pair.a);
            char byte;
            static_cast<void>(system_calls().read(pair.a, &byte, 1));
        }
    }) == "");
    INFO("ten waits, one system call to register");
    CHECK(call_counts().epoll_ctl - before == 1);
    CHECK(stand.source.registered() == 1);
}

TEST_CASE("5.1 a task that has read a part of the data and waits again is woken for the rest") {
    INFO("register level-triggered: with EPOLLET data that arrived before the wait are not reported");
    Stand stand;
    const Pair pair = Pair::sockets();
    pair.write("ab");
    Log log;
    char byte;
    go([&] {
        for (int part = 0; part < 2; ++part) {
            log.emplace_back(wait_readable(pair.a, kMicrosecond) == Wake::event ? "readable" : "not reported");
            static_cast<void>(!system_calls().read(pair.a, &byte, 1));
        }
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"readable", "readable"});
}

TEST_CASE("5.1 an event without waiters is disarmed, so that the loop does not spin") {
    INFO("an event without waiters is removed from the poller");
    Stand stand(kRealTime);
    const Pair pair = Pair::pipe();
    bool registered_once = false;
    go([&] { wait_readable(pair.a, kMillisecond); }, "impatient");
    go("writer", [&] {
        registered_once = stand.source.registered() == 1;
        sleep_for(3 * kMillisecond);
        static_cast<void>(system_calls().write(pair.b, "x", 1));
        const std::uint64_t before = call_counts().epoll_wait;
        sleep_for(30 * kMillisecond);
        const std::uint64_t waits = call_counts().epoll_wait - before;
        if (waits > 4) throw std::runtime_error(std::to_string(waits) + " waits while nothing happens");
    });
    CHECK(stand.run() == "");
    INFO("the impatient task's wait registered it, and the event without waiters removed it again");
    CHECK(registered_once);
    INFO("the pipe can still be read, but no task waits");
    CHECK(stand.source.registered() == 0);
}

TEST_CASE("5.1 a disarmed descriptor is registered again when a task waits") {
    INFO("store that it was removed: the next wait registers again");
    Stand stand;
    const Pair pair = Pair::sockets();
    bool readable = false;
    go([&] { wait_writable(pair.a); }, "writer");
    go("reader", [&] {
        wait_readable(pair.a, kMicrosecond);
        static_cast<void>(system_calls().write(pair.b, "x", 1));
        sleep_for(5 * kMicrosecond);
        readable = wait_readable(pair.a) == Wake::event;
    });
    CHECK(stand.run() == "");
    CHECK(readable);
}

TEST_CASE("5.1 one task waits for reading and one for writing on one descriptor") {
    EXPECTS("one registration combines all directions: read and write together");
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    Pair& ends = const_cast<Pair&>(pair);
    std::swap(ends.a, ends.b);
    pair.fill();
    go("reader", [&] {
        wait_readable(pair.b);
        log.emplace_back("readable");
    });
    go("writer", [&] {
        wait_writable(pair.b);
        log.emplace_back("writable");
    });
    later(10 * kMicrosecond, "peer", [&] {
        static_cast<void>(system_calls().write(pair.a, "x", 1));
        sleep_for(10 * kMicrosecond);
        std::string much(1 << 20, ' ');
        while (system_calls().read(pair.a, much.data(), much.size()) > 0) {
        }
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"readable", "writable"});
}

TEST_CASE("5.1 when the peer is gone, readers and writers are woken") {
    EXPECTS("EPOLLHUP and EPOLLERR wake readers and writers");
    Stand stand;
    Pair read_from = Pair::pipe(), written_to = Pair::pipe();
    written_to.fill();
    int told = 0;
    go([&] { told += wait_readable(read_from.a) == Wake::event ? 1 : 0; }, "reader");
    go([&] { told += wait_writable(written_to.b) == Wake::event ? 1 : 0; }, "writer");
    later(10 * kMicrosecond, "peer", [&] {
        read_from.close_b();
        written_to.close_a();
    });
    CHECK(stand.run() == "");
    CHECK(told == 2);
}

TEST_CASE("5.1 a descriptor that epoll refuses is always ready: the call itself reports the error") {
    EXPECTS("a descriptor that epoll refuses is not registered: the second wait must try, and be refused, again");
    Stand stand;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int told = 0;
    go("reads a file", [&] {
        for (int times = 0; times < 2; ++times) told += wait_readable(file) == Wake::event ? 1 : 0;
    });
    go([&] { told += wait_readable(250) == Wake::event ? 1 : 0; }, "reads nothing");
    CHECK(stand.run() == "");
    CHECK(told == 3);
    system_calls().close(file);
}

TEST_CASE("5.1 a descriptor that was closed and opened again is registered again") {
    INFO("EPOLL_CTL_MOD of a new file fails with ENOENT: add it then");
    Stand stand;
    const Pair keep = Pair::sockets(), full = Pair::sockets();
    full.fill();
    const int fd = dup(keep.a);
    int told = 0;
    CHECK(stand.run("reuser", [&] {
        wait_readable(fd, kMicrosecond);
        system_calls().close(fd);
        system_calls().dup2(full.b, fd);
        told += wait_writable(fd, kMicrosecond) == Wake::timeout ? 1 : 0;
    }) == "");
    CHECK(told == 1);
    INFO("the new descriptor is registered under that number: otherwise it would not be reported");
    CHECK(stand.source.registered() == 1);
    system_calls().close(fd);
}

namespace {

/// Tasks wait for `count` pipes, which are then written to in some order. The descriptors in the order of the wake-ups,
/// and sorted.
struct Woken {
    std::vector<int> order, sorted;
};
Woken wake_all(std::size_t count) {
    Stand stand;
    std::vector<Pair> pairs;
    Woken woken;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back(Pair::pipe());
    for (std::size_t i = count; i-- > 0;)
        go("reader", [&, i] {
            wait_readable(pairs[i].a);
            woken.order.push_back(pairs[i].a);
        });
    go("writer", [&] {
        for (std::size_t i = 0; i < count; ++i)
            static_cast<void>(system_calls().write(pairs[(i * 7) % count].b, "x", 1));
    });
    INFO("every event wakes its task, so that the run ends");
    CHECK(stand.run() == "");
    for (const Pair& pair : pairs) woken.sorted.push_back(pair.a);
    std::sort(woken.sorted.begin(), woken.sorted.end());
    return woken;
}

}  // namespace

TEST_CASE("5.1 many events at once: each finds its task") {
    INFO("events that do not fit into the buffer are reported by the next look");
    Woken woken = wake_all(60);
    std::sort(woken.order.begin(), woken.order.end());
    CHECK(woken.order == woken.sorted);
}

TEST_CASE("5.1 under the virtual clock the events of one look come in order of descriptors") {
    INFO(
        "under the virtual clock the events of one look are reported in order of descriptors, so that a run is "
        "reproducible");
    const Woken woken = wake_all(Epoller::kFirstRoom);
    CHECK(woken.order == woken.sorted);
}

TEST_CASE("5.1 a closed descriptor that has a copy is removed first: no event comes for its number") {
    INFO("remove it with EPOLL_CTL_DEL before the close: a copy keeps it registered");
    Stand stand;
    const Pair pair = Pair::pipe();
    const int fd = dup(pair.a);
    std::size_t before = 0, after = 99;
    CHECK(stand.run("closes", [&] {
        wait_readable(fd, kMicrosecond);
        before = stand.source.registered();
        stand.source.close(fd);
        static_cast<void>(system_calls().write(pair.b, "x", 1));
        after = stand.source.epoller().wait(0).size();
    }) == "");
    CHECK(before == 1);
    CHECK(after == 0);
}

namespace {

/// One task waits for a pipe, another sleeps for a second: the number of wake-ups of the loop, and its CPU time
void check_idle(const char* strategy, unsigned machines) {
    constexpr std::uint64_t kIdle = kSecond;
    double used = 0;
    const auto file = kit::testing::scratch_trace("used");
    const trace::Trace recorded = trace_of("idle", [&] {
        use_real_time();
        EpollSource source;
        lab04::Scheduler sched(lab04::Settings{.strategy = strategy, .source = &source, .machines = machines});
        const Pair pair = Pair::pipe();
        const Handle reader = go([&] { wait_readable(pair.a); }, "reader");
        go("sleeper", [&] {
            if (machines > 1) sleep_for(kIdle / 10);  // until all of them have started
            const double before = cpu_seconds();
            sleep_for(kIdle);
            std::ofstream(file) << cpu_seconds() - before;
            lab04::cancel(reader);
        });
        static_cast<void>(sched.run());
    });
    std::ifstream(file) >> used;
    std::filesystem::remove(file);
    INFO("while nothing happens the loop waits in the poller until the deadline, and uses no CPU time");
    CHECK(used < 0.05);  // s; a loop that spins uses more, even on a busy computer
    const std::size_t waits = count(recorded, trace::Kind::poll, trace::PollPhase::leave);
    CHECK(waits >= 1);
    INFO("with several machines each that starts, or gets a task, may end another's wait");
    CHECK(waits <= (machines == 1 ? 3 : 3 + machines));
}

}  // namespace

TEST_CASE("5.1 while nothing happens no machine wakes up: sylar's scheduler on three machines") {
    check_idle("sylar", 3);
}

TEST_CASE("5.1 under the real clock too, a task that waits for a file does not wait for anything else") {
    INFO("the run ends when its task has ended");
    record_nothing();
    Stand stand(kRealTime);
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    std::atomic<bool> went_on{false}, given_up{false};
    bool waited = true;
    go("reads a file", [&] {
        wait_readable(file);
        waited = given_up;
        went_on = true;
    });
    std::thread patience([&] {
        for (int i = 0; i < 120 && !went_on; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        given_up = true;
        stand.source.wake();
    });
    CHECK(stand.run() == "");
    patience.join();
    INFO("a descriptor that epoll refuses is ready at once: the poller must only poll then, and not wait");
    CHECK_FALSE(waited);
    INFO(
        "no task waits for a descriptor any more: otherwise a program whose tasks are all parked is never reported "
        "as stuck");
    CHECK_FALSE(stand.source.expects_any());
    system_calls().close(file);
}

TEST_CASE("5.1 a descriptor that epoll refuses is reported once for each wait, and the loop still sleeps") {
    INFO("EPERM: the descriptor is always ready, so its wait ends at once");
    record_nothing();
    Stand stand(kRealTime);
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const std::uint64_t before = call_counts().epoll_wait;
    go([&] { wait_readable(file); }, "reads a file");
    go([] { sleep_for(50 * kMillisecond); }, "sleeps");
    CHECK(stand.run() == "");
    INFO("reported again and again, it keeps the poller from waiting");
    CHECK(call_counts().epoll_wait - before < 10);
    system_calls().close(file);
}
