// A server until a signal: what its options are, and what it tells.
#include "labs/05_epoll_io/programs/demo_echo_server.h"

#include <signal.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/trace.h"

namespace fiberscope::lab05 {

namespace {

constexpr const char* kHere = "127.0.0.1";

int stop_descriptor = -1;

void on_signal(int) {
    const std::uint64_t one = 1;
    static_cast<void>(!system_calls().write(stop_descriptor, &one, sizeof one));
}

/// A descriptor that becomes readable at SIGINT or SIGTERM.
int readable_at_the_end() {
    stop_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    struct sigaction action {};
    action.sa_handler = on_signal;
    for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
    return stop_descriptor;
}

std::size_t number(const std::string& text, const char* otherwise) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw std::invalid_argument(std::string(otherwise) + ", not '" + text + "'");
}

std::vector<std::uint16_t> ports_of(const std::string& text) {
    std::vector<std::uint16_t> ports;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        std::uint16_t port = 0;
        const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, port);
        if (error != std::errc() || end != text.data() + to)
            throw std::invalid_argument("--port takes numbers up to 65535, with commas between them, not '" + text +
                                        "'");
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
    throw std::invalid_argument("--backend takes one of " + known + ", not '" + name + "'");
}

lab04::WaitBy wait_by(const std::string& name) {
    if (name != "table" && name != "tree")
        throw std::invalid_argument("--wait-by takes one of table, tree, not '" + name + "'");
    return name == "table" ? lab04::WaitBy::table : lab04::WaitBy::tree;
}

void serve_plainly(const std::vector<std::uint16_t>& ports, int stop) {
    std::vector<Socket> listeners;
    PlainServer plain;
    for (const std::uint16_t port : ports) {
        listeners.push_back(Socket::listener(kHere, port));
        plain.listeners.push_back(listeners.back().fd());
        std::printf("listening on 127.0.0.1:%u\n", listeners.back().port());
    }
    plain.stop = stop;
    std::fflush(stdout);
    serve_in_the_loop(plain);
}

/// Throws std::invalid_argument for one that neither EchoServer nor this program has.
void check_kind(const std::string& kind) {
    std::string known;
    for (const char* one : EchoServer::kinds()) {
        if (kind == one) return;
        known += std::string(one) + ", ";
    }
    throw std::invalid_argument("--server takes one of " + known + "epoll, not '" + kind + "'");
}

void check_recording(const std::string& what) {
    if (what != "whole" && what != "brief" && what != "no")
        throw std::invalid_argument("--record takes one of whole, brief, no, not '" + what + "'");
}

struct Asked {
    std::string kind;
    std::vector<std::uint16_t> ports;
    std::size_t workers;
    const kit::CoroutineBackend& backend;
    lab04::WaitBy wait_by;
    std::string record;
};

/// Throws std::invalid_argument for a value that cannot be taken.
Asked read(const kit::DemoOptions& options) {
    Asked asked{.kind = options.option("server", "per_connection"),
                .ports = ports_of(options.option("port", "9000")),
                .workers = number(options.option("workers", "1000"), "--workers takes a whole number"),
                .backend = backend_of(options.option("backend", "asm")),
                .wait_by = wait_by(options.option("wait-by", "table")),
                .record = options.option("record", "brief")};
    if (asked.kind != "epoll") check_kind(asked.kind);
    check_recording(asked.record);
    return asked;
}

// Under load, what happens is worth recording, and not how the tree of those who wait turns. Of a million messages
// nobody reads a recording at all.
void record_as_told(const std::string& what) {
    kit::record_details(what == "whole");
    if (what == "no") kit::end_trace();
}

}  // namespace

void check_echo_server(const kit::DemoOptions& options) {
    for (const std::uint16_t port : read(options).ports)
        if (port != 0) Socket::listener(kHere, port);
}

void echo_server(const kit::DemoOptions& options) {
    const Asked asked = read(options);
    raise_descriptor_limit();
    record_as_told(asked.record);
    const int stop = readable_at_the_end();
    if (asked.kind == "epoll") return serve_plainly(asked.ports, stop);

    EpollSource source;
    lab04::Scheduler scheduler(lab04::Settings{
        .strategy = "multi_state", .backend = &asked.backend, .source = &source, .wait_by = asked.wait_by});
    EchoServer server(asked.kind, {.ports = asked.ports, .workers = asked.workers});
    server.start();
    for (std::size_t i = 0; i < asked.ports.size(); ++i) std::printf("listening on 127.0.0.1:%u\n", server.port(i));
    std::fflush(stdout);
    lab04::go(
        [&] {
            lab04::wait_readable(stop);
            server.stop();
        },
        "stop");
    for (const lab04::Failure& failure : scheduler.run())
        std::fprintf(stderr, "task '%s' ended by: %s\n", failure.task.c_str(), failure.what.c_str());
    const ServerFigures& figures = server.figures();
    std::printf("%llu connections, %llu messages\n", static_cast<unsigned long long>(figures.accepted),
                static_cast<unsigned long long>(figures.messages));
}

}  // namespace fiberscope::lab05
