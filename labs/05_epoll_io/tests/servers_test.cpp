// Step 5.6: the echo servers, with clients in tasks of the same scheduler or in a thread without tasks.
#include <sys/eventfd.h>

#include <cerrno>
#include <thread>

#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/05_epoll_io/tests/support/service.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// A load from another thread, while the tasks of this one continue.
LoadResult load_from_outside(LoadOptions options) {
    const int done = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    LoadResult result;
    std::thread thread([&] {
        result = run_load(options);
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(done, &one, sizeof one));
    });
    lab04::wait_readable(done);
    thread.join();
    io::close(done);
    return result;
}

}  // namespace

TEST_CASE("5.6 every server echoes all data, to many clients at once") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        LoadResult result;
        CHECK(service.run([&] {
            result = load_from_outside({.ip = kHere,
                                        .ports = {service.server.port()},
                                        .connections = 50,
                                        .size = 64,
                                        .requests = 3000,
                                        .warm_up = 500});
        }) == "");
        CHECK(result.first_error == "");
        CHECK(result.requests == 3000);
        CHECK(service.server.figures().messages >= 3500);  // messages of the warm-up are answered, and not counted
        CHECK(service.server.figures().accepted == 50);
        CHECK(service.server.figures().open == 0);
    }
}

namespace {

int aborted_first = 0;

int accept_behind_aborted_ones(int listener, sockaddr* address, socklen_t* length, int flags) {
    if (aborted_first == 0) return Replaced<&SystemCalls::accept4>::before()(listener, address, length, flags);
    --aborted_first;
    set_last_error(ECONNABORTED);
    return -1;
}

}  // namespace

TEST_CASE("5.6 a connection that has ended before it is accepted does not end the server") {
    EXPECTS("accept may fail for one connection: call goes_on_after, and accept the next one");
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        const Replaced<&SystemCalls::accept4> behind(accept_behind_aborted_ones);
        aborted_first = 2;
        std::string back;
        CHECK(service.run([&] {
            Socket client = service.client();
            back = echoed(client, "hello");
        }) == "");
        CHECK(back == "hello");
        CHECK(service.server.figures().refused == 2);
    }
}

TEST_CASE("5.6 a client's bytes never go to another client, even if the server pauses in between") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kit::told(message(
            "by the server '{0}': each connection has a buffer of its own, as one task reads while another sleeps",
            kind)));
        Service service(kind, {.sleep = 2 * kMillisecond});
        std::string answers[2];
        CHECK(service.run([&] {
            Handle clients[2];
            for (int i = 0; i < 2; ++i)
                clients[i] = go([&, i] {
                    Socket socket = service.client();
                    answers[i] = echoed(socket, i == 0 ? "one" : "two");
                });
            for (const Handle& client : clients) lab04::join(client);
        }) == "");
        CHECK(answers[0] == "one");
        CHECK(answers[1] == "two");
    }
}

TEST_CASE("5.6 large and small messages arrive whole") {
    EXPECTS("the task of a connection has a copy of its descriptor: the acceptor's own variable changes with the next");
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        int right = 0;
        CHECK(service.run([&] {
            std::vector<Handle> clients;
            for (const std::size_t size :
                 {std::size_t{1}, std::size_t{4096}, std::size_t{100'000}, std::size_t{3'000'000}})
                clients.push_back(go(
                    [&, size] {
                        Socket socket = service.client();
                        std::string text(size, ' ');
                        for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
                        const Handle sender = go([&] { socket.send(text.data(), text.size()); }, "sender");
                        std::string back(size, '?');
                        io::recv(socket.fd(), back.data(), back.size(), MSG_WAITALL);
                        lab04::join(sender);
                        right += back == text ? 1 : 0;
                    },
                    "client"));
            for (const Handle& client : clients) lab04::join(client);
        }) == "");
        CHECK(right == 4);
    }
}

TEST_CASE("5.6 a client that has finished sending gets all bytes back, and then the end") {
    EXPECTS("when the peer has ended, close the connection: its task ends too, or is idle again");
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        std::string back;
        ssize_t end = -1;
        CHECK(service.run([&] {
            Socket socket = service.client();
            socket.send("the last words", 14);
            socket.shutdown_write();
            char buffer[64];
            const ssize_t n = io::recv(socket.fd(), buffer, 14, MSG_WAITALL);
            back.assign(buffer, n < 0 ? 0 : static_cast<std::size_t>(n));
            end = socket.read(buffer, sizeof buffer);
        }) == "");
        CHECK(back == "the last words");
        CHECK(end == 0);
    }
}

TEST_CASE("5.6 several ports, with one acceptor each") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind, {.ports = {0, 0, 0}});
        int right = 0;
        CHECK(service.run([&] {
            std::vector<Socket> clients;
            for (std::size_t i = 0; i < 9; ++i) clients.push_back(service.client(i % 3));
            for (Socket& client : clients) right += echoed(client, "hello") == "hello" ? 1 : 0;
        }) == "");
        CHECK(right == 9);
    }
}

TEST_CASE("5.6 a server that does not exist is refused, and the error names it") {
    INFO("the message names the server, and those that exist");
    Stand stand;
    try {
        EchoServer server("swift", {});
        FAIL("no error");
    } catch (const std::invalid_argument& error) {
        CHECK(std::string(error.what()) == "there is no server 'swift'; there are: per_connection, pool, hooked");
    }
}

TEST_CASE("5.6 the trace of a server is correct") {
    INFO("each call that waits is recorded");
    const trace::Trace recorded = trace_of("server", [] {
        use_real_time();
        Service service("per_connection");
        static_cast<void>(service.run([&] {
            Socket client = service.client();
            echoed(client, "hello");
        }));
    });
    CHECK(count(recorded, trace::Kind::io) > 10);
}

TEST_CASE("5.6 a message costs two calls, and no call that would block") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        constexpr std::uint64_t kMessages = 2000;
        std::uint64_t calls = 0;
        CHECK(service.run([&] {
            const std::uint64_t before = call_counts().io;
            const LoadResult result = load_from_outside(
                {.ip = kHere, .ports = {service.server.port()}, .connections = 10, .size = 64, .requests = kMessages});
            calls = result.requests == kMessages ? call_counts().io - before : ~0U;
        }) == "");
        INFO("after a short read wait first: an immediate retry would only return EAGAIN");
        CHECK(calls >= 2 * kMessages);
        CHECK(calls < 5 * kMessages / 2);
    }
}

namespace {

using LastAccept = Replaced<&SystemCalls::accept4>;
bool nothing_more_comes = false;

/// A listener of AF_UNIX that was shut down returns EAGAIN forever.
int accept_until_the_end(int fd, sockaddr* address, socklen_t* length, int flags) {
    if (!nothing_more_comes) return LastAccept::before()(fd, address, length, flags);
    errno = EINVAL;
    return -1;
}

}  // namespace

TEST_CASE("5.6 a message larger than the server's buffer is waited for once, not piece by piece") {
    INFO("after a full read retry at once, there may be more; wait after a short one");
    for (const char* kind : {"per_connection", "pool"}) {
        INFO(kind);
        const trace::Trace recorded = trace_of("large_message", [kind] {
            const LocalListener listener(8);
            const LastAccept until_the_end(accept_until_the_end);
            ServerOptions options;
            options.workers = 1;
            options.listening = {system_calls().dup(listener.fd())};
            Service service(kind, options);
            static_cast<void>(service.run([&] {
                const Socket client(io::socket(AF_UNIX, SOCK_STREAM, 0));
                io::connect(client.fd(), listener.address(), listener.size());
                std::string text(96 * 1024, 'x');
                sleep_for(kMillisecond);
                io::send(client.fd(), text.data(), text.size(), 0);
                io::recv(client.fd(), text.data(), text.size(), MSG_WAITALL);
                nothing_more_comes = true;
            }));
        });
        std::size_t waits = 0;
        for (const trace::Event& e : all_of(recorded, trace::Kind::switch_)) {
            const bool serves = recorded.name(e.co) == "connection" || recorded.name(e.co) == "worker";
            waits += serves && e.second<trace::State>() == trace::State::waiting ? 1U : 0U;
        }
        CHECK(waits > 0);
        CHECK(waits <= 5);
    }
}
