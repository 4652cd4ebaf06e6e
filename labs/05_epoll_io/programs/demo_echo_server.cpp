// The demo `echo`: options, servers and their output.
#include "labs/05_epoll_io/programs/demo_echo_server.h"

#include <signal.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/05_epoll_io/systems.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/details.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"
#include "testing/measure/ratios.h"

namespace fiberscope::lab05 {

namespace {

using fiberscope::testing::spoken;

constexpr std::size_t kMostWorkers = 100'000;  // each has a stack
using kit::kSecond;
constexpr std::uint64_t kMegabyte = 1'000'000;

int stop_descriptor = -1;

void on_signal(int) {
    const std::uint64_t one = 1;
    static_cast<void>(!system_calls().write(stop_descriptor, &one, sizeof one));
}

/// Returns a descriptor that becomes readable at SIGINT or SIGTERM.
int readable_at_the_end() {
    stop_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    struct sigaction action {};
    action.sa_handler = on_signal;
    for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
    return stop_descriptor;
}

/// Parses a number from `least` to `most`. Throws with a message if it is out of range.
std::size_t number(const kit::DemoOptions& options, const char* name, std::size_t otherwise, std::size_t least,
                   std::size_t most) {
    const std::string text = options.option(name, std::to_string(otherwise));
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return value;
    throw Spoken<std::invalid_argument>(
        message("--{0} takes a whole number from {1} to {2}, not '{3}'", name, least, most, text));
}

std::vector<std::uint16_t> ports_of(const std::string& text) {
    std::vector<std::uint16_t> ports;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        std::uint16_t port = 0;
        const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, port);
        if (error != std::errc() || end != text.data() + to)
            throw Spoken<std::invalid_argument>(
                message("--port takes numbers up to 65535, with commas between them, not '{0}'", text));
        if (port != 0 && std::find(ports.begin(), ports.end(), port) != ports.end())
            throw Spoken<std::invalid_argument>(message("--port names {0} twice", port));
        ports.push_back(port);
        from = to + 1;
    }
    return ports;
}

const kit::CoroutineBackend& backend_of(const std::string& name) {
    std::string known;
    for (const kit::CoroutineBackend* one : {&kit::asm_backend, &kit::ucontext_backend, &kit::shared_backend}) {
        if (name == one->name) return *one;
        known += (known.empty() ? "" : ", ") + std::string(one->name);
    }
    throw Spoken<std::invalid_argument>(message("--backend takes one of {0}, not '{1}'", known, name));
}

lab04::WaitBy wait_by(const std::string& name) {
    if (name != "table" && name != "tree")
        throw Spoken<std::invalid_argument>(message("--wait-by takes one of table, tree, not '{0}'", name));
    return name == "table" ? lab04::WaitBy::table : lab04::WaitBy::tree;
}

/// Prints the last line of every server.
void print_figures(const ServerFigures& figures) {
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(spoken("%llu accepted, %llu closed, %llu refused, %llu times exhausted; %llu messages, %llu bytes\n"),
                number(figures.accepted), number(figures.closed), number(figures.refused), number(figures.exhausted),
                number(figures.messages), number(figures.bytes));
}

void print_address(const std::string& ip, std::uint16_t port) {
    std::printf(spoken("listening on %s:%u\n"), ip.c_str(), port);
}

void serve_plainly(const std::string& ip, const std::vector<std::uint16_t>& ports, int stop) {
    std::vector<Socket> listeners;
    PlainServer plain;
    for (const std::uint16_t port : ports) {
        listeners.push_back(Socket::listener(ip, port));
        plain.listeners.push_back(listeners.back().fd());
        print_address(ip, listeners.back().port());
    }
    plain.stop = stop;
    std::fflush(stdout);
    serve_in_the_loop(plain);
    const PlainFigures& done = plain_figures();
    print_figures({.accepted = done.accepted,
                   .closed = done.accepted,  // all are closed at the end
                   .refused = done.refused,
                   .exhausted = done.exhausted,
                   .messages = done.messages,
                   .bytes = done.bytes});
}

/// Throws std::invalid_argument for a kind that neither EchoServer nor this program has.
void check_kind(const std::string& kind) {
    std::string known;
    for (const char* one : EchoServer::kinds()) {
        if (kind == one) return;
        known += std::string(one) + ", ";
    }
    throw Spoken<std::invalid_argument>(message("--server takes one of {0}epoll, not '{1}'", known, kind));
}

void check_recording(const std::string& what) {
    if (what != "whole" && what != "brief" && what != "no")
        throw Spoken<std::invalid_argument>(message("--record takes one of whole, brief, no, not '{0}'", what));
}

struct Asked {
    const System& system;
    unsigned machines;  ///< per loop
    unsigned loops;     ///< each with a separate single-threaded scheduler
    std::string kind;
    std::string ip;
    std::vector<std::uint16_t> ports;
    std::size_t workers;
    std::uint64_t idle_limit;  ///< ns; 0: no limit
    const kit::CoroutineBackend& backend;
    lab04::WaitBy wait_by;
    std::string record;
    std::uint64_t record_limit;  ///< bytes; 0: no limit
};

/// Rejects options that `kind` would ignore.
void check_heard(const kit::DemoOptions& options, const std::string& kind) {
    const auto refuse = [](const std::string& option, const std::string& why) {
        throw Spoken<std::invalid_argument>(message("{0}: {1}", option, Value::of(why)));
    };
    if (options.machines_given && kind == "epoll") refuse("--machines", "this server runs on one thread");
    if (kind == "epoll" && options.more.contains("as"))
        refuse("--as", "--server epoll is a bare loop, which belongs to none of the systems");
    if (kind != "pool" && kind != "libco" && options.more.contains("workers"))
        refuse("--workers", "only --server pool and --as libco have workers");
    for (const char* option : {"backend", "wait-by", "idle-limit", "record-limit"})
        if (kind == "epoll" && options.more.contains(option))
            refuse("--" + std::string(option),
                   "--server epoll is a bare loop without coroutines, and does not have this option");
}

/// Throws std::invalid_argument for an invalid value.
Asked read(const kit::DemoOptions& options) {
    constexpr std::size_t kMost = 1'000'000;
    const System& system = system_named(options.option("as", "ntyco"));
    Asked asked{.system = system,
                .machines = system.several ? options.machines : 1,
                .loops = !system.several && options.machines_given ? options.machines : 1,
                .kind = options.option("server", system.server),
                .ip = options.option("ip", "127.0.0.1"),
                .ports = ports_of(options.option("port", "9000")),
                .workers = number(options, "workers", 1000, 1, kMostWorkers),
                .idle_limit = number(options, "idle-limit", 0, 0, kMost) * kSecond,
                .backend = backend_of(options.option("backend", "asm")),
                .wait_by = wait_by(options.option("wait-by", "table")),
                .record = options.option("record", "brief"),
                .record_limit = number(options, "record-limit", 0, 0, kMost) * kMegabyte};
    if (asked.kind != "epoll" && options.more.contains("server")) check_kind(asked.kind);
    if (asked.kind == "pool" && asked.machines > 1)
        throw std::invalid_argument("--server pool needs one machine: --as libco, --as ntyco, or --machines 1");
    check_recording(asked.record);
    check_heard(options, asked.kind);
    return asked;
}

// Under load only the events are worth recording, not the rotations of the tree of waiting tasks. A recording of a
// million messages is useless.
void record_as_told(const std::string& what) {
    kit::record_details(what == "whole");
    if (what == "no") kit::end_trace();
}

/// Checks the recording's size, and ends the recording when it is too large. The server continues.
void limit_recording(const std::string& file, std::uint64_t limit, const EchoServer& server) {
    constexpr std::uint64_t kPause = kSecond / 10;
    while (!server.stopping() && lab04::sleep_for(kPause) != Wake::cancelled) {
        std::error_code none;
        if (std::filesystem::file_size(file, none) < limit || none) continue;
        kit::end_trace();
        std::printf(spoken("the recording has reached its limit of %llu MB and ends here; the server continues\n"),
                    static_cast<unsigned long long>(limit / kMegabyte));
        std::fflush(stdout);
        return;
    }
}

void stop_at(int stop, EchoServer& server, const lab04::Handle& limiter) {
    lab04::wait_readable(stop);
    server.stop();
    if (limiter) lab04::cancel(limiter);
}

/// Creates a listener for each port and loop, loop by loop. Several loops have separate listeners on one port
/// (SO_REUSEPORT), and the kernel distributes the connections among them.
std::vector<std::vector<int>> listeners_of(const Asked& asked) {
    std::vector<std::uint16_t> ports = asked.ports;
    std::vector<std::vector<Socket>> made(asked.loops);
    for (std::vector<Socket>& loop : made)
        for (std::uint16_t& port : ports) {
            loop.push_back(asked.loops > 1 ? Socket::one_of_several_listeners(asked.ip, port)
                                           : Socket::listener(asked.ip, port));
            port = loop.back().port();
        }
    for (const std::uint16_t port : ports) print_address(asked.ip, port);
    std::fflush(stdout);
    std::vector<std::vector<int>> given(asked.loops);
    for (std::size_t i = 0; i < made.size(); ++i)
        for (Socket& listener : made[i]) given[i].push_back(listener.release());
    return given;
}

/// Prints the figures by machine.
using Figures = std::vector<ServerFigures>;

/// Runs a scheduler and a server until the stop.
Figures serve(const Asked& asked, std::vector<int> listening, int stop, const std::string& limited_file) {
    EpollSource source(asked.system.time_by);
    lab04::Settings settings = settings_of(asked.system, source, asked.machines);
    settings.backend = &asked.backend;
    settings.wait_by = asked.wait_by;
    lab04::Scheduler scheduler(settings);
    EchoServer server(asked.kind,
                      {.workers = asked.workers, .listening = std::move(listening), .idle_limit = asked.idle_limit});
    server.start();
    lab04::Handle limiter;
    if (!limited_file.empty())
        limiter = lab04::go([&] { limit_recording(limited_file, asked.record_limit, server); }, "limit");
    lab04::go([&] { stop_at(stop, server, limiter); }, "stop");
    for (const lab04::Failure& failure : scheduler.run())
        kit::tell_person(message("task '{0}' ended by: {1}", failure.task, Value::of(failure.message)));
    Figures figures;
    if (asked.machines == 1) return {server.figures()};
    for (unsigned machine = 0; machine < asked.machines; ++machine) figures.push_back(server.figures_of(machine));
    return figures;
}

/// Like serve, in one thread per loop. A loop that fails ends the others.
Figures serve_in_loops(const Asked& asked, std::vector<std::vector<int>> listening, int stop,
                       const std::string& limited_file) {
    Figures figures(asked.loops);
    kit::Machines(asked.loops).run([&](unsigned i) {
        try {
            figures[i] = serve(asked, std::move(listening[i]), stop, i == 0 ? limited_file : "").front();
        } catch (...) {
            on_signal(SIGTERM);
            throw;
        }
    });
    return figures;
}

void tell_of(const Figures& machines) {
    ServerFigures all;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const ServerFigures& one = machines[i];
        if (machines.size() > 1)
            std::printf(spoken("machine %zu: %llu connections accepted, %llu messages\n"), i,
                        static_cast<unsigned long long>(one.accepted), static_cast<unsigned long long>(one.messages));
        all.accepted += one.accepted;
        all.closed += one.closed;
        all.refused += one.refused;
        all.exhausted += one.exhausted;
        all.messages += one.messages;
        all.bytes += one.bytes;
    }
    print_figures(all);
}

}  // namespace

void check_echo_server(const kit::DemoOptions& options) {
    const Asked asked = read(options);
    address_of(asked.ip, 0);
    for (const std::uint16_t port : asked.ports)
        if (port != 0) Socket::listener(asked.ip, port);
}

void echo_server(const kit::DemoOptions& options) {
    const Asked asked = read(options);
    raise_descriptor_limit();
    record_as_told(asked.record);
    const int stop = readable_at_the_end();
    if (asked.kind == "epoll") return serve_plainly(asked.ip, asked.ports, stop);

    const bool limited = asked.record_limit > 0 && asked.record != "no";
    const std::string limited_file = limited ? std::string(options.out) : "";
    std::vector<std::vector<int>> listening = listeners_of(asked);
    tell_of(asked.loops > 1 ? serve_in_loops(asked, std::move(listening), stop, limited_file)
                            : serve(asked, std::move(listening.front()), stop, limited_file));
}

}  // namespace fiberscope::lab05
