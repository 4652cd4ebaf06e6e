// Step 5.2: calls that end otherwise than by success; signals; and what the trace says.
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
        "close takes the descriptor out of the poller and wakes the tasks that wait for it, before the number is free");
    Stand stand;
    Pair pair = Pair::sockets();
    pair.fill();
    std::swap(pair.a, pair.b);
    Log log;
    const Handle reader = go([&] { log.push_back("reader " + take(pair.a)); }, "reader");
    const Handle writer = go([&] { log.push_back("writer " + result(put(pair.a, "x"))); }, "writer");
    go([&] { io::close(std::exchange(pair.a, -1)); }, "closer");
    go("patience", [&] {
        sleep_for(kMillisecond);  // one that was not woken ends by this, and not by an error of the scheduler's
        for (const Handle* left : {&reader, &writer}) lab04::cancel(*left);
    });
    go("idle", [&] {
        // a new one, by the number of the old one: its data are not for the task that waited for the old one
        lab04::yield();
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"reader EBADF", "writer EBADF"});
    CHECK(stand.source.registered() == 0);
}

TEST_CASE("5.2 the flags of a recv reach the kernel, beside those that are added") {
    INFO("MSG_TRUNC, MSG_OOB and MSG_ERRQUEUE mean something to the program: add your flags to its own");
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

/// Gives the reader on the other machine all the time that it needs to begin to wait.
int close_slowly(int fd) {
    if (fd == to_close) {
        closes_now = fd;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return Replaced<&SystemCalls::close>::before()(fd);
}

}  // namespace

TEST_CASE("5.2 close is one step: a task of another machine that begins to wait in the middle of it is woken") {
    INFO(
        "let the source close the descriptor: it forgets it, closes it, and wakes the tasks that have begun to wait "
        "meanwhile");
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

TEST_CASE("5.2 accept tells the source that a number is new, also where the old one was closed unseen") {
    INFO("what accept returns is a new descriptor: the poller must forget what it knew of that number");
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
        lab04::wait_readable(first, kMillisecond);  // it is registered now
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

TEST_CASE("5.2 a connect of a socket that connects already says so at once") {
    INFO("EALREADY is an error like any other: only EINPROGRESS is waited for");
    Stand stand;
    Socket listener = Socket::listener(kHere, 0);
    REQUIRE(listen(listener.fd(), 0) == 0);
    sockaddr_in address{};
    socklen_t size = sizeof address;
    REQUIRE(getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    std::vector<int> ends;
    std::string ended;
    CHECK(stand.run("client", [&] {
        // The queue takes one or two; a connection behind them is in progress until the listener accepts.
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

TEST_CASE("5.2 a cancelled task's call ends with ECANCELED, one whose deadline has passed with ETIMEDOUT") {
    INFO("what ended the wait decides: cancelled is ECANCELED, a passed deadline ETIMEDOUT");
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

TEST_CASE("5.2 errno is as it was, whatever others did meanwhile") {
    INFO("a call that succeeds leaves errno alone: keep it before the wait and put it back");
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

TEST_CASE("5.2 a signal in the middle of a call does not end it") {
    INFO("EINTR is no end: try again at once");
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
/// One reads what another one writes: the steps of their calls.
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
    INFO("a call that waits is woken by a look of the poller, which the trace has too");
    CHECK(count(recorded, trace::Kind::poll) >= 2);
    return log;
}
}  // namespace

TEST_CASE("5.2 the trace says why a task waits, and how its call ends") {
    INFO("a call records when it begins, when it waits, when it is ready and when it is done");
    CHECK(steps_of_calls(true) == Log{"reader recv call", "reader recv block", "writer send call", "writer send done",
                                      "reader recv ready", "reader recv done"});
}

TEST_CASE("5.2 recorded without details, a call is told when it waits and when it is done, and not when it begins") {
    INFO("without details only calls that wait are recorded");
    CHECK(steps_of_calls(false) ==
          Log{"reader recv block", "writer send done", "reader recv ready", "reader recv done"});
}

TEST_CASE("5.2 MSG_WAITALL waits for all of a stream; datagrams are not joined, and a look returns what there is") {
    INFO("MSG_WAITALL repeats on a stream until all is there; not on datagrams, and not with MSG_PEEK");
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

TEST_CASE(
    "5.2 connect to a local listener whose queue is full is no connection: it waits for room, until its deadline") {
    INFO("EAGAIN of a local connect is no connection: wait a moment and try again until the deadline");
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
