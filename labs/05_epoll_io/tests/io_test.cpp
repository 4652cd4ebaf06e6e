// Step 5.2: the calls, between two ends within this process.
#include <csignal>

#include "labs/05_epoll_io/tests/support/calls.h"
#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.2 a call is tried first: available data need no poller") {
    INFO("try the system call before you wait for anything");
    Stand stand;
    const Pair pair = Pair::sockets();
    pair.write("x");
    std::string got;
    const CallCounts before = call_counts();
    CHECK(stand.run("reader", [&] { got = take(pair.a); }) == "");
    CHECK(got == "x");
    CHECK(call_counts().io - before.io == 1);
    CHECK(call_counts().epoll_ctl == before.epoll_ctl);
    CHECK(call_counts().epoll_wait == before.epoll_wait);
}

TEST_CASE("5.2 a call that would block parks its task, and the others run") {
    INFO("EAGAIN: wait for the descriptor as a task, then try again");
    Stand stand;
    const Pair pair = Pair::sockets();
    Log log;
    go("reader", [&] {
        log.emplace_back("asks");
        log.push_back("gets " + take(pair.a));
    });
    go("writer", [&] {
        log.emplace_back("answers");
        put(pair.b, "it");
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"asks", "answers", "gets it"});
}

TEST_CASE("5.2 a blocking descriptor does not block the thread either") {
    INFO("pass MSG_DONTWAIT: then the descriptor's own flag does not matter");
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
    go("takes much", [&] {
        std::string all(much.size(), ' ');
        io::recv(pair.b, all.data(), all.size(), MSG_WAITALL);
    });
    CHECK(stand.run() == "");
    CHECK(got == "it");
    CHECK(sent == much.size());
}

TEST_CASE("5.2 errors are those of the system call") {
    INFO("an error other than EAGAIN and EINTR is returned as it is");
    Stand stand;
    const Pair pipe = Pair::pipe();
    Log log;
    CHECK(stand.run("careless", [&] {
        char byte = 'x';
        const sockaddr_storage somewhere{};
        log.push_back(result(io::recv(-1, &byte, 1, 0)));
        log.push_back(result(io::send(-1, &byte, 1, 0)));
        log.push_back(result(io::recv(pipe.a, &byte, 1, 0)));
        log.push_back(result(io::accept(-1, nullptr, nullptr)));
        log.push_back(result(io::connect(-1, reinterpret_cast<const sockaddr*>(&somewhere), sizeof somewhere)));
        log.push_back(result(io::socket(9999, SOCK_STREAM, 0)).substr(0, 5));
        log.push_back(result(io::close(-1)));
    }) == "");
    CHECK(log == Log{"EBADF", "EBADF", "ENOTSOCK", "EBADF", "EBADF", "errno", "EBADF"});
}

TEST_CASE("5.2 send sends all: 64 MiB against a small buffer, and every byte arrives in its place") {
    INFO("repeat from after the bytes sent, until all are sent");
    record_nothing();
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

TEST_CASE("5.2 a send to a peer that is gone gets EPIPE, and no SIGPIPE") {
    INFO("add MSG_NOSIGNAL to the flags of each send");
    signal(SIGPIPE, SIG_DFL);
    Stand stand;
    Pair pair = Pair::sockets(), full = Pair::sockets();
    full.fill();
    Log log;
    go([&] { log.push_back("waiting: " + result(put(full.b, "x"))); }, "waits for room");
    go("writer", [&] {
        pair.close_a();
        full.close_a();
        log.push_back("new: " + result(put(pair.b, "x")));
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"new: EPIPE", "waiting: EPIPE"});
}

TEST_CASE("5.2 one task reads and another writes on the same descriptor") {
    INFO("two tasks may wait for one descriptor, one in each direction");
    Stand stand;
    const Pair pair = Pair::sockets();
    const std::string much(500'000, 'x');
    std::size_t sent = 0, got = 0;
    std::string heard;
    go([&] { heard = take(pair.a); }, "reads");
    go([&] { sent = static_cast<std::size_t>(io::send(pair.a, much.data(), much.size(), 0)); }, "writes");
    go("peer", [&] {
        std::string all(much.size(), ' ');
        put(pair.b, "meanwhile");
        got = static_cast<std::size_t>(io::recv(pair.b, all.data(), all.size(), MSG_WAITALL));
    });
    CHECK(stand.run() == "");
    CHECK(heard == "meanwhile");
    CHECK(sent == much.size());
    CHECK(got == much.size());
}

TEST_CASE("5.2 two tasks read from one descriptor: each message goes to one of them, and both are served") {
    INFO("after a wake try again: another task may have been faster");
    Stand stand;
    const Pair pair = Pair::sockets(SOCK_SEQPACKET);
    std::vector<Log> logs(2);
    for (Log& log : logs)
        go("reader", [&] {
            for (std::string got = take(pair.a); !got.empty(); got = take(pair.a)) {
                log.push_back(got);
                lab04::yield();
            }
        });
    CHECK(stand.run("writer", [&] {
        for (const char* word : {"one", "two", "three", "four"}) {
            sleep_for(kMicrosecond);
            put(pair.b, word);
            put(pair.b, word);
        }
        sleep_for(kMicrosecond);
        put(pair.b, "for one of them");
        sleep_for(kMicrosecond);
        shutdown(pair.b, SHUT_WR);
    }) == "");
    CHECK(logs[0] == Log{"one", "two", "three", "four", "for one of them"});
    INFO("a task that finds nothing waits again");
    CHECK(logs[1] == Log{"one", "two", "three", "four"});
}

TEST_CASE("5.2 a send of 0 bytes is a call too: an empty datagram, or an error") {
    INFO("make the call once before you check how much is left");
    Stand stand;
    const Pair datagrams = Pair::sockets(SOCK_DGRAM);
    std::string sent, got, of_closed;
    CHECK(stand.run("sends nothing", [&] {
        sent = result(io::send(datagrams.a, "", 0, 0));
        char byte;
        got = result(io::recv(datagrams.b, &byte, 1, MSG_DONTWAIT));
        of_closed = result(io::send(250, "", 0, 0));
    }) == "");
    CHECK(sent == "0");
    INFO("the receiver gets a datagram of 0 bytes");
    CHECK(got == "0");
    CHECK(of_closed == "EBADF");
}

TEST_CASE("5.2 the flags of a send reach the kernel, in addition to those that are added") {
    EXPECTS("MSG_OOB, MSG_MORE and MSG_EOR matter to the program: add your flags to its own");
    record_nothing();
    Stand stand(kRealTime);
    Connection made;
    CHECK(stand.run("sends", [&] {
        made = connection();
        io::send(made.client.fd(), "!", 1, MSG_OOB);
    }) == "");
    pollfd urgent{made.server.fd(), POLLPRI, 0};
    CHECK(system_calls().poll(&urgent, 1, 500) == 1);  // it has been sent
    char byte = 0;
    CHECK(system_calls().recvfrom(made.server.fd(), &byte, 1, MSG_OOB | MSG_DONTWAIT, nullptr, nullptr) == 1);
    CHECK(byte == '!');
}

TEST_CASE("5.2 accept and recvfrom return the address of the peer") {
    INFO("pass the address and its size on to the system call");
    Stand stand;
    const LocalListener listener(5), named(0);
    sockaddr_un peer{}, sender{};
    socklen_t peer_size = sizeof peer, sender_size = sizeof sender;
    const Pair datagrams = Pair::sockets(SOCK_DGRAM);
    CHECK(stand.run("asks who it is", [&] {
        const int client = io::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        io::connect(client, listener.address(), listener.size());
        const int fd = io::accept(listener.fd(), reinterpret_cast<sockaddr*>(&peer), &peer_size);
        io::send(datagrams.a, "x", 1, 0);
        char byte;
        io::recvfrom(datagrams.b, &byte, 1, 0, reinterpret_cast<sockaddr*>(&sender), &sender_size);
        io::close(client);
        io::close(fd);
    }) == "");
    CHECK(peer.sun_family == AF_UNIX);
    CHECK(peer_size >= sizeof peer.sun_family);
    CHECK(peer_size < sizeof peer);
    CHECK(sender_size < sizeof sender);
}

TEST_CASE("5.2 a send that fails after a part returns the number of bytes sent") {
    INFO("the number of bytes sent before the failure is the result");
    record_nothing();
    Stand stand(kRealTime);
    Pair pair = Pair::sockets();
    const std::string much(1U << 22U, 'x');
    ssize_t sent = 0;
    go([&] { sent = io::send(pair.a, much.data(), much.size(), 0); }, "sends");
    later(5 * kMillisecond, "closes", [&] { pair.close_b(); });
    CHECK(stand.run() == "");
    INFO("less than all, and not -1: the program must know how many bytes were sent");
    CHECK(sent > 1);
    CHECK(sent < static_cast<ssize_t>(much.size()));
}

TEST_CASE("5.2 a recv that waits for all takes no byte more than requested") {
    INFO("repeat with the rest of the buffer");
    Stand stand;
    const Pair pair = Pair::sockets();
    std::string buffer = "........";
    ssize_t got = 0;
    go([&] { got = io::recv(pair.a, buffer.data(), 4, MSG_WAITALL); }, "reads");
    go("writes", [&] {
        pair.write("ab");
        sleep_for(kMillisecond);
        pair.write("cdefgh");
    });
    CHECK(stand.run() == "");
    INFO("the second part has less room than the first: the requested size without the bytes received");
    CHECK(got == 4);
    CHECK(buffer == "abcd....");
}

TEST_CASE("5.2 a recv that waits for all ends with its peer: the received bytes, and then 0") {
    EXPECTS("0 is the end: return the bytes received so far, and do not ask for the rest again");
    Stand stand;
    Pair pair = Pair::sockets();
    pair.write("ab");
    pair.close_b();
    char buffer[4];
    ssize_t got = -1, end = -1;
    go([&] { got = io::recv(pair.a, buffer, 4, MSG_WAITALL), end = io::recv(pair.a, buffer, 4, MSG_WAITALL); });
    CHECK(stand.run() == "");
    CHECK(got == 2);
    CHECK(end == 0);
}

TEST_CASE("5.2 a connect whose descriptor was closed has not succeeded") {
    INFO("the result of the second connect(2) counts: for a closed descriptor it is EBADF");
    CHECK(io::ended_connect(250, nullptr, 0) == -1);
    CHECK(last_error() == EBADF);
}
