// Steps 5.2 to 5.6: a peer resets its connection, whatever the other end is doing: the call in progress returns its
// true result, the next one fails, and no other connection is affected.
#include <algorithm>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// The calls for tasks, or the C library's under the hook.
struct Calls {
    ssize_t (*read)(int, void*, std::size_t);
    ssize_t (*write)(int, const void*, std::size_t);
    int (*poll)(pollfd*, nfds_t, int);
    bool hooked;
};
constexpr Calls kForTasks{
    [](int fd, void* buffer, std::size_t size) { return io::recv(fd, buffer, size, 0); },
    [](int fd, const void* buffer, std::size_t size) { return io::send(fd, buffer, size, 0); },
    io::poll,
    false,
};
constexpr Calls kHooked{::read, ::write, ::poll, true};

std::string ended(ssize_t result) {
    const int error = last_error();
    return result >= 0           ? std::to_string(result)
           : error == ECONNRESET ? "ECONNRESET"
           : error == EPIPE      ? "EPIPE"
                                 : std::to_string(error);
}

/// Sends more than fits to a peer that does not read, and describes the result, and that of the next send.
std::string ended_send(const Calls& calls, int fd) {
    const std::string much(32 << 20, 'x');
    const ssize_t sent = calls.write(fd, much.data(), much.size());
    const std::string first = sent > 0 && sent < static_cast<ssize_t>(much.size()) ? "a part" : ended(sent);
    return first + ", " + ended(calls.write(fd, "x", 1));
}

std::string read_end(const Calls& calls, int fd) {
    char byte;
    return ended(calls.read(fd, &byte, 1));
}

/// What the server's end does when the reset arrives; the result, in words.
struct State {
    const char* name;
    std::string (*act)(const Calls& calls, Connection& connection);
    const char* expected;
};
constexpr State kReadsAndWrites[] = {
    {"reads", [](const Calls& calls, Connection& it) { return read_end(calls, it.server.fd()); }, "ECONNRESET"},
    {"writes", [](const Calls& calls, Connection& it) { return ended_send(calls, it.server.fd()); }, "a part, EPIPE"},
    {"reads, and has closed its half",
     [](const Calls& calls, Connection& it) {
         it.server.shutdown_write();
         return read_end(calls, it.server.fd());
     },
     "ECONNRESET"},
    {"writes to a peer that has closed its half",
     [](const Calls& calls, Connection& it) {
         it.client.shutdown_write();
         const std::string end = read_end(calls, it.server.fd());
         return end + ", " + ended_send(calls, it.server.fd());
     },
     "0, a part, EPIPE"},
};
constexpr State kPolls[] = {
    {"polls",
     [](const Calls& calls, Connection& it) {
         pollfd one{it.server.fd(), POLLIN, 0};
         const int found = calls.poll(&one, 1, -1);
         return std::to_string(found) + ((one.revents & POLLERR) != 0 ? " POLLERR, " : " ?, ") +
                read_end(calls, it.server.fd());
     },
     "1 POLLERR, ECONNRESET"},
};

/// How one end has noticed the reset, and whether another connection still works.
std::string reset_while(const State& state, const Calls& calls) {
    Stand stand;
    std::string said;
    go("all", [&] {
        Connection it = connection(), other = connection();
        if (calls.hooked) fcntl(it.server.fd(), F_SETFL, 0);
        const auto act = [&] { said = state.act(calls, it); };
        const Handle acts = calls.hooked ? go_hooked(act, "acts") : go(act, "acts");
        sleep_for(2 * kMillisecond);
        reset(it.client);
        lab04::join(acts);
        char byte = 'x';
        other.client.send(&byte, 1);
        if (other.server.read(&byte, 1) != 1) said += "; and the others?";
    });
    return stand.run() + said;
}

template <std::size_t n>
void check_states(const State (&states)[n], const Calls& calls) {
    use_real_time();
    record_nothing();
    for (const State& state : states) {
        INFO(kit::told(message("(while one {0})", Value::of(state.name))));
        CHECK(reset_while(state, calls) == state.expected);
    }
}

/// Sends until the server has stopped reading, since its answers are not read.
void choke(int fd) {
    const std::string much(1 << 20, 'x');
    for (int stuck = 0; stuck < 5;) {
        const ssize_t n = system_calls().sendto(fd, much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0);
        stuck = n > 0 ? 0 : stuck + 1;
        sleep_for(kMillisecond);
    }
}

}  // namespace

TEST_CASE("5.2 a reset ends the call in progress: bytes already sent count, the next call fails") {
    check_states(kReadsAndWrites, kForTasks);
}

TEST_CASE("5.3 a reset ends a poll, and the read after it fails") { check_states(kPolls, kForTasks); }

TEST_CASE("5.5 third: a reset under the hook ends the calls in the same way") {
    WITHOUT_HOOK_NOTHING
    check_states(kReadsAndWrites, kHooked);
    check_states(kPolls, kHooked);
}

TEST_CASE("5.6 a reset while the server is blocked in its answer: that connection ends, and the next is served") {
    record_nothing();
    for (const char* kind : EchoServer::kinds()) {
        if (!kHookBuilt && std::string_view(kind) == "hooked") continue;
        INFO(kind);
        Stand stand(kRealTime);
        EchoServer server(kind, {});
        server.start();
        std::size_t open_before = 0, open_after = 99;
        std::string back = "?";
        go("act", [&] {
            Socket rude;
            rude.connect(kHere, server.port());
            choke(rude.fd());
            open_before = server.figures().open;
            reset(rude);
            for (int i = 0; i < 1000 && server.figures().open > 0; ++i) sleep_for(kMillisecond);
            open_after = server.figures().open;
            Socket next;
            next.connect(kHere, server.port());
            next.send("x", 1);
            back.resize(static_cast<std::size_t>(std::max<ssize_t>(next.read(back.data(), 1), 0)));
            server.stop();
        });
        CHECK(stand.run() == "");
        INFO("whichever call finds that the peer is gone, read or write: close the connection after it (server.close)");
        CHECK(open_before == 1);
        CHECK(open_after == 0);
        CHECK(back == "x");
    }
}
