// `./lab run 05 completion`: compares the costs of readiness and completion.
#include "labs/05_epoll_io/programs/tools.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <vector>

#include "labs/05_epoll_io/beyond/uring/given/uring_server.h"
#include "labs/05_epoll_io/beyond/uring/uring.h"
#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "languages/spoken_error.h"
#include "testing/measure/ratios.h"

namespace fiberscope::lab05 {

namespace {

using fiberscope::testing::spoken;

constexpr int kLeftOut = 77;

struct CompletionOptions {
    unsigned rounds = 5;
    std::uint64_t requests = 50'000;  ///< messages per round
} options;

/// Results of a server's process.
struct Left {
    CallCounts calls;
    std::uint64_t messages;
};
Left* left = nullptr;

void make_left() {
    void* const shared = mmap(nullptr, sizeof(Left), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    left = new (shared) Left{};
}

/// The same server, and the same loop of lab 04, with another event source.
void serve_on(lab04::EventSource& source, void (*accept)(EchoServer&, int), int listener, void (*wait)(int), int stop) {
    lab04::Scheduler scheduler(
        lab04::Settings{.strategy = "multi_state", .source = &source, .wait_by = lab04::WaitBy::table});
    EchoServer server("per_connection", {.listening = {dup(listener)}, .accept = accept});
    server.start();
    lab04::go([&] {
        wait(stop);
        server.stop();
    });
    static_cast<void>(scheduler.run());
    *left = {call_counts(), server.figures().messages};
}

void serve_by_epoll(int listener, int stop) {
    EpollSource source;
    serve_on(
        source, nullptr, listener, [](int fd) { lab04::wait_readable(fd); }, stop);
}

void serve_by_ring(int listener, int stop) {
    const std::unique_ptr<Ring> ring = kernel_ring(1024);
    UringSource source(*ring);
    serve_on(
        source, accept_by_uring, listener, [](int fd) { uring::poll_readable(fd); }, stop);
}

struct Round {
    double per_second, calls;
};

/// Runs the server on one processor and the load on another, if there are two.
Round one_round(ServerProcess::Other way, std::size_t connections, std::uint64_t requests) {
    const bool two = processors() > 1;
    double per_second = 0;
    {
        const ServerProcess server("completion", {}, two ? 0 : -1, way);
        if (two) stay_on(1);
        const LoadResult result = run_load({.ip = "127.0.0.1",
                                            .ports = {server.port()},
                                            .connections = connections,
                                            .requests = requests,
                                            .warm_up = 5 * connections});
        stay_on(-1);
        if (result.errors > 0) throw SpokenError(result.first_error);
        per_second = result.per_second();
    }
    const CallCounts& calls = left->calls;
    const std::uint64_t all = calls.io + calls.epoll_ctl + calls.epoll_wait + calls.io_uring_enter;
    return {per_second, static_cast<double>(all) / static_cast<double>(std::max<std::uint64_t>(left->messages, 1))};
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void compare_at(std::size_t connections) {
    std::vector<double> ratios, speeds[2], calls[2];
    for (unsigned round = 0; round < options.rounds; ++round) {
        const Round epoll = one_round(serve_by_epoll, connections, options.requests);
        const Round ring = one_round(serve_by_ring, connections, options.requests);
        ratios.push_back(ring.per_second / epoll.per_second);
        speeds[0].push_back(epoll.per_second);
        speeds[1].push_back(ring.per_second);
        calls[0].push_back(epoll.calls);
        calls[1].push_back(ring.calls);
    }
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf("%11zu  %8.2f %9.0f     %8.2f %9.0f     %.2f (%.2f to %.2f)\n", connections, median(calls[0]),
                median(speeds[0]), median(calls[1]), median(speeds[1]), median(ratios), *least, *most);
}

/// Prints a table for an echo server with a task per connection on epoll and on io_uring, at 100 and at 1,000
/// connections: system calls per message, messages per second, and their ratio. The exit status is 77, after a message,
/// if the kernel refuses io_uring.
int compare_completion() {
    if (const std::string why = why_no_ring(); !why.empty()) {
        std::printf(spoken("left out: %s\n"), formatted(why, language_of_environment()).c_str());
        return kLeftOut;
    }
    raise_descriptor_limit();
    make_left();
    std::printf(spoken("system calls of the server for a message, messages a second; medians of %u rounds\n"),
                options.rounds);
    std::printf("%s",
                spoken("connections  epoll: calls, a second     io_uring: calls, a second     io_uring / epoll\n"));
    for (const std::size_t connections : {std::size_t{100}, std::size_t{1000}}) compare_at(connections);
    return 0;
}

void add_completion(CommandLine& line) {
    CommandLine& completion = line.verb(
        "completion",
        spoken("An echo server on epoll and one on io_uring (step 5.8) at 100 and 1,000 connections: system calls a "
               "message, messages a second."));
    completion.number("--rounds", spoken("Number of rounds; medians are reported"), options.rounds, 1U, 1000U);
    completion.number("--requests", spoken("Messages per round"), options.requests, std::uint64_t{1},
                      std::uint64_t{1'000'000'000});
}

[[maybe_unused]] const bool known = (more_verbs().push_back({"completion", add_completion, compare_completion}), true);

}  // namespace

}  // namespace fiberscope::lab05
