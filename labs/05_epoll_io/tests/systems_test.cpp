// Step 5.6: the servers in the configurations of the systems: strategy and number of machines.
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
    std::uint64_t timer_set = 0;  ///< number of times that the first poller's timerfd was set
};

/// Runs a server in this system's configuration under a load from another thread, until all answers have arrived.
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

}  // namespace

TEST_CASE("5.6 in each system's configuration, on one machine or on two, the server answers every byte") {
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
            INFO("each machine counts separately, and the counts are added");
            CHECK(served.of_machine[0].messages + served.of_machine[1].messages == served.all.messages);
            CHECK(served.of_machine[2].messages == 0);
        }
}

TEST_CASE("5.6 as in netco, each processor has a poller and a timerfd of its own, and connections are on both") {
    INFO("every answer is correct, whichever processor gave it");
    record_nothing(kRealTime);
    const Served served = serve("netco", 2, {.ports = {}, .connections = 40, .size = 64, .requests = 2000});
    CHECK(served.load.first_error == "");
    INFO("a connection goes to the processor with the fewest tasks");
    CHECK(served.of_machine[0].messages > 0);
    CHECK(served.of_machine[1].messages > 0);
    INFO("the second processor woke the first by its timerfd");
    CHECK(served.timer_set > 0);
}

namespace {

/// The result of a connection that has sent three messages, each before the limit of 5 ms, and nothing after 9 ms.
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
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(sched.run().empty());
    seen.open = server.figures().open;
    return seen;
}

}  // namespace

TEST_CASE("5.6 as in sylar, a silent connection is ended by a timer of the IO manager") {
    INFO("a message before the limit restarts the timer");
    const Silent seen = talk_and_be_silent("sylar", 2);
    CHECK(seen.back == 3);
    INFO("5 ms after the last message, not after the first");
    CHECK(seen.ended >= 14 * kMillisecond);
    CHECK(seen.open == 0);
}

TEST_CASE("5.6 as in the other systems, a silent connection is ended too, and an active one is not") {
    INFO("given: each message counts, whether or not positions of connections are recorded");
    for (const char* name : {"ntyco", "libco"}) {
        INFO(kit::told(message("(as {0})", name)));
        const Silent seen = talk_and_be_silent(name, 1);
        CHECK(seen.back == 3);
        CHECK(seen.ended >= 14 * kMillisecond);
        CHECK(seen.open == 0);
    }
}

// ---- waits that a timerfd ends --------------------------------------------------------------------------------------

TEST_CASE("5.6 a wait by a timerfd ends on time, and not before") {
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

TEST_CASE("5.6 in each configuration, the server, its scheduler and its poller leave no descriptor open") {
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
        INFO("given: descriptors opened for a server are closed with it");
        CHECK(open_descriptors() == before);
    }
}
