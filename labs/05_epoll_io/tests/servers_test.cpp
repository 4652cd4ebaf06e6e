// Step 5.6: the echo servers, each asked by tasks of the same scheduler or by a thread that knows no tasks.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <thread>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

constexpr const char* kHere = "127.0.0.1";

/// One kind of server, in a scheduler that ends when `act`, which runs as a task, has ended.
struct Service {
    Stand stand;
    EchoServer server;

    explicit Service(const char* kind, ServerOptions options = {}) : server(kind, std::move(options)) {}

    template <class Act>
    std::string run(Act act) {
        server.start();
        go(
            [&] {
                act();
                server.stop();
            },
            "act");
        return stand.run();
    }
    Socket client(std::size_t port = 0) {
        Socket socket;
        if (socket.connect(kHere, server.port(port)) != 0) throw std::runtime_error("cannot connect");
        return socket;
    }
};

/// What comes back for `text`.
std::string echoed(Socket& socket, const std::string& text) {
    socket.send(text.data(), text.size());
    std::string back(text.size(), '?');
    const ssize_t n = io::recv(socket.fd(), back.data(), back.size(), MSG_WAITALL);
    back.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return back;
}

/// A load from another thread, while the tasks of this one go on.
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

/// Every kind that there is, under the real clock, and without a trace, which would be long.
std::vector<const char*> kinds_in_real_time() {
    record_nothing();
    use_real_time();
    std::vector<const char*> all;
    for (const char* kind : EchoServer::kinds())
        if (kHookBuilt || std::string_view(kind) != "hooked") all.push_back(kind);
    return all;
}

}  // namespace

TEST_CASE("5.6 every server sends back what it was sent, to many at once") {
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
        CHECK(service.server.figures().messages >= 3500);  // what warms up is answered, and not counted
        CHECK(service.server.figures().accepted == 50);
        CHECK(service.server.figures().open == 0);
    }
}

TEST_CASE("5.6 on the coroutines of labs 01, 02 and 03 every server does the same") {
    for (const kit::CoroutineBackend* backend : {&kit::asm_backend, &kit::ucontext_backend, &kit::shared_backend})
        for (const char* kind : kinds_in_real_time()) {
            INFO(backend->name << ", " << kind);
            EpollSource source;
            lab04::Scheduler sched(lab04::Settings{
                .strategy = "multi_state", .backend = backend, .source = &source, .wait_by = lab04::WaitBy::table});
            EchoServer server(kind, {});
            server.start();
            const int done = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
            go(
                [&] {
                    pollfd one{done, POLLIN, 0};
                    while (io::poll(&one, 1, 100) == 0) {
                    }
                    server.stop();
                },
                "stop");
            LoadResult result;
            std::thread load([&] {
                result = run_load(
                    {.ip = kHere, .ports = {server.port()}, .connections = 20, .size = 4096, .requests = 1000});
                const std::uint64_t one = 1;
                static_cast<void>(!system_calls().write(done, &one, sizeof one));
            });
            CHECK(sched.run().empty());
            load.join();
            system_calls().close(done);
            CHECK(result.first_error == "");
            CHECK(result.requests == 1000);
            CHECK(server.figures().open == 0);
        }
}

TEST_CASE("5.6 large messages and small ones, each whole") {
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

TEST_CASE("5.6 an answer in pieces does not wait for acknowledgements") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        int right = 0;
        std::uint64_t took = 0;
        CHECK(service.run([&] {
            Socket socket = service.client();
            const std::uint64_t begin = kit::now();
            for (const std::size_t size : {std::size_t{4096}, std::size_t{40'000}}) {
                const std::string text(size, 'x');
                for (int i = 0; i < 40; ++i) right += echoed(socket, text) == text ? 1 : 0;
            }
            took = kit::now() - begin;
        }) == "");
        CHECK(right == 80);
        INFO("answers in one piece and in three: held back for an acknowledgement, each of 40 would take 40 ms");
        CHECK(took < 1200 * kMillisecond);
    }
}

TEST_CASE("5.6 a client that has said all gets all back, and then the end") {
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

TEST_CASE("5.6 clients that reset their connections, or read nothing, harm no other client") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        int right = 0;
        CHECK(service.run([&] {
            Socket deaf = service.client();
            const Handle shouts = go(
                [&] {
                    const std::string much(8 << 20, 'x');
                    deaf.send(much.data(), much.size());
                },
                "shouts");
            for (int i = 0; i < 10; ++i) {
                Socket rude = service.client();
                rude.send("x", 1);
                reset(rude);
                Socket polite = service.client();
                right += echoed(polite, "hello") == "hello" ? 1 : 0;
            }
            shutdown(deaf.fd(), SHUT_RDWR);
            lab04::join(shouts);
        }) == "");
        CHECK(right == 10);
    }
}

TEST_CASE(
    "5.6 a server that is blocked in a send when the client resets gives the connection up, and serves the others") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        std::size_t before = 0, after = 0;
        std::string back;
        CHECK(service.run([&] {
            Socket deaf = service.client(), polite = service.client();
            echoed(polite, "hello");
            fill(deaf.fd());
            before = service.server.figures().open;
            reset(deaf);
            back = echoed(polite, "hello again");
            for (int i = 0; i < 500 && service.server.figures().open > 1; ++i) sleep_for(kMillisecond);
            after = service.server.figures().open;
        }) == "");
        CHECK(before == 2);
        CHECK(after == 1);
        CHECK(back == "hello again");
    }
}

TEST_CASE("5.6 several ports, an acceptor each") {
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

TEST_CASE("5.6 a stop ends the server, with connections open and calls under way") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        std::vector<Socket> clients;
        ssize_t end = -1;
        CHECK(service.run([&] {
            for (int i = 0; i < 10; ++i) clients.push_back(service.client());
            const Handle waits = go(
                [&] {
                    char byte;
                    end = clients[0].read(&byte, 1);
                },
                "client");
            echoed(clients[1], "all are accepted");
            service.server.stop();
            lab04::join(waits);
        }) == "");
        CHECK(end == 0);
        CHECK(service.server.figures().open == 0);
    }
}

TEST_CASE("5.6 when descriptors are used up the server waits, and goes on") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        int right = 0;
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        CHECK(service.run([&] {
            std::vector<Socket> clients;
            for (int i = 0; i < 6; ++i) clients.emplace_back();
            const int next = ::dup(0);
            system_calls().close(next);
            const rlimit few{static_cast<rlim_t>(next) + 3, before.rlim_max};
            setrlimit(RLIMIT_NOFILE, &few);
            for (Socket& client : clients) client.connect(kHere, service.server.port());
            sleep_for(5 * kMillisecond);
            while (!clients.empty()) {
                right += echoed(clients.front(), "hello") == "hello" ? 1 : 0;
                clients.erase(clients.begin());
            }
        }) == "");
        setrlimit(RLIMIT_NOFILE, &before);
        CHECK(right == 6);
        CHECK(service.server.figures().exhausted >= 1);
        INFO("and between two attempts it sleeps");
        CHECK(service.server.figures().exhausted <= 10);
    }
}

TEST_CASE("5.6 a pool takes no more connections than it has workers; the next waits for a second") {
    INFO("a worker keeps its connection until that ends; the acceptor waits for one that is idle");
    record_nothing();
    use_real_time();
    Service service("pool", {.workers = 2});
    std::size_t most = 0;
    int right = 0;
    std::uint64_t took = 0;
    CHECK(service.run([&] {
        const std::uint64_t begin = kit::now();
        std::vector<Socket> clients;
        for (int i = 0; i < 3; ++i) clients.push_back(service.client());
        for (int i = 0; i < 2; ++i) right += echoed(clients[static_cast<std::size_t>(i)], "hello") == "hello" ? 1 : 0;
        most = service.server.figures().open;
        clients.erase(clients.begin());
        right += echoed(clients.back(), "hello") == "hello" ? 1 : 0;
        took = kit::now() - begin;
    }) == "");
    CHECK(right == 3);
    CHECK(most == 2);
    CHECK(took >= kSecond / 2);
}

TEST_CASE("5.6 acceptors of several ports share one worker: one that finds it gone waits with its connection") {
    INFO("after a wait ask again whether a worker is idle");
    record_nothing();
    use_real_time();
    Service service("pool", {.ports = {0, 0, 0}, .workers = 1});
    ServerFigures figures;
    int right = 0;
    CHECK(service.run([&] {
        lab04::yield();  // all three wait for a connection, and a worker is idle
        std::vector<Socket> clients;
        for (std::size_t i = 0; i < 3; ++i) {
            clients.emplace_back(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            const sockaddr_in address = address_of(kHere, service.server.port(i));
            system_calls().connect(clients.back().fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
            static_cast<void>(!system_calls().write(clients.back().fd(), "x", 1));
        }
        for (int i = 0; i < 500 && (service.server.figures().accepted < 3 || service.server.figures().exhausted < 2);
             ++i)
            sleep_for(kMillisecond);
        sleep_for(kMillisecond);  // for the worker
        figures = service.server.figures();
        char byte;
        for (Socket& client : clients)
            right += system_calls().recvfrom(client.fd(), &byte, 1, MSG_DONTWAIT, nullptr, nullptr) == 1 ? 1 : 0;
        service.server.stop();
    }) == "");
    INFO("three connections, one of which has the worker; it was not taken twice");
    CHECK(figures.accepted == 3);
    CHECK(figures.open == 3);
    CHECK(right == 1);
    CHECK(service.server.figures().open == 0);
}

TEST_CASE("5.6 a server that does not exist is refused by a sentence") {
    INFO("the sentence names the server, and those that exist");
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

TEST_CASE("5.6 an acceptor ends when there is nothing more to accept from its listener") {
    for (const char* kind : {"per_connection", "hooked"}) {
        if (!kHookBuilt && std::string_view(kind) == "hooked") continue;
        INFO(kind << ": goes_on_after is told the error of the accept that failed, and no other");
        record_nothing();
        use_real_time();
        Service service(kind);
        const int no_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        bool ended = false, in_time = false;
        const auto accept = [&] {
            *kind == 'h' ? accept_hooked(service.server, no_listener)
                         : accept_per_connection(service.server, no_listener);
            ended = true;
        };
        go([&] {
            const Handle acceptor = *kind == 'h' ? go_hooked(accept) : go(accept);
            sleep_for(30 * kMillisecond);
            in_time = ended;
            service.server.stop();
            lab04::join(acceptor);
        });
        CHECK(service.stand.run() == "");
        CHECK(in_time);
        system_calls().close(no_listener);
    }
}

TEST_CASE("5.6 connections that are accepted ask now and then whether the peer is still there, and hold nothing back") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        int kept_alive = 0, at_once = 0, connections = 0;
        const auto option = [](int fd, int level, int name) {
            int value = 0;
            socklen_t size = sizeof value;
            return ::getsockopt(fd, level, name, &value, &size) == 0 && value != 0 ? 1 : 0;
        };
        CHECK(service.run([&] {
            Socket client = service.client();
            echoed(client, "hello");
            // The server's end is a descriptor of this process too: the one that is connected with the client's port.
            sockaddr_in mine{};
            socklen_t size = sizeof mine;
            ::getsockname(client.fd(), reinterpret_cast<sockaddr*>(&mine), &size);
            for (int fd = 3; fd < 256; ++fd) {
                sockaddr_in peer{};
                size = sizeof peer;
                if (fd == client.fd() || ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
                if (peer.sin_family != AF_INET || peer.sin_port != mine.sin_port) continue;
                ++connections;
                kept_alive += option(fd, SOL_SOCKET, SO_KEEPALIVE);
                at_once += option(fd, IPPROTO_TCP, TCP_NODELAY);
            }
        }) == "");
        CHECK(connections == 1);
        CHECK(kept_alive == 1);
        CHECK(at_once == 1);
    }
}

TEST_CASE("5.6 a message costs two calls, and none that comes too early") {
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
        INFO("after a read that got less than it asked for wait first: to try again at once is a call for nothing");
        CHECK(calls >= 2 * kMessages);
        CHECK(calls < 5 * kMessages / 2);
    }
}
