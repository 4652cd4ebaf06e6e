// Step 5.6: the servers as the systems have them: which strategy, how many machines.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include <cstdlib>
#include <thread>

#include "labs/05_epoll_io/given/libco_server.h"
#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/systems.h"
#include "labs/05_epoll_io/tests/support/stand.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/time/clock.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

constexpr const char* kHere = "127.0.0.1";

struct Served {
    LoadResult load;
    ServerFigures all;
    ServerFigures of_machine[3];
    std::size_t failures = 0;
    std::uint64_t timer_set = 0;  ///< how often the first poller's timerfd was set
};

/// A server as this system joins it, under a load from another thread, until that has its answers.
Served serve(const char* name, unsigned machines, LoadOptions options) {
    const System& system = system_named(name);
    EpollSource source(system.time_by);
    lab04::Scheduler sched(settings_of(system, source, machines));
    EchoServer server(system.server, {.workers = options.connections});
    server.start();
    const int done = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    go("stop", [&] {
        lab04::wait_readable(done);
        server.stop();
    });
    Served served;
    options.ip = kHere;
    options.ports = {server.port()};
    std::thread load([&] {
        served.load = run_load(options);
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(done, &one, sizeof one));
    });
    served.failures = sched.run().size();
    load.join();
    system_calls().close(done);
    served.all = server.figures();
    for (unsigned i = 0; i < 3; ++i) served.of_machine[i] = server.figures_of(i);
    if (source.timer() != nullptr) served.timer_set = source.timer()->times_set();
    return served;
}

/// A client that says one byte and waits for it, `times` times; how many came back. A task.
int ask(std::uint16_t port, int times) {
    const Socket client(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const sockaddr_in address = address_of(kHere, port);
    if (io::connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 0;
    char byte = 'x';
    int back = 0;
    for (int i = 0; i < times; ++i) {
        if (io::send(client.fd(), &byte, 1, 0) != 1) break;
        back += io::recv(client.fd(), &byte, 1, 0) == 1 ? 1 : 0;
    }
    return back;
}

}  // namespace

TEST_CASE("5.6 as each system has it, on one machine or on two, the server answers every byte") {
    record_nothing(kRealTime);
    for (const System& system : systems())
        for (const unsigned machines : system.several ? std::vector{1U, 2U} : std::vector{1U}) {
            const Served served =
                serve(system.name, machines, {.ports = {}, .connections = 50, .size = 64, .requests = 3000});
            INFO(kit::told(message("{0}, {1} machines", system.name, machines)));
            CHECK(served.failures == 0);
            CHECK(served.load.first_error == "");
            CHECK(served.load.requests == 3000);
            CHECK(served.all.accepted == 50);
            CHECK(served.all.messages >= 3000);
            CHECK(served.all.open == 0);
            INFO("each machine counts for itself, and the counts are added up");
            CHECK(served.of_machine[0].messages + served.of_machine[1].messages == served.all.messages);
            CHECK(served.of_machine[2].messages == 0);
        }
}

TEST_CASE("5.6 as netco has it, each processor has a poller and a timerfd of its own, and connections live on both") {
    INFO("every answer is right, whichever processor gave it");
    record_nothing(kRealTime);
    const Served served = serve("netco", 2, {.ports = {}, .connections = 40, .size = 64, .requests = 2000});
    CHECK(served.load.first_error == "");
    INFO("a connection goes to the processor that has the fewest tasks");
    CHECK(served.of_machine[0].messages > 0);
    CHECK(served.of_machine[1].messages > 0);
    INFO("the second processor gave work to the first by its timerfd");
    CHECK(served.timer_set > 0);
}

TEST_CASE("5.6 as libco has it, sleepers lie in a wheel, and workers stand in line") {
    const trace::Trace recorded = trace_of("as_libco", [] {
        const System& system = system_named("libco");
        EpollSource source(system.time_by);
        lab04::Scheduler sched(settings_of(system, source, 1));
        EchoServer server(system.server, {.workers = 1});
        server.start();
        go([&] {
            std::vector<Handle> clients;
            int back = 0;
            for (int i = 0; i < 2; ++i) clients.push_back(go([&] { back += ask(server.port(), 3); }, "client"));
            for (const Handle& client : clients) lab04::join(client);
            server.stop();
            if (back != 6 || server.figures().exhausted == 0) std::abort();
        });
        if (!sched.run().empty()) std::abort();
    });
    INFO("the acceptor slept for a second in the wheel, whose hand came to it, and to the time-out list");
    CHECK(count(recorded, trace::Kind::hand, "sleeping") > 0);
    CHECK(count(recorded, trace::Kind::insert, "time-outs") > 0);
    {
        INFO("what is put into an empty wheel lies where its hand points");
        std::int64_t hand = 0, inside = 0;
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            const trace::Event& e = recorded[i];
            if (e.kind == trace::Kind::hand) hand = e.x;
            if (e.kind == trace::Kind::remove && recorded.set_name(e.set).bytes() == "sleeping") --inside;
            if (e.kind != trace::Kind::insert || recorded.set_name(e.set).bytes() != "sleeping") continue;
            if (inside++ == 0) CHECK(e.x == hand);
        }
    }
    INFO("the acceptor signals for each connection; the worker waits on the condition");
    CHECK(count(recorded, trace::Kind::lock, trace::LockOp::signal) == 2);
    CHECK(count(recorded, trace::Kind::lock, trace::LockOp::wait) >= 2);
}

namespace {

/// What became of a connection that has sent three messages, each before the limit of 5 ms, and nothing after 9 ms.
struct Silent {
    int back = 0;             ///< messages that were answered
    std::uint64_t ended = 0;  ///< when the server ended it, ns; 0: it did not
    std::size_t open = 0;     ///< connections when the server has stopped
};

Silent talk_and_be_silent(const char* name, unsigned machines) {
    use_virtual_time();
    const System& system = system_named(name);
    EpollSource source(system.time_by);
    lab04::Scheduler sched(settings_of(system, source, machines));
    EchoServer server(system.server, {.idle_limit = 5 * kMillisecond});
    server.start();
    Silent seen;
    char byte = 'x';
    go([&] {
        const Socket client(system_calls().socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const sockaddr_in address = address_of(kHere, server.port());
        io::connect(client.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        for (int i = 0; i < 3; ++i) {
            sleep_for(3 * kMillisecond);  // less than the limit each time
            seen.back += io::send(client.fd(), &byte, 1, 0) == 1 && io::recv(client.fd(), &byte, 1, 0) == 1 ? 1 : 0;
        }
        if (io::recv(client.fd(), &byte, 1, 0) == 0) seen.ended = kit::now();
        server.stop();
    });
    INFO("the run ends when all tasks have ended, none of them by an exception");
    CHECK(sched.run().empty());
    seen.open = server.figures().open;
    return seen;
}

}  // namespace

TEST_CASE("5.6 as sylar has it, a silent connection is ended by a timer of the IO manager") {
    INFO("a message before the limit sets the timer anew");
    const Silent seen = talk_and_be_silent("sylar", 2);
    CHECK(seen.back == 3);
    INFO("5 ms after the last message, not after the first");
    CHECK(seen.ended >= 14 * kMillisecond);
    CHECK(seen.open == 0);
}

TEST_CASE("5.6 as the others have it, a silent connection is ended too, and one that talks is not") {
    INFO("given: each message counts, whether or not anybody asks where connections live");
    for (const char* name : {"ntyco", "libco"}) {
        INFO(kit::told(message("(as {0})", name)));
        const Silent seen = talk_and_be_silent(name, 1);
        CHECK(seen.back == 3);
        CHECK(seen.ended >= 14 * kMillisecond);
        CHECK(seen.open == 0);
    }
}

TEST_CASE("5.6 homes tell which machine has answered each connection") {
    INFO("each connection counts its answers by the machine that gave them");
    record_nothing();
    const System& system = system_named("ntyco");
    EpollSource source(system.time_by);
    lab04::Scheduler sched(settings_of(system, source, 1));
    EchoServer server(system.server, {.homes = true});
    server.start();
    go([&] {
        ask(server.port(), 2);
        ask(server.port(), 5);
        server.stop();
    });
    CHECK(sched.run().empty());
    CHECK(server.homes() == std::vector<std::vector<std::uint64_t>>{{2}, {5}});
}

// ---- a wait that a timerfd ends -------------------------------------------------------------------------------------

TEST_CASE("5.6 a wait by a timerfd ends in time, and not before") {
    INFO("set the timerfd to the deadline and wait without a limit");
    use_real_time();
    EpollSource source(TimeBy::descriptor);
    for (const std::uint64_t ns : {kMillisecond, 5 * kMillisecond}) {
        const std::uint64_t until = kit::now() + ns;
        CHECK(source.wait(until).empty());
        CHECK(kit::now() >= until);
    }
    CHECK(source.timer()->times_set() == 2);
}

TEST_CASE("5.6 a call ends a wait by a timerfd, the one that goes on and the next one") {
    INFO("a call is remembered: it ends the wait that goes on, or else the next one");
    use_real_time();
    EpollSource source(TimeBy::descriptor);
    source.wake();
    const std::uint64_t far = kit::now() + 3600 * kSecond;
    source.wait(far);
    CHECK(kit::now() < far);
    std::thread caller([&] {
        usleep(20'000);
        source.wake();
    });
    source.wait(far);
    caller.join();
    CHECK(kit::now() < far);
    INFO("a call is used up by the wait that it ends");
    const std::uint64_t until = kit::now() + 2 * kMillisecond;
    source.wait(until);
    CHECK(kit::now() >= until);
}

TEST_CASE("5.6 a timerfd that a call has overwritten is set anew, though the deadline is the same") {
    INFO("given: a call takes the place of the deadline in the kernel, so the next wait has to tell it again");
    use_real_time();
    WakeTimer timer;
    const std::uint64_t until = kit::now() + 20 * kMillisecond;
    timer.set(until);
    timer.call();
    timer.drain();
    timer.set(until);
    pollfd one{timer.fd(), POLLIN, 0};
    REQUIRE(system_calls().poll(&one, 1, 5000) == 1);
    CHECK(kit::now() >= until);
    EpollSource source(TimeBy::descriptor);
    const std::uint64_t next = kit::now() + 5 * kMillisecond;
    source.wake();
    for (int wait = 0; wait < 2; ++wait) CHECK(source.wait(next).empty());
    CHECK(kit::now() >= next);
}

TEST_CASE("5.6 a forked child whose waits are ended by a timerfd has one of its own, which its poller watches") {
    INFO("given: the child's epoll is a new one, so the child's timer is registered there");
    use_real_time();
    EpollSource source(TimeBy::descriptor);
    lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
    const pid_t child = fork();
    if (child == 0) {
        ::alarm(10);  // where the timer is not watched, the wait has no end
        bool awake = false;
        go([&] { awake = sleep_for(2 * kMillisecond) == lab04::Wake::timeout; });
        const bool right = sched.run().empty() && awake;
        _exit(right ? 0 : 1);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    CHECK(status == 0);
}

TEST_CASE("5.6 a signal of libco's line is not spent on a task whose limit has woken it already") {
    INFO("given: the signal goes on to the next in line, or both would sleep on");
    const trace::Trace recorded = trace_of("line", [] {
        Stand stand;
        Line line("a signal");
        lab04::Wake first = lab04::Wake::cancelled, second = lab04::Wake::cancelled;
        const std::uint64_t at = 100 * kMicrosecond;
        go([&] {
            sleep_for(kit::time_left(at));
            line.signal();
        });
        go([&] { first = line.wait(kit::time_left(at)); });
        go([&] { second = line.wait(kSecond); });
        if (stand.run() != "" || first != lab04::Wake::timeout || second != lab04::Wake::event) std::abort();
    });
    using enum trace::LockOp;
    CHECK(firsts_of<trace::LockOp>(recorded, trace::Kind::lock) == std::vector{wait, wait, timeout, signal});
}

TEST_CASE("5.6 a broadcast at libco's line: in the trace one that was woken before gives up first") {
    INFO("given: it leaves the line by itself, and the broadcast is for the others");
    const trace::Trace recorded = trace_of("broadcast", [] {
        Stand stand;
        Line line("a broadcast");
        const Handle cancelled = go([&] { line.wait(); });
        go([&] { line.wait(); });
        go([&] {
            lab04::cancel(cancelled);
            if (line.broadcast() != 1) std::abort();
        });
        if (stand.run() != "") std::abort();
    });
    using enum trace::LockOp;
    CHECK(firsts_of<trace::LockOp>(recorded, trace::Kind::lock) == std::vector{wait, wait, timeout, broadcast});
}

TEST_CASE("5.6 a source of epoll for another processor watches for itself") {
    INFO("another() makes a source with an epoll and a timer of its own");
    EpollSource first(TimeBy::descriptor);
    const std::unique_ptr<lab04::EventSource> second = first.another();
    REQUIRE(second != nullptr);
    CHECK(second->kind() == first.kind());
    auto& other = static_cast<EpollSource&>(*second);
    REQUIRE(other.timer() != nullptr);
    CHECK(other.timer()->fd() != first.timer()->fd());
    const int fd = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
    other.watch(fd, lab04::Want::read);
    CHECK(other.registered() == 1);
    CHECK(first.registered() == 0);
    other.unwatch(fd, lab04::Want::read);
    other.forget(fd);
    system_calls().close(fd);
}

TEST_CASE("5.6 as each system has it, the server, its scheduler and its poller leave no descriptor open") {
    use_real_time();
    const auto serve_once = [](const System& system) {
        EpollSource source(system.time_by);
        lab04::Scheduler sched(settings_of(system, source, system.several ? 2 : 1));
        EchoServer server(system.server, {.workers = 2});
        server.start();
        go([&] {
            Socket client;
            if (client.connect("127.0.0.1", server.port()) == 0) client.send("x", 1);
            char byte;
            client.read(&byte, 1);
            client.close();
            server.stop();
        });
        static_cast<void>(sched.run());
    };
    for (const System& system : systems()) {
        serve_once(system);
        const std::set<int> before = open_descriptors();
        serve_once(system);
        INFO(kit::told(message("(as {0})", system.name)));
        INFO("given: what was opened for a server is closed with it");
        CHECK(open_descriptors() == before);
    }
}
