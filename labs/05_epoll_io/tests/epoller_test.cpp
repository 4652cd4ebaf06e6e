// Step 5.1: the poller.
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <set>
#include <stop_token>
#include <thread>

#include "labs/05_epoll_io/tests/support/stand.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/threads.h"
#include "testing/sanitized.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// Describes the result of a wait: "7 in", "9 in out".
std::set<std::string> look(Epoller& poller) {
    std::set<std::string> seen;
    for (const epoll_event& event : poller.wait(0))
        seen.insert(std::to_string(event.data.fd) + ((event.events & EPOLLIN) != 0 ? " in" : "") +
                    ((event.events & EPOLLOUT) != 0 ? " out" : "") + ((event.events & EPOLLHUP) != 0 ? " hup" : ""));
    return seen;
}

std::string in(int fd) { return std::to_string(fd) + " in"; }

}  // namespace

TEST_CASE("5.1 the poller reports what is ready, and nothing else") {
    INFO("add passes the events on to epoll_ctl, with the descriptor as data");
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

TEST_CASE("5.1 modify changes the watched events, remove ends the watch") {
    INFO("modify is EPOLL_CTL_MOD, remove is EPOLL_CTL_DEL");
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

TEST_CASE("5.1 if epoll refuses, the error is in errno") {
    INFO("add, modify and remove return false and leave errno as epoll_ctl has set it");
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

TEST_CASE("5.1 level-triggered reports a state again, edge-triggered only its changes") {
    INFO("Trigger::edge adds EPOLLET; without it epoll reports as long as it is true");
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
    INFO("a reader that takes only a part and waits for the next edge misses the rest");
    CHECK(look(poller) == std::set<std::string>{in(level.a)});
    edge.write("more");
    CHECK(look(poller) == std::set<std::string>{in(level.a), in(edge.a)});
    INFO("modify applies the trigger again, too");
    REQUIRE(poller.modify(level.a, EPOLLIN, Trigger::edge));
    CHECK(look(poller) == std::set<std::string>{in(level.a)});
    CHECK(look(poller).empty());
}

TEST_CASE("5.1 the poller's descriptors are closed on exec and by its destructor") {
    INFO("create epoll and eventfd with CLOEXEC, and close both in the destructor");
    const std::set<int> before = open_descriptors();
    {
        Epoller poller;
        int made = 0;
        for (const int fd : open_descriptors()) {
            if (before.contains(fd)) continue;
            ++made;
            INFO(kit::told(message("descriptor {0}", fd)));
            CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
        }
        CHECK(made == 2);
    }
    CHECK(open_descriptors() == before);
}

TEST_CASE("5.1 the buffer begins with 16 entries and grows when it is full") {
    INFO("a wait that fills the buffer doubles it for the next");
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
    INFO("each wait finds twice as many as the previous one, until it finds all");
    CHECK(seen.size() == 100);
    CHECK(poller.room() == 128);
    CHECK(poller.wait(0).size() == 100);
}

TEST_CASE("5.1 a buffer filled by the wake-up doubles too") {
    INFO("check whether the buffer is full before you remove the wake-up from it");
    Epoller poller;
    poller.wake();
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < Epoller::kFirstRoom + 4; ++i) {
        pairs.push_back(Pair::pipe());
        REQUIRE(poller.add(pairs.back().a, EPOLLIN));
        pairs.back().write("x");
    }
    CHECK(poller.wait(0).size() == Epoller::kFirstRoom - 1);
    CHECK(poller.wait(0).size() == Epoller::kFirstRoom + 4);
}

TEST_CASE("5.1 a wake ends the next wait, once, and is not reported as an event") {
    EXPECTS("a wake writes to the eventfd; the wait drains it and does not report it");
    Epoller poller;
    const Pair pair = Pair::pipe();
    REQUIRE(poller.add(pair.a, EPOLLIN));
    const auto only = [&poller] {
        const auto events = poller.wait(kNever);
        return events.size() == 1 ? events[0].data.fd : -1;
    };
    for (int i = 0; i < 2; ++i) poller.wake();
    CHECK(poller.wait(kNever).empty());
    poller.wake();  // before the event
    pair.write("x");
    CHECK(only() == pair.a);
    CHECK(only() == pair.a);
    poller.wake();  // after the event
    CHECK(only() == pair.a);
    {
        INFO("the buffer holds as many events as this wait has found; after them are those of an earlier one");
        CHECK(poller.wait(kNever).size() == 1);
    }
    INFO("all wakes are consumed: the next wait waits");
    REQUIRE(poller.remove(pair.a));
    use_real_time();
    CHECK(poller.wait(3 * kMillisecond).empty());
    CHECK(kit::now() >= 3 * kMillisecond);
}

TEST_CASE("5.1 a wake from another thread ends a wait that has begun") {
    INFO("a wake is an event of epoll: it ends a wait in progress on another thread");
    Epoller poller;
    std::atomic<bool> woken{false};
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        woken = true;
        poller.wake();
    });
    const bool nothing = poller.wait(kNever).empty(), not_before = woken;
    other.join();
    CHECK(nothing);
    INFO("nothing else ends a wait without a limit");
    CHECK(not_before);
}

TEST_CASE("5.1 a wait ends at its time-out, not before") {
    INFO("round the time-out up to what epoll_wait or epoll_pwait2 takes, never down");
    use_real_time();
    Epoller poller;
    const std::uint64_t before = kit::now(), calls = call_counts().epoll_wait;
    CHECK(poller.wait(3 * kMillisecond).empty());
    CHECK(call_counts().epoll_wait > calls);
    CHECK(kit::now() - before >= 3 * kMillisecond);
}

TEST_CASE("5.1 a signal ends a wait, without an error") {
    EXPECTS("for EINTR return an empty list of events: do not wait again, the caller may have something to do");
    Epoller poller;
    static volatile std::sig_atomic_t rang = 0;
    rang = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { rang = 1; };
    sigaction(SIGALRM, &action, nullptr);
    // It rings repeatedly while this thread sleeps: the first ring may be before the wait has begun.
    std::jthread bell([waiting = gettid(), thread = pthread_self()](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            if (kit::testing::sleeps(waiting)) pthread_kill(thread, SIGALRM);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    const bool empty = poller.wait(kNever).empty();
    const bool by_the_signal = rang == 1;
    bell.request_stop();
    bell.join();
    CHECK(empty);
    CHECK(by_the_signal);
}

TEST_CASE("5.1 one task waits alternately to read and to write: staying registered costs no call") {
    INFO("watch adds a direction to the armed ones; it removes none that has not been reported");
    constexpr int kTurns = 50;
    Stand stand;
    Pair pair = Pair::sockets();
    pair.fill();  // b is neither readable nor writable
    std::uint64_t calls = 0;
    go([&] {
        const std::uint64_t before = call_counts().epoll_ctl;
        for (int i = 0; i < kTurns; ++i) {
            lab04::wait_readable(pair.b, kMillisecond);
            lab04::wait_writable(pair.b, kMillisecond);
        }
        calls = call_counts().epoll_ctl - before;
    });
    CHECK(stand.run() == "");
    CHECK(calls <= 2);
}

TEST_CASE("5.1 a hang-up wakes a task that waits for errors only") {
    INFO("a hang-up is also an error: wake a task that polls only for errors");
    Stand stand;
    Pair pair = Pair::pipe();
    lab04::Wake woken = lab04::Wake::cancelled;
    go([&] {
        PollItem item;
        item.fd = pair.a;
        item.events = EPOLLERR;
        item.task = &lab04::running_task();
        stand.source.watch(item);
        woken = lab04::park_for("a hang-up", 50 * kMillisecond);
        stand.source.unwatch(item);
    });
    go([&] { pair.close_b(); });
    CHECK(stand.run() == "");
    CHECK(woken == lab04::Wake::event);
}

TEST_CASE("5.1 a poller whose creation fails leaves no descriptor open") {
#ifdef FIBERSCOPE_SANITIZED
    SUCCEED("UndefinedBehaviorSanitizer needs a descriptor itself to check an object's type");
    return;
#endif
    const std::set<int> before = open_descriptors();
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    int next = 0;
    while (before.contains(next)) ++next;
    const rlimit one_more{static_cast<rlim_t>(next) + 1, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &one_more);
    bool refused = false;
    try {
        const Epoller poller;
    } catch (const std::system_error&) {
        refused = true;
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    INFO(
        "there is a number for the epoll descriptor but not for an eventfd: the constructor closes the first one "
        "and throws");
    CHECK(refused);
    CHECK(open_descriptors() == before);
}

TEST_CASE("5.1 errors of the kernel other than a signal are thrown") {
    INFO("-1 with EINTR is an empty result; throw any other error, or the loop spins on it");
    const std::set<int> before = open_descriptors();
    Epoller poller;
    int made = 0;
    while (made < 256 && (before.contains(made) || fcntl(made, F_GETFD) < 0)) ++made;
    REQUIRE(system_calls().close(made) == 0);
    CHECK_THROWS_AS(poller.wait(0), std::system_error);
}

TEST_CASE("5.1 after an early wait no event is reported for a descriptor that was removed since") {
    INFO("remove also takes the descriptor out of the events found early");
    Epoller poller;
    const Pair one = Pair::sockets(), two = Pair::sockets();
    for (const Pair* pair : {&one, &two}) {
        poller.add(pair->a, EPOLLIN);
        static_cast<void>(!system_calls().write(pair->b, "x", 1));
    }
    poller.wait_ahead(0);
    poller.remove(one.a);
    std::vector<int> told;
    for (const epoll_event& event : poller.wait(0)) told.push_back(event.data.fd);
    CHECK(told == std::vector<int>{two.a});
    INFO("a removal before a wait has no effect on the next one");
    poller.wait_ahead(0);
    CHECK(poller.wait(0).size() == 1);
}

// ---- the source, without tasks --------------------------------------------------------------------------------------

namespace {

/// Describes the events of a look of the source: "7 read, 7 write".
std::string told_by(EpollSource& source) {
    std::string all;
    for (const Event& event : source.collect(kit::now()))
        all += (all.empty() ? "" : ", ") + std::to_string(event.fd) + (event.want == Want::read ? " read" : " write");
    return all;
}

}  // namespace

TEST_CASE("5.1 an event is reported for its direction, if a task waits for that direction") {
    INFO("EPOLLIN is for readers, EPOLLOUT for writers, and each only if one waits");
    EpollSource source;
    const Pair idle = Pair::sockets(), full = Pair::sockets();
    for (const Pair* pair : {&idle, &full})
        for (const Want want : {Want::read, Want::write}) source.watch(pair->b, want);
    full.fill();
    system_calls().sendto(full.a, "x", 1, MSG_DONTWAIT, nullptr, 0);
    INFO("one end is writable and has nothing to read, the other one is full and has something");
    CHECK(told_by(source) == std::to_string(idle.b) + " write, " + std::to_string(full.b) + " read");
    system_calls().sendto(idle.a, "x", 1, MSG_DONTWAIT, nullptr, 0);
    source.unwatch(idle.b, Want::write);
    source.unwatch(full.b, Want::read);
    INFO("the writer of the first and the reader of the second no longer wait");
    CHECK(told_by(source) == std::to_string(idle.b) + " read");
    source.unwatch(idle.b, Want::read);
    source.unwatch(full.b, Want::write);
}

TEST_CASE("5.1 an event is reported by one look only") {
    INFO("begin each look with an empty list: events of the previous look have been reported");
    EpollSource source;
    const Pair pair = Pair::pipe();
    source.watch(pair.a, Want::read);
    pair.write("x");
    CHECK(told_by(source) == std::to_string(pair.a) + " read");
    char byte;
    REQUIRE(system_calls().read(pair.a, &byte, 1) == 1);
    for (int look = 0; look < 3; ++look) CHECK(told_by(source).empty());
    source.unwatch(pair.a, Want::read);
}

TEST_CASE("5.1 errno is used only after epoll has failed") {
    INFO("read errno only after a call that has failed: otherwise it is an earlier call's");
    EpollSource source;
    const Pair pair = Pair::sockets();
    pair.fill();
    const std::uint64_t before = call_counts().epoll_ctl;
    for (const Want want : {Want::read, Want::write}) {
        set_last_error(ENOENT);
        source.watch(pair.b, want);
    }
    CHECK(call_counts().epoll_ctl - before == 2);
    CHECK(told_by(source).empty());
    for (const Want want : {Want::read, Want::write}) source.unwatch(pair.b, want);
}
