// Step 5.2: the calls, between two ends within this process.
#include <sys/time.h>

#include <csignal>
#include <cstring>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests_kit.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// What a call returned: the number, or errno's name where it failed.
std::string result(long value) {
    if (value >= 0) return std::to_string(value);
    const int error = last_error();
    return error == EBADF        ? "EBADF"
           : error == EPIPE      ? "EPIPE"
           : error == ECONNRESET ? "ECONNRESET"
           : error == ECANCELED  ? "ECANCELED"
           : error == ETIMEDOUT  ? "ETIMEDOUT"
           : error == ENOTSOCK   ? "ENOTSOCK"
                                 : "errno " + std::to_string(error);
}

ssize_t put(int fd, const char* text) { return io::send(fd, text, std::strlen(text), 0); }

std::string take(int fd) {
    char buffer[256];
    const ssize_t n = io::recv(fd, buffer, sizeof buffer, 0);
    return n < 0 ? result(n) : std::string(buffer, static_cast<std::size_t>(n));
}

}  // namespace

TEST_CASE("5.2 a call is tried first: what is there needs no poller") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    pair.write("x");
    std::string got;
    const CallCounts before = call_counts();
    go([&] { got = take(pair.a); }, "reader");
    CHECK(stand.run() == "");
    CHECK(got == "x");
    CHECK(call_counts().io - before.io == 1);
    CHECK(call_counts().epoll_ctl == before.epoll_ctl);
    CHECK(call_counts().epoll_wait == before.epoll_wait);
}

TEST_CASE("5.2 a call that would block parks its task, and the others run") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    go(
        [&] {
            log.emplace_back("asks");
            log.push_back("gets " + take(pair.a));
        },
        "reader");
    go(
        [&] {
            log.emplace_back("answers");
            put(pair.b, "it");
        },
        "writer");
    CHECK(stand.run() == "");
    CHECK(log == Log{"asks", "answers", "gets it"});
}

TEST_CASE("5.2 a descriptor that blocks does not block the thread either") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    fcntl(pair.a, F_SETFL, 0);
    fcntl(pair.b, F_SETFL, 0);
    std::string got;
    std::size_t sent = 0;
    const std::string much(1 << 20, 'x');
    go([&] { got = take(pair.a); }, "reader");
    go([&] { put(pair.b, "it"); }, "writer");
    go([&] { sent = static_cast<std::size_t>(io::send(pair.a, much.data(), much.size(), 0)); }, "much");
    go(
        [&] {
            std::string all(much.size(), ' ');
            io::recv(pair.b, all.data(), all.size(), MSG_WAITALL);
        },
        "takes much");
    CHECK(stand.run() == "");
    CHECK(got == "it");
    CHECK(sent == much.size());
}

TEST_CASE("5.2 errors are those of the system call") {
    use_virtual_time();
    Stand stand;
    const Pair pipe = Pair::pipe();
    Log log;
    go(
        [&] {
            char byte = 'x';
            log.push_back(result(io::recv(-1, &byte, 1, 0)));
            log.push_back(result(io::send(-1, &byte, 1, 0)));
            log.push_back(result(io::recv(pipe.a, &byte, 1, 0)));
            log.push_back(result(io::accept(-1, nullptr, nullptr)));
            log.push_back(result(io::connect(-1, nullptr, 0)));
            log.push_back(result(io::socket(AF_INET, SOCK_STREAM | 0x70, 0)).substr(0, 5));
            log.push_back(result(io::close(-1)));
        },
        "careless");
    CHECK(stand.run() == "");
    CHECK(log == Log{"EBADF", "EBADF", "ENOTSOCK", "EBADF", "EBADF", "errno", "EBADF"});
}

TEST_CASE("5.2 send sends all: 64 MiB against a small buffer, and every byte comes in its place") {
    record_nothing();
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    const int small = 16 * 1024;
    setsockopt(pair.b, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    constexpr std::size_t kMuch = kit::kUnderTsan || kit::kUnderAsan ? 8U << 20U : 64U << 20U;
    std::vector<std::uint32_t> sent(kMuch / 4), got(kMuch / 4);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint32_t>(i * 2654435761U);
    ssize_t said = 0, taken = 0;
    go([&] { said = io::send(pair.b, sent.data(), kMuch, 0); }, "writer");
    go([&] { taken = io::recv(pair.a, got.data(), kMuch, MSG_WAITALL); }, "reader");
    CHECK(stand.run() == "");
    CHECK(said == static_cast<ssize_t>(kMuch));
    CHECK(taken == static_cast<ssize_t>(kMuch));
    CHECK((sent == got));
}

TEST_CASE("5.2 a peer that reads one byte a second holds up the one who sends to it, and nobody else") {
    record_nothing();
    use_virtual_time();
    Stand stand;
    Pair slow = Pair::sockets();
    const Pair quick = Pair::sockets();
    const int small = 1;
    setsockopt(slow.b, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    bool sent = false;
    std::uint64_t done = 0;
    int rounds = 0;
    go(
        [&] {
            const std::string much(12'000, 'x');
            sent = io::send(slow.b, much.data(), much.size(), 0) == 12'000;
            slow.close_b();
        },
        "writer");
    go(
        [&] {
            char byte;
            while (io::recv(slow.a, &byte, 1, 0) == 1) sleep_for(kSecond);
            done = kit::now();
        },
        "slow reader");
    for (const int end : {quick.a, quick.b})
        go(
            [&, end] {
                if (end == quick.a) put(end, "ping");
                for (int i = 0; i < 1000; ++i) {
                    take(end);
                    put(end, "ping");
                    ++rounds;
                }
            },
            "quick");
    CHECK(stand.run() == "");
    CHECK(sent);
    CHECK(done >= 12'000 * kSecond);
    CHECK(rounds == 2000);
}

TEST_CASE("5.2 after half of a connection is closed, the other half goes on") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    go(
        [&] {
            put(pair.a, "question");
            shutdown(pair.a, SHUT_WR);
            log.push_back("gets '" + take(pair.a) + "'");
            log.push_back("gets '" + take(pair.a) + "'");
        },
        "client");
    go(
        [&] {
            log.push_back("hears '" + take(pair.b) + "'");
            log.push_back("hears '" + take(pair.b) + "'");
            put(pair.b, "answer");
            shutdown(pair.b, SHUT_WR);
        },
        "server");
    CHECK(stand.run() == "");
    CHECK(log == Log{"hears 'question'", "hears ''", "gets 'answer'", "gets ''"});
}

TEST_CASE("5.2 who sends to one that is gone gets EPIPE, and no SIGPIPE") {
    use_virtual_time();
    signal(SIGPIPE, SIG_DFL);
    Stand stand;
    Pair pair = Pair::sockets(), full = Pair::sockets();
    full.fill();
    Log log;
    go([&] { log.push_back("waiting: " + result(put(full.b, "x"))); }, "waits for room");
    go(
        [&] {
            pair.close_a();
            full.close_a();
            log.push_back("new: " + result(put(pair.b, "x")));
        },
        "writer");
    CHECK(stand.run() == "");
    CHECK(log == Log{"new: EPIPE", "waiting: EPIPE"});
}

TEST_CASE("5.2 one task reads and one writes on the same descriptor") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    const std::string much(500'000, 'x');
    std::size_t sent = 0, got = 0;
    std::string heard;
    go([&] { heard = take(pair.a); }, "reads");
    go([&] { sent = static_cast<std::size_t>(io::send(pair.a, much.data(), much.size(), 0)); }, "writes");
    go(
        [&] {
            std::string all(much.size(), ' ');
            put(pair.b, "meanwhile");
            got = static_cast<std::size_t>(io::recv(pair.b, all.data(), all.size(), MSG_WAITALL));
        },
        "peer");
    CHECK(stand.run() == "");
    CHECK(heard == "meanwhile");
    CHECK(sent == much.size());
    CHECK(got == much.size());
}

TEST_CASE("5.2 two tasks read from one descriptor: each message goes to one of them, and both are served") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets(SOCK_SEQPACKET);
    std::vector<Log> logs(2);
    for (Log& log : logs)
        go(
            [&] {
                for (std::string got = take(pair.a); !got.empty(); got = take(pair.a)) {
                    log.push_back(got);
                    lab04::yield();
                }
            },
            "reader");
    go(
        [&] {
            for (const char* word : {"one", "two", "three", "four"}) {
                sleep_for(kMicrosecond);
                put(pair.b, word);
                put(pair.b, word);
            }
            sleep_for(kMicrosecond);
            put(pair.b, "for one of them");
            sleep_for(kMicrosecond);
            shutdown(pair.b, SHUT_WR);
        },
        "writer");
    CHECK(stand.run() == "");
    CHECK(logs[0] == Log{"one", "two", "three", "four", "for one of them"});
    INFO("who finds nothing waits again");
    CHECK(logs[1] == Log{"one", "two", "three", "four"});
}

TEST_CASE("5.2 closing a descriptor wakes those who wait for it: EBADF") {
    use_virtual_time();
    Stand stand;
    Pair pair = Pair::sockets();
    pair.fill();
    std::swap(pair.a, pair.b);
    Log log;
    go([&] { log.push_back("reader " + take(pair.a)); }, "reader");
    go([&] { log.push_back("writer " + result(put(pair.a, "x"))); }, "writer");
    go([&] { io::close(std::exchange(pair.a, -1)); }, "closer");
    go(
        [&] {
            // a new one, by the number of the old one: its data are not for who waited for the old one
            lab04::yield();
        },
        "idle");
    CHECK(stand.run() == "");
    CHECK(log == Log{"reader EBADF", "writer EBADF"});
    CHECK(stand.source.registered() == 0);
}

TEST_CASE("5.2 who waited for a descriptor that was closed does not read from the next of its number") {
    use_virtual_time();
    Stand stand;
    const Pair other = Pair::sockets();
    Pair pair = Pair::sockets();
    other.write("for somebody else");
    std::string got;
    const int fd = pair.a;
    go([&] { got = take(fd); }, "reader");
    go(
        [&] {
            io::close(std::exchange(pair.a, -1));
            dup2(other.a, fd);
        },
        "closer");
    CHECK(stand.run() == "");
    CHECK(got == "EBADF");
    system_calls().close(fd);
}

TEST_CASE("5.2 a cancelled task's call ends with ECANCELED, one whose deadline has passed with ETIMEDOUT") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    const Handle reader = go([&] { log.push_back("reader " + take(pair.a)); }, "reader");
    go(
        [&] {
            char byte;
            const long got = perform({"recv", pair.a, Want::read, deadline_after(5 * kMicrosecond)},
                                     [&] { return system_calls().recvfrom(pair.a, &byte, 1, 0, nullptr, nullptr); });
            log.push_back("impatient " + result(got));
            lab04::cancel(reader);
        },
        "impatient");
    CHECK(stand.run() == "");
    CHECK(log == Log{"impatient ETIMEDOUT", "reader ECANCELED"});
    CHECK(kit::now() >= 5 * kMicrosecond);
}

TEST_CASE("5.2 errno is as it was, whatever others did meanwhile") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    int after = 0;
    std::string got;
    go(
        [&] {
            set_last_error(ERANGE);
            got = take(pair.a);
            after = last_error();
        },
        "reader");
    go(
        [&] {
            put(pair.b, "x");
            set_last_error(EDOM);
        },
        "writer");
    CHECK(stand.run() == "");
    CHECK(got == "x");
    CHECK(after == ERANGE);
}

TEST_CASE("5.2 a signal in the middle of a call does not end it") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    int tries = 0;
    long got = 0;
    go(
        [&] {
            got = until_done({"recv", pair.a, Want::read}, [&]() -> long {
                set_last_error(EINTR);
                return ++tries <= 3 ? -1 : 7;
            });
        },
        "interrupted");
    CHECK(stand.run() == "");
    CHECK(got == 7);
    CHECK(tries == 4);
}

TEST_CASE("5.2 in a storm of signals everything arrives") {
    record_nothing();
    use_real_time();
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, nullptr);
    const itimerval storm{{0, 200}, {0, 200}}, calm{};
    setitimer(ITIMER_REAL, &storm, nullptr);
    Stand stand;
    const Pair pair = Pair::sockets();
    int rounds = 0;
    for (const int end : {pair.a, pair.b})
        go(
            [&, end] {
                for (int i = 0; i < 100; ++i) {
                    if (end == pair.a) put(end, "ping");
                    if (take(end) == "ping") ++rounds;
                    if (end == pair.b) put(end, "ping");
                    if (i % 10 == 0) sleep_for(kMillisecond / 2);
                }
            },
            "player");
    const std::string failed = stand.run();
    setitimer(ITIMER_REAL, &calm, nullptr);
    CHECK(failed == "");
    CHECK(rounds == 200);
}

TEST_CASE("5.2 outside of a task a call that would block is refused") {
    use_virtual_time();
    Stand stand;
    const Pair pair = Pair::sockets();
    const auto misuse = misuse_of([&] { take(pair.a); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == kit::MisuseKind::not_a_task);
}

TEST_CASE("5.2 the trace says why a task waits, and how its call ends") {
    const trace::Trace recorded = trace_of("io", [] {
        use_virtual_time();
        Stand stand;
        const Pair pair = Pair::sockets();
        go([&] { take(pair.a); }, "reader");
        go([&] { put(pair.b, "it"); }, "writer");
        static_cast<void>(stand.run());
    });
    Log log;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::io)
            log.push_back(std::string(recorded.name(recorded[i].co)) + " " +
                          std::string(recorded.text(recorded[i].text)) + " " +
                          std::string(word(recorded[i].first<trace::IoPhase>())));
    CHECK(log == Log{"reader recv call", "reader recv block", "writer send call", "writer send done",
                     "reader recv ready", "reader recv done"});
    CHECK(count(recorded, trace::Kind::poll) >= 2);
}
