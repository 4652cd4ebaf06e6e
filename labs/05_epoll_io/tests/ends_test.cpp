// Step 5.2: calls that do not end by success; signals; and the trace.
#include <sys/syscall.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "labs/05_epoll_io/tests/support/calls.h"
#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/kit/run/details.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.2 closing a descriptor wakes the tasks that wait for it: EBADF") {
    INFO(
        "close removes the descriptor from the poller and wakes the tasks that wait for it, before the number is free");
    Stand stand;
    Pair pair = Pair::sockets();
    pair.fill();
    std::swap(pair.a, pair.b);
    Log log;
    const Handle reader = go([&] { log.push_back("reader " + take(pair.a)); }, "reader");
    const Handle writer = go([&] { log.push_back("writer " + result(put(pair.a, "x"))); }, "writer");
    go([&] { io::close(std::exchange(pair.a, -1)); }, "closer");
    go("patience", [&] {
        sleep_for(kMillisecond);  // a task that was not woken ends here, not by an error of the scheduler
        for (const Handle* left : {&reader, &writer}) lab04::cancel(*left);
    });
    go("idle", [&] {
        // a new pair with the number of the old one: its data are not for the task that waited for the old one
        lab04::yield();
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"reader EBADF", "writer EBADF"});
    CHECK(stand.source.registered() == 0);
}

TEST_CASE("5.2 the flags of a recv reach the kernel, in addition to those that are added") {
    INFO("MSG_TRUNC, MSG_OOB and MSG_ERRQUEUE matter to the program: add your flags to its own");
    Stand stand;
    const Pair pair = Pair::sockets(SOCK_DGRAM);
    ssize_t size = 0;
    go([&] {
        char few[4];
        put(pair.b, "0123456789");
        size = io::recv(pair.a, few, sizeof few, MSG_TRUNC);
    });
    CHECK(stand.run() == "");
    CHECK(size == 10);
}

namespace {

std::atomic<int> closes_now{-1}, to_close{-1};

/// Gives the reader on the other machine the time to begin its wait.
int close_slowly(int fd) {
    if (fd == to_close) {
        closes_now = fd;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return Replaced<&SystemCalls::close>::before()(fd);
}

}  // namespace

TEST_CASE("5.2 close is atomic: a task on another machine that begins to wait during it is woken") {
    INFO(
        "let the source close the descriptor: it drops the registration, closes it, and wakes the tasks that have "
        "begun to wait meanwhile");
    record_nothing(kRealTime);
    EpollSource source;
    lab04::Scheduler sched(lab04::Settings{.strategy = "sylar", .source = &source, .machines = 2});
    Pair pair = Pair::sockets();
    to_close = pair.a;
    const Replaced<&SystemCalls::close> slow(close_slowly);
    std::atomic<bool> ended{false};
    bool cancelled = false;
    const Handle reader = sched.go(
        [&] {
            while (closes_now < 0) std::this_thread::yield();
            lab04::wait_readable(to_close);
            ended = true;
        },
        {}, {.pinned = 0});
    sched.go(
        [&] {
            io::close(std::exchange(pair.a, -1));
            for (int i = 0; i < 2000 && !ended; ++i) sleep_for(kMillisecond);
            cancelled = !ended;
            if (cancelled) lab04::cancel(reader);
        },
        {}, {.pinned = 1});
    CHECK(sched.run().empty());
    to_close = closes_now = -1;
    CHECK_FALSE(cancelled);
}

TEST_CASE("5.2 accept reports its number as new, even if the old one was closed behind the poller's back") {
    INFO("accept returns a new descriptor: the poller must drop its state for that number");
    Stand stand;
    const LocalListener listener(5);
    int clients[2] = {-1, -1}, first = -1, second = -1;
    lab04::Wake woken = lab04::Wake::cancelled;
    CHECK(stand.run("server", [&] {
        for (int& client : clients) {
            client = ::socket(AF_UNIX, SOCK_STREAM, 0);
            if (::connect(client, listener.address(), listener.size()) != 0) return;
        }
        first = io::accept(listener.fd(), nullptr, nullptr);
        lab04::wait_readable(first, kMillisecond);  // now it is registered
        syscall(SYS_close, first);                  // unseen
        second = io::accept(listener.fd(), nullptr, nullptr);
        static_cast<void>(!system_calls().write(clients[1], "x", 1));
        woken = lab04::wait_readable(second, kMillisecond);
    }) == "");
    CHECK(first > STDERR_FILENO);
    CHECK(first == second);
    CHECK(woken == lab04::Wake::event);
    for (const int end : {clients[0], clients[1], second}) system_calls().close(end);
}

TEST_CASE("5.2 a connect on a socket that is already connecting fails at once") {
    INFO("EALREADY is an error like any other: wait only for EINPROGRESS");
    Stand stand;
    Socket listener = Socket::listener(kHere, 0);
    REQUIRE(listen(listener.fd(), 0) == 0);
    sockaddr_in address{};
    socklen_t size = sizeof address;
    REQUIRE(getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    std::vector<int> ends;
    std::string ended;
    CHECK(stand.run("client", [&] {
        // The queue takes one or two; a further connection is in progress until the listener accepts.
        for (int i = 0; i < 8; ++i) {
            ends.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
            static_cast<void>(::connect(ends.back(), reinterpret_cast<sockaddr*>(&address), size));
        }
        const int failed =
            io::connect(ends.back(), reinterpret_cast<sockaddr*>(&address), size, deadline_after(kSecond));
        ended = failed < 0 && last_error() == EALREADY ? "EALREADY" : result(failed);
    }) == "");
    CHECK(ended == "EALREADY");
    for (const int end : ends) system_calls().close(end);
}

TEST_CASE("5.2 a cancelled call ends with ECANCELED, a call past its deadline with ETIMEDOUT") {
    INFO("the end of the wait decides: ECANCELED for a cancel, ETIMEDOUT for a passed deadline");
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    const Handle reader = go([&] { log.push_back("reader " + take(pair.a)); }, "reader");
    go("impatient", [&] {
        char byte;
        const long got = perform({"recv", pair.a, Want::read, deadline_after(5 * kMicrosecond)},
                                 [&] { return system_calls().recvfrom(pair.a, &byte, 1, 0, nullptr, nullptr); });
        log.push_back("impatient " + result(got));
        lab04::cancel(reader);
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"impatient ETIMEDOUT", "reader ECANCELED"});
    CHECK(kit::now() >= 5 * kMicrosecond);
}

TEST_CASE("5.2 errno is unchanged, whatever other tasks did meanwhile") {
    INFO("a call that succeeds does not change errno: save it before the wait and restore it");
    Stand stand;
    const Pair pair = Pair::sockets();
    int after = 0;
    std::string got;
    go("reader", [&] {
        set_last_error(ERANGE);
        got = take(pair.a);
        after = last_error();
    });
    go("writer", [&] {
        put(pair.b, "x");
        set_last_error(EDOM);
    });
    CHECK(stand.run() == "");
    CHECK(got == "x");
    CHECK(after == ERANGE);
}

TEST_CASE("5.2 a signal during a call does not end it") {
    INFO("retry at once after EINTR");
    Stand stand;
    const Pair pair = Pair::sockets();
    int tries = 0;
    long got = 0;
    CHECK(stand.run("interrupted", [&] {
        got = until_done({"recv", pair.a, Want::read}, [&]() -> long {
            set_last_error(EINTR);
            return ++tries <= 3 ? -1 : 7;
        });
    }) == "");
    CHECK(got == 7);
    CHECK(tries == 4);
}

TEST_CASE("5.2 outside of a task a call that would block is refused") {
    INFO("only a task can wait: outside of one the call throws a Misuse, and does not block");
    Stand stand;
    const Pair pair = Pair::sockets();
    const auto misuse = misuse_of([&] { take(pair.a); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == kit::MisuseKind::not_a_task);
}

namespace {
/// One task reads what another one writes: the steps of their calls.
Log steps_of_calls(bool details) {
    const trace::Trace recorded = trace_of(details ? "io" : "io_in_brief", [=] {
        kit::record_details(details);
        Stand stand;
        const Pair pair = Pair::sockets();
        go([&] { take(pair.a); }, "reader");
        go([&] { put(pair.b, "it"); }, "writer");
        static_cast<void>(stand.run());
    });
    Log log;
    for (const trace::Event& e : all_of(recorded, trace::Kind::io))
        log.push_back(std::string(recorded.name(e.co)) + " " + std::string(recorded.text(e.text).bytes()) + " " +
                      std::string(word(e.first<trace::IoPhase>())));
    INFO("a call that waits is woken by a look of the poller, which is in the trace too");
    CHECK(count(recorded, trace::Kind::poll) >= 2);
    return log;
}
}  // namespace

TEST_CASE("5.2 the trace shows why a task waits, and how its call ends") {
    INFO("a call records when it begins, when it waits, when it is ready and when it is done");
    CHECK(steps_of_calls(true) == Log{"reader recv call", "reader recv block", "writer send call", "writer send done",
                                      "reader recv ready", "reader recv done"});
}

TEST_CASE("5.2 recorded without details, a call appears when it waits and when it is done, and not when it begins") {
    INFO("without details only calls that wait are recorded");
    CHECK(steps_of_calls(false) ==
          Log{"reader recv block", "writer send done", "reader recv ready", "reader recv done"});
}

TEST_CASE("5.2 MSG_WAITALL waits for all bytes of a stream; it joins no datagrams, and a peek does not wait") {
    INFO("MSG_WAITALL repeats on a stream until all bytes are there; not on datagrams, and not with MSG_PEEK");
    Stand stand;
    const Pair stream = Pair::sockets(), datagrams = Pair::sockets(SOCK_DGRAM);
    Log log;
    const auto all = [](int fd, int more) {
        char buffer[4];
        const ssize_t n = io::recv(fd, buffer, sizeof buffer, MSG_WAITALL | more);
        return n < 0 ? result(n) : std::string(buffer, static_cast<std::size_t>(n));
    };
    go("reader", [&] {
        log.push_back(all(stream.a, 0));
        log.push_back(all(datagrams.a, 0));
        log.push_back(all(datagrams.a, 0));
        log.push_back(all(stream.a, MSG_PEEK));
        log.push_back(take(stream.a));
    });
    go("writer", [&] {
        for (const char* letter : {"p", "i", "n", "g"}) {
            put(stream.b, letter);
            put(datagrams.b, letter);
            sleep_for(kMicrosecond);
        }
        put(stream.b, "ab");
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"ping", "p", "i", "ab", "ab"});
}

TEST_CASE("5.2 connect to a local listener whose queue is full waits for room, until its deadline") {
    INFO("EAGAIN of a local connect means that the queue is full: sleep for a moment and try again until the deadline");
    Stand stand;
    const LocalListener listener(0);
    Log log;
    std::vector<int> ends;
    Handle cancelled;
    const auto client = [&](const char* name, std::uint64_t limit) {
        return go(name, [&, name, limit] {
            const int fd = ends.emplace_back(io::socket(AF_UNIX, SOCK_STREAM, 0));
            const int failed = io::connect(fd, listener.address(), listener.size(), deadline_after(limit));
            log.push_back(name + (" " + result(failed)));
            if (failed == 0) put(fd, name);
        });
    };
    client("first", kNever);
    client("patient", kNever);
    client("impatient", 5 * kMillisecond);
    cancelled = client("cancelled", kNever);
    later(10 * kMillisecond, "server", [&] {
        lab04::cancel(cancelled);
        for (int i = 0; i < 2; ++i) {
            ends.push_back(io::accept(listener.fd(), nullptr, nullptr));
            log.push_back("heard " + take(ends.back()));
        }
    });
    CHECK(stand.run() == "");
    CHECK(log ==
          Log{"first 0", "impatient ETIMEDOUT", "heard first", "cancelled ECANCELED", "patient 0", "heard patient"});
    for (const int end : ends) system_calls().close(end);
}
