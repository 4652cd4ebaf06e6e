#include "labs/05_epoll_io/programs/demo_clients.h"

#include <fcntl.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "labs/04_scheduler/netco.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/programs/demo_simulated_clients.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/05_epoll_io/systems.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"
#include "testing/measure/ratios.h"

namespace fiberscope::lab05 {

namespace {

using fiberscope::testing::spoken;

using kit::kMicrosecond;
using kit::kMillisecond;
constexpr std::uint64_t kWork = 20 * kMicrosecond;  // of the server, per message
constexpr std::size_t kWorkers = 8;                 // of libco's pool: more than the number of clients

// Each thinks for a different time, so that they meet in many orders.
constexpr ClientPlan kPlans[] = {
    {5 * kMicrosecond, 31 * kMicrosecond, 4},  {10 * kMicrosecond, 47 * kMicrosecond, 4},
    {15 * kMicrosecond, 61 * kMicrosecond, 4}, {20 * kMicrosecond, 83 * kMicrosecond, 4},
    {25 * kMicrosecond, 97 * kMicrosecond, 4}, {30 * kMicrosecond, 113 * kMicrosecond, 4},
};
constexpr std::uint64_t kFirstSeed = 1;  // of the plans above

/// The same number of clients and requests; with another seed they connect and think at other times.
std::vector<ClientPlan> plans_of(std::uint64_t seed) {
    std::vector<ClientPlan> plans(std::begin(kPlans), std::end(kPlans));
    std::mt19937_64 random(seed);
    const auto between = [&](std::uint64_t least, std::uint64_t most) { return least + random() % (most - least + 1); };
    if (seed == kFirstSeed) return plans;
    for (ClientPlan& plan : plans) {
        plan.connects = between(kPlans[0].connects, std::rbegin(kPlans)->connects);
        plan.thinks = between(kPlans[0].thinks, std::rbegin(kPlans)->thinks);
    }
    return plans;
}

/// Occupies all numbers below 100, so that later descriptors have the same numbers on every run.
class LowNumbersTaken {
  public:
    LowNumbersTaken() {
        constexpr int kFirst = 100;
        const int made = eventfd(0, EFD_CLOEXEC);
        for (int fd = made; fd >= 0 && fd < kFirst; fd = system_calls().fcntl(made, F_DUPFD_CLOEXEC, 0))
            taken_.push_back(fd);
        const bool allowed = !taken_.empty() && taken_.back() >= kFirst - 1;  // otherwise the numbers are best effort
        while (!taken_.empty() && (!allowed || taken_.back() >= kFirst)) give_back();
    }
    ~LowNumbersTaken() {
        while (!taken_.empty()) give_back();
    }
    LowNumbersTaken(const LowNumbersTaken&) = delete;
    LowNumbersTaken& operator=(const LowNumbersTaken&) = delete;

  private:
    void give_back() {
        system_calls().close(taken_.back());
        taken_.pop_back();
    }
    std::vector<int> taken_;
};

struct Told {
    double p50 = 0, p99 = 0;  ///< us
};

std::uint64_t wake_ups(lab04::Scheduler& scheduler) {
    const auto of = [](lab04::Scheduler& one) {
        const lab04::SchedulerLock held(one.shared());
        return one.shared().wakes();
    };
    const auto* netco = dynamic_cast<lab04::Netco*>(&scheduler.strategy());
    if (netco == nullptr) return of(scheduler);
    std::uint64_t all = 0;
    for (const auto& processor : netco->processors()) all += of(*processor->sched);
    return all;
}

/// "0": all messages were answered on machine 0; "0+1": some on machine 0 and some on machine 1.
std::string homes_in_words(const EchoServer& server) {
    std::string words;
    for (const std::vector<std::uint64_t>& one : server.homes()) {
        words += words.empty() ? "" : " ";
        std::string home;
        for (std::size_t machine = 0; machine < one.size(); ++machine)
            if (one[machine] > 0) home += (home.empty() ? "" : "+") + std::to_string(machine);
        words += home;
    }
    return words;
}

void run(lab04::Scheduler& scheduler) {
    for (const lab04::Failure& failure : scheduler.run())
        throw Spoken<std::runtime_error>(message("task '{0}' ended by: {1}", failure.task, Value::of(failure.message)));
}

void tell(const System& system, EchoServer& server, const Told& told, const CallCounts& calls, std::uint64_t wakes) {
    const auto messages = static_cast<double>(server.figures().messages);
    char row[256];
    std::snprintf(row, sizeof row, "| %s | %s | %.1f | %llu | %.1f | %.1f |", system.name,
                  homes_in_words(server).c_str(),
                  static_cast<double>(calls.io + calls.epoll_ctl + calls.epoll_wait) / messages,
                  static_cast<unsigned long long>(wakes), told.p50, told.p99);
    if (system.name == std::string_view(kSystemNames[0]))
        std::printf(
            "%s\n|---|---|---|---|---|---|\n",
            spoken("| system | machines of the connections | system calls a message | wake-ups | p50, us | p99, us |"));
    std::printf("%s\n", row);
    std::fflush(stdout);
    kit::note("system, machines of the connections, system calls a message, wake-ups, p50 and p99 in us: {0}", row);
}

CallCounts calls_since(const CallCounts& before) {
    const CallCounts now = all_call_counts();
    return {now.io - before.io, now.would_block - before.would_block, now.epoll_ctl - before.epoll_ctl,
            now.epoll_wait - before.epoll_wait};
}

// Not on the stack, where its alignment could shift the frames from run to run.
std::unique_ptr<EchoServer> a_server(const System& system, std::vector<int> listening) {
    return std::make_unique<EchoServer>(
        system.server,
        ServerOptions{.workers = kWorkers, .work = kWork, .listening = std::move(listening), .homes = true});
}

/// Adds a note for each client, in the format read by traces/replay/answers.h: all its waiting times, sorted.
std::vector<std::uint64_t> note_waits(const std::vector<std::vector<std::uint64_t>>& by_client) {
    std::vector<std::uint64_t> all;
    for (std::size_t client = 0; client < by_client.size(); ++client) {
        std::string numbers;
        for (const std::uint64_t ns : by_client[client]) numbers += (numbers.empty() ? "" : ", ") + std::to_string(ns);
        kit::note("client {0}: answers after {1} ns", client, numbers);
        all.insert(all.end(), by_client[client].begin(), by_client[client].end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

void serve_simulated(const System& system, unsigned machines, std::uint64_t seed) {
    const LowNumbersTaken taken;
    const auto simulated = std::make_shared<SimulatedClients>(plans_of(seed));
    ClientsSource source(simulated, system.time_by, system.strategy == std::string_view("netco"));
    lab04::Scheduler scheduler(settings_of(system, source, machines));
    const auto server = a_server(system, {simulated->listener()});
    const CallCounts before = all_call_counts();
    server->start();
    // A shutdown of a local listener does not end an accept, so it is forgotten on the processor whose poller has it.
    const auto stop = [&] {
        while (!simulated->done()) lab04::sleep_for(kMillisecond);
        server->stop();
        source.forget(simulated->listener());
    };
    if (source.each_for_itself())
        lab04::go_on(0, stop, {.name = "stop"});
    else
        lab04::go(stop, "stop");
    run(scheduler);
    const std::vector<std::uint64_t> waits = note_waits(simulated->waits());
    const auto at = [&](std::size_t percent) {
        return static_cast<double>(waits.at((waits.size() - 1) * percent / 100)) / 1000;
    };
    tell(system, *server, {at(50), at(99)}, calls_since(before), wake_ups(scheduler));
}

void serve_load(const System& system, unsigned machines) {
    EpollSource source(system.time_by);
    lab04::Scheduler scheduler(settings_of(system, source, machines));
    const auto server = a_server(system, {});
    const int over = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    const CallCounts before = all_call_counts();
    server->start();
    lab04::go(
        [&] {
            lab04::wait_readable(over);
            server->stop();
        },
        "stop");
    LoadResult result;
    std::thread load([&, port = server->port()] {
        result = run_load({.ports = {port}, .connections = std::size(kPlans), .requests = 600});
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(over, &one, sizeof one));
    });
    run(scheduler);
    load.join();
    system_calls().close(over);
    if (!result.first_error.empty()) throw SpokenError(result.first_error);
    tell(system, *server, {result.p50, result.p99}, calls_since(before), wake_ups(scheduler));
}

}  // namespace

void clients(const kit::DemoOptions& options) {
    const System& system = system_named(options.strategy);
    const unsigned machines = system.several ? options.machines : 1;
    if (kit::clock_kind() == kit::ClockKind::virtual_)
        serve_simulated(system, machines, options.seed);
    else
        serve_load(system, machines);
}

}  // namespace fiberscope::lab05
