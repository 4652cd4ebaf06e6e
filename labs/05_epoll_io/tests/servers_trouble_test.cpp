// Step 5.6: the echo servers in trouble: clients that reset or read nothing, a stop, no descriptors or
// workers left.
#include <netinet/in.h>
#include <sys/resource.h>

#include "labs/05_epoll_io/generations.h"
#include "labs/05_epoll_io/tests/support/service.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.6 clients that reset their connections, or read nothing, harm no other client") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        int right = 0;
        CHECK(service.run([&] {
            Socket deaf = service.client();
            const Handle shouts = go("shouts", [&] {
                const std::string much(8 << 20, 'x');
                deaf.send(much.data(), much.size());
            });
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

TEST_CASE("5.6 a server that is blocked in a send when the client resets drops the connection, and serves the others") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        INFO("whatever ends a connection, including a failed send, its descriptor is closed");
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

TEST_CASE("5.6 a stop ends the server, with connections open and calls in progress") {
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        std::vector<Socket> clients;
        ssize_t end = -1;
        CHECK(service.run([&] {
            for (int i = 0; i < 10; ++i) clients.push_back(service.client());
            const Handle waits = go("client", [&] {
                char byte;
                end = clients[0].read(&byte, 1);
            });
            echoed(clients[1], "all are accepted");
            service.server.stop();
            lab04::join(waits);
        }) == "");
        CHECK(end == 0);
        CHECK(service.server.figures().open == 0);
    }
}

TEST_CASE("5.6 when descriptors are used up the server waits, and continues") {
    EXPECTS("an acceptor that finds no descriptor left does not end: goes_on_after returns true, and waits");
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
        {
            INFO("a failed accept is not a connection, and is counted by goes_on_after alone");
            CHECK(service.server.figures().accepted == 6);
        }
        INFO("between two attempts it sleeps");
        CHECK(service.server.figures().exhausted <= 10);
    }
}

TEST_CASE("5.6 a pool accepts only as many connections as it has workers; the next waits for a second") {
    INFO("a worker keeps its connection until that ends; the acceptor waits for an idle worker");
    record_nothing(kRealTime);
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

TEST_CASE("5.6 acceptors of several ports share one worker: one that finds it busy waits with its connection") {
    EXPECTS(
        "accept waits: after it check again whether a worker is idle, another acceptor may have taken the last one");
    record_nothing(kRealTime);
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
    INFO("three connections, one of which has the worker; the worker was not assigned twice");
    CHECK(figures.accepted == 3);
    CHECK(figures.open == 3);
    CHECK(right == 1);
    INFO("a connection that was still waiting for a worker at the stop is closed by its acceptor (server.close)");
    CHECK(service.server.figures().open == 0);
}

TEST_CASE("5.6 an acceptor waits for a worker as long as it takes, and then accepts the next connection as well") {
    INFO("check again after each wait for a worker: a wait ends after a second, and the worker may be busy for longer");
    record_nothing();
    Service service("pool", {.ports = {0, 0}, .workers = 1});
    int right = 0;
    const auto client = [&](std::size_t port) {
        return go([&, port] {
            for (int i = 0; i < 2; ++i) {
                Socket socket = service.client(port);
                right += echoed(socket, "hello") == "hello" ? 1 : 0;
                sleep_for(2500 * kMillisecond);
            }
        });
    };
    CHECK(service.run([&] {
        lab04::yield();
        const Handle one = client(0), other = client(1);
        lab04::join(one);
        lab04::join(other);
    }) == "");
    CHECK(right == 4);
}

TEST_CASE("5.6 no connection is accepted while no worker is idle, however long that takes") {
    INFO(
        "check for an idle worker again after each wait, before you accept: another server can still take a "
        "connection from the kernel's queue");
    record_nothing();
    Service service("pool", {.workers = 1});
    std::uint64_t meanwhile = 0;
    std::string answer;
    CHECK(service.run([&] {
        Socket first = service.client();
        echoed(first, "hello");
        Socket second = service.client();
        sleep_for(3500 * kMillisecond);
        meanwhile = service.server.figures().accepted;
        first.close();
        answer = echoed(second, "hello");
    }) == "");
    CHECK(meanwhile == 1);
    CHECK(answer == "hello");
}

TEST_CASE("5.6 a connection that arrives while the server stops is closed once") {
    INFO("opened() has closed the refused descriptor: its number may already be another connection's");
    record_nothing();
    Service service("per_connection");
    Socket listener = Socket::listener(kHere, 0);
    const Socket client(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = address_of(kHere, listener.port());
    INFO("the test connects to a listener of its own");
    REQUIRE(system_calls().connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    service.server.stop();
    const int number = system_calls().dup(client.fd());  // the number that accept will return
    system_calls().close(number);
    const std::uint32_t before = generation(number);
    go([&] { accept_per_connection(service.server, listener.fd()); });
    later(kMillisecond, "ends it", [&] { shutdown(listener.fd(), SHUT_RDWR); });
    CHECK(service.stand.run() == "");
    INFO("opened once and closed once");
    CHECK(generation(number) - before == 2);
}

TEST_CASE("5.6 a worker that was given a connection closes it, even if the server stops meanwhile") {
    INFO("serve the connection first, and then check whether the server stops: no other task knows this connection");
    record_nothing();
    Service service("pool", {.workers = 1});
    const Socket client(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    CHECK(service.run([&] {
        const auto wait_while = [](const auto& holds) {
            for (int i = 0; i < 100'000 && holds(); ++i) lab04::yield();
        };
        wait_while([&] { return service.server.idle.empty(); });
        const sockaddr_in address = address_of(kHere, service.server.port());
        system_calls().connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        wait_while([&] { return !service.server.idle.empty(); });  // it has the connection, and has not run yet
    }) == "");
    CHECK(service.server.figures().accepted == 1);
    CHECK(service.server.figures().open == 0);
}

TEST_CASE("5.6 an acceptor ends when its listener has nothing more to accept") {
    EXPECTS("an acceptor returns when goes_on_after returns false: otherwise it calls accept again and again");
    for (const char* kind : {"per_connection", "hooked", "pool"}) {
        if (!kHookBuilt && std::string_view(kind) == "hooked") continue;
        INFO(kit::told(message("{0}: goes_on_after gets the error of the accept that failed, and no other", kind)));
        record_nothing(kRealTime);
        Service service(kind);
        const int no_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        bool ended = false, in_time = false;
        Worker never_used;
        const auto accept = [&] {
            if (std::string_view(kind) == "pool") service.server.idle = {&never_used};
            *kind == 'h'                       ? accept_hooked(service.server, no_listener)
            : std::string_view(kind) == "pool" ? accept_for_pool(service.server, no_listener)
                                               : accept_per_connection(service.server, no_listener);
            service.server.idle.clear();
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

TEST_CASE("5.6 a spuriously woken worker is among the idle ones only once") {
    INFO("a wake is only a hint: a worker without a connection parks again, and keeps its place");
    record_nothing(kRealTime);
    Service service("pool", {.workers = 2});
    std::size_t idle = 0;
    CHECK(service.run([&] {
        lab04::yield();
        for (int i = 0; i < 3; ++i) {
            lab04::wake(lab04::Handle(*service.server.idle.front()->task));
            lab04::yield();
        }
        idle = service.server.idle.size();
    }) == "");
    CHECK(idle == 2);
}

TEST_CASE("5.6 number 0 is a connection like any other") {
    INFO("a server without a standard input gets 0 for a connection: only negative numbers are invalid");
    for (const char* kind : kinds_in_real_time()) {
        INFO(kind);
        Service service(kind);
        const int standard = system_calls().dup(0);
        bool answered = false;
        CHECK(service.run([&] {
            Socket client(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            sleep_for(kMillisecond);  // the acceptor is already waiting
            system_calls().close(0);
            if (client.connect(kHere, service.server.port()) != 0) return;
            client.send("x", 1);
            answered = lab04::wait_readable(client.fd(), 2 * kSecond) == lab04::Wake::event;
        }) == "");
        standard < 0 ? system_calls().close(0) : system_calls().dup2(standard, 0);
        if (standard >= 0) system_calls().close(standard);
        CHECK(answered);
        CHECK(service.server.figures().accepted == 1);
        CHECK(service.server.figures().refused == 0);
    }
}
