// Demos: waiting for descriptors, within one process, under the virtual clock.
#include "labs/05_epoll_io/programs/demo_clients.h"
#include "labs/05_epoll_io/programs/demo_echo_server.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/demo/demo.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/numbered.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using kit::DemoOptions;
using lab04::go;
using lab04::sleep_for;

namespace {

constexpr std::uint64_t kMicrosecond = 1'000;
using kit::kMillisecond;

/// A scheduler on epoll that rethrows failures of its tasks.
struct Stand {
    explicit Stand(const char* strategy = "producer_consumer", unsigned machines = 1)
        : scheduler(lab04::Settings{.strategy = strategy, .source = &source, .machines = machines}) {}
    EpollSource source;
    lab04::Scheduler scheduler;

    void run() {
        for (const lab04::Failure& failure : scheduler.run())
            throw Spoken<std::runtime_error>(
                message("task '{0}' ended by: {1}", failure.task, Value::of(failure.message)));
    }
};

/// Two connected descriptors with the same numbers on every run, whatever else the process has open: 100 and 101, then
/// 102 and 103, and so on, if the process can use these.
struct Ends {
    int client, server;
};
Ends connected(int flags = SOCK_NONBLOCK) {
    int made[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0, made) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot create a pair of sockets");
    const int client = kit::numbered_from(100, made[0]);
    return {client, kit::numbered_from(100, made[1])};
}

std::string numbered(const char* name, int number) { return name + std::string(" ") + std::to_string(number); }
void put(int fd, const char* text) { io::send(fd, text, std::strlen(text), 0); }
std::size_t take(int fd) {
    char buffer[64];
    const ssize_t n = io::recv(fd, buffer, sizeof buffer, 0);
    return n < 0 ? 0 : static_cast<std::size_t>(n);
}

// ---- echo_pairs -----------------------------------------------------------------------------------------------------

/// Three connections with a task on each end; one client is slow, and one answer waits for buffer space.
void echo_pairs(const DemoOptions&) {
    Stand stand;
    for (int i = 1; i <= 3; ++i) {
        const Ends ends = connected();
        go(
            [fd = ends.server] {
                char buffer[64];
                for (ssize_t n; (n = io::recv(fd, buffer, sizeof buffer, 0)) > 0;) {
                    kit::work(2 * kMicrosecond);
                    io::send(fd, buffer, static_cast<std::size_t>(n), 0);
                }
                io::close(fd);
            },
            numbered("server", i));
        go(
            [fd = ends.client, i] {
                for (int round = 0; round < 3; ++round) {
                    put(fd, "hello");
                    take(fd);
                    sleep_for(static_cast<std::uint64_t>(i) * 7 * kMicrosecond);
                }
                io::close(fd);
            },
            numbered("client", i));
    }
    stand.run();
}

// ---- time_outs ------------------------------------------------------------------------------------------------------

/// A poll of two descriptors, a read with a time limit, a cancelled read, and a read whose descriptor is closed.
void time_outs(const DemoOptions&) {
    Stand stand;
    const Ends one = connected(), two = connected(), three = connected();
    go(
        [=] {
            pollfd both[2] = {{one.client, POLLIN, 0}, {two.client, POLLIN, 0}};
            while (io::poll(both, 2, 2) == 0) kit::note("nothing in 2 ms");
            take(two.client);
        },
        "polls two");
    go(
        [=] {
            char byte;
            perform({"recv", three.client, Want::read, deadline_after(3 * kMillisecond)},
                    [&] { return system_calls().recvfrom(three.client, &byte, 1, 0, nullptr, nullptr); });
            kit::note(last_error() == ETIMEDOUT ? "no answer in 3 ms" : "?");
        },
        "waits 3 ms at most");
    const lab04::Handle patient = go([=] { take(one.client); }, "is cancelled");
    go([=] { take(three.server); }, "loses its descriptor");
    go(
        [=] {
            sleep_for(kMillisecond);
            lab04::cancel(patient);
            sleep_for(kMillisecond / 2);
            io::close(three.server);
            sleep_for(3 * kMillisecond);
            put(two.server, "at last");
        },
        "acts");
    stand.run();
    for (const int fd : {one.client, one.server, two.client, two.server, three.client}) system_calls().close(fd);
}

// ---- registered_once and registered_each_time -----------------------------------------------------------------------

/// NtyCo's sequence around each call: registers, waits, unregisters, and only then reads. A descriptor is never
/// registered while a context works on it.
ssize_t recv_its_way(int fd, void* buffer, std::size_t size) {
    wait_until_ready({"recv", fd, Want::read});
    EpollSource::here()->forget(fd);
    ++call_counts().io;
    return system_calls().recvfrom(fd, buffer, size, MSG_DONTWAIT, nullptr, nullptr);
}

template <class Receive>
/// Two tasks send messages to and fro; `counted` is the note about it.
void ping_pong(const char* counted, Receive receive) {
    constexpr int kRounds = 10;
    Stand stand;
    const Ends ends = connected();
    const CallCounts before = call_counts();
    for (const int fd : {ends.client, ends.server})
        go(
            [=] {
                char buffer[16];
                for (int i = 0; i < kRounds; ++i) {
                    if (fd == ends.client) put(fd, "ping");
                    receive(fd, buffer, sizeof buffer);
                    if (fd == ends.server) put(fd, "pong");
                }
            },
            fd == ends.client ? "client" : "server");
    stand.run();
    const CallCounts& now = call_counts();
    kit::note(counted, 2 * kRounds, now.epoll_ctl - before.epoll_ctl, now.epoll_wait - before.epoll_wait,
              now.io - before.io);
    system_calls().close(ends.client);
    system_calls().close(ends.server);
}

void registered_once(const DemoOptions&) {
    ping_pong("tried first, registered once: {0} messages took {1} epoll_ctl, {2} epoll_wait, {3} recv and send",
              [](int fd, void* buffer, std::size_t size) { return io::recv(fd, buffer, size, 0); });
}
void registered_each_time(const DemoOptions&) {
    ping_pong("registered each time, as NtyCo does: {0} messages took {1} epoll_ctl, {2} epoll_wait, {3} recv and send",
              recv_its_way);
}

// ---- edges ----------------------------------------------------------------------------------------------------------

/// Three bytes arrive, and one is read after each poll: how often does a poller report them?
void edges(const DemoOptions&) {
    for (const Trigger trigger : {Trigger::level, Trigger::edge}) {
        Epoller poller;
        const Ends ends = connected();
        poller.add(ends.client, EPOLLIN, trigger);
        static_cast<void>(!system_calls().write(ends.server, "abc", 3));
        int told = 0;
        for (int look = 0; look < 5; ++look) {
            char byte;
            if (poller.wait(0).empty()) continue;
            ++told;
            static_cast<void>(!system_calls().read(ends.client, &byte, 1));
        }
        kit::note("{0}-triggered, 3 bytes: events {1}, bytes left {2}", trigger == Trigger::level ? "level" : "edge",
                  told, 3 - told);
        system_calls().close(ends.client);
        system_calls().close(ends.server);
    }
}

// ---- io_manager -----------------------------------------------------------------------------------------------------

/// sylar's IO manager on three machines: one waits in epoll for all, and an event's callback runs on any free machine.
void io_manager(const DemoOptions&) {
    Stand stand("sylar", 3);
    IOManager manager(stand.source);
    const Ends ends[] = {connected(), connected(), connected()};
    for (const Ends& one : ends) {
        go(
            [&manager, one] {
                manager.add_event(one.client, lab04::Want::read, [fd = one.client] {
                    kit::work(30 * kMicrosecond);
                    take(fd);
                });
                kit::work(10 * kMicrosecond);
                put(one.server, "hello");
            },
            "adds an event, and writes");
    }
    go(
        [&manager, fd = ends[0].server] {
            manager.add_event(fd, lab04::Want::read);
            kit::note(manager.wait_event(fd, lab04::Want::read) == lab04::Wake::event ? "triggered by a cancel" : "?");
            manager.stop();
        },
        "waits for its event");
    go(
        [&manager, fd = ends[0].server] {
            sleep_for(200 * kMicrosecond);
            manager.cancel_event(fd, lab04::Want::read);
        },
        "cancels it");
    stand.run();
    for (const Ends& one : ends)
        for (const int fd : {one.client, one.server}) system_calls().close(fd);
}

// ---- hooked ---------------------------------------------------------------------------------------------------------

/// Blocking code (read, write, sleep) on blocking descriptors.
void hooked(const DemoOptions&) {
    if (!kHookBuilt) throw std::runtime_error("this program was built without the hook");
    Stand stand;
    const Ends ends = connected(0);
    go_hooked(
        [fd = ends.server] {
            char buffer[64];
            for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;) {
                ::usleep(50);
                static_cast<void>(!::write(fd, buffer, static_cast<std::size_t>(n)));
            }
            ::close(fd);
        },
        "server, blocking code");
    go_hooked(
        [fd = ends.client] {
            char buffer[64];
            for (int round = 0; round < 3; ++round) {
                static_cast<void>(!::write(fd, "hello", 5));
                static_cast<void>(!::read(fd, buffer, sizeof buffer));
                ::usleep(100);
            }
            ::close(fd);
        },
        "client, blocking code");
    go(
        [] {
            for (int i = 0; i < 6; ++i) {
                kit::work(10 * kMicrosecond);
                sleep_for(60 * kMicrosecond);
            }
        },
        "another task");
    stand.run();
}

constexpr kit::Demo kDemos[] = {
    {.name = "echo_pairs", .description = "three echo connections, a task on each end", .run = echo_pairs},
    {.name = "time_outs", .description = "poll, a limit, a cancelled call, a closed descriptor", .run = time_outs},
    {.name = "registered_once", .description = "a ping-pong: tried first, registered once", .run = registered_once},
    {.name = "registered_each_time",
     .description = "the same as NtyCo does it: add, wait, delete, read",
     .run = registered_each_time},
    {.name = "edges", .description = "three bytes, read one by one: level- and edge-triggered", .run = edges},
    {.name = "io_manager", .description = "sylar's IO manager on three machines", .run = io_manager},
    {.name = "clients",
     .description = "the same six clients, served as each of five systems does (--seed N)",
     .run = clients,
     .strategies = kSystemNames,
     .acting = {.seed = true, .machines = kSeveralMachines}},
    {.name = "clients_libco",
     .description = "the same as libco does",
     .run = clients,
     .strategies = kOnlyLibco,
     .acting = {.seed = true}},
    {.name = "clients_sylar",
     .description = "the same as sylar does",
     .run = clients,
     .strategies = kOnlySylar,
     .acting = {.seed = true, .machines = kOnlySylar}},
    {.name = "clients_netco",
     .description = "the same as netco does",
     .run = clients,
     .strategies = kOnlyNetco,
     .acting = {.seed = true, .machines = kOnlyNetco}},
    {.name = "clients_go",
     .description = "the same as the M:G scheduler does",
     .run = clients,
     .strategies = kOnlyGo,
     .acting = {.seed = true, .machines = kOnlyGo}},
    {.name = "hooked", .description = "code that was written to block, under the hook", .run = hooked},
    {.name = "echo",
     .description = "an echo server, until Ctrl-C",
     .run = echo_server,
     .acting = {.machines = kit::kWithoutStrategy},
     .large = true,
     .clocks = kit::kMonotonicOnly,
     .options = kEchoServerOptions,
     .check = check_echo_server},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kit::all_demos(kDemos)); }
