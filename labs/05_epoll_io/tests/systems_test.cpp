// Step 5.6: the servers as the systems have them: which strategy, how many machines.
#include <sys/eventfd.h>

#include <thread>

#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support.h"

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
};

/// A server by this strategy under a load from another thread, until that has its answers.
Served serve(const char* strategy, unsigned machines, const char* kind, LoadOptions options) {
    EpollSource source;
    lab04::Scheduler sched(lab04::Settings{.strategy = strategy, .source = &source, .machines = machines});
    EchoServer server(kind, {.workers = options.connections});
    server.start();
    const int done = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    go(
        [&] {
            lab04::wait_readable(done);
            server.stop();
        },
        "stop");
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
    return served;
}

}  // namespace

TEST_CASE("5.6 as each system has it, on one machine or on two, the server answers every byte") {
    record_nothing();
    use_real_time();
    constexpr struct {
        const char *strategy, *kind;
        unsigned machines;
    } kSystems[] = {{"multi_state", "per_connection", 1}, {"libco", "pool", 1},
                    {"sylar", "per_connection", 1},       {"sylar", "per_connection", 2},
                    {"netco", "per_connection", 2},       {"go", "per_connection", 2}};
    for (const auto& system : kSystems) {
        const Served served = serve(system.strategy, system.machines, system.kind,
                                    {.ports = {}, .connections = 50, .size = 64, .requests = 3000});
        INFO(system.strategy << ", " << system.machines << " machines");
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

TEST_CASE("5.6 as netco has it, each processor has a poller of its own, and connections live on both") {
    record_nothing();
    use_real_time();
    const Served served =
        serve("netco", 2, "per_connection", {.ports = {}, .connections = 40, .size = 64, .requests = 2000});
    CHECK(served.load.first_error == "");
    INFO("a connection goes to the processor that has the fewest tasks");
    CHECK(served.of_machine[0].messages > 0);
    CHECK(served.of_machine[1].messages > 0);
}

TEST_CASE("5.6 a source of epoll for another processor watches for itself") {
    EpollSource first;
    const std::unique_ptr<lab04::EventSource> second = first.another();
    REQUIRE(second != nullptr);
    CHECK(second->kind() == first.kind());
    auto& other = static_cast<EpollSource&>(*second);
    const int fd = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
    other.watch(fd, lab04::Want::read);
    CHECK(other.registered() == 1);
    CHECK(first.registered() == 0);
    other.unwatch(fd, lab04::Want::read);
    other.forget(fd);
    system_calls().close(fd);
}
