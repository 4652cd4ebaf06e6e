// What lab 05 gives of the echo servers: listeners, the end, figures.
#include <fcntl.h>
#include <time.h>

#include <cerrno>
#include <stdexcept>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

namespace {

constexpr const char* kKinds[] = {"per_connection", "pool", "hooked"};
constexpr std::uint64_t kSecond = 1'000'000'000;

void check_kind(std::string_view kind) {
    std::string known;
    for (const char* one : kKinds) {
        if (kind == one) {
            if (kind == "hooked" && !kHookBuilt) throw std::invalid_argument("this program was built without the hook");
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(one);
    }
    throw std::invalid_argument("there is no server '" + std::string(kind) + "'; there are: " + known);
}

std::uint64_t own_time() noexcept {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<std::uint64_t>(used.tv_sec) * kSecond + static_cast<std::uint64_t>(used.tv_nsec);
}

}  // namespace

void compute(std::uint64_t ns) {
    if (kit::clock_kind() == kit::ClockKind::virtual_) return kit::work(ns);
    const std::uint64_t until = own_time() + ns;
    while (own_time() < until) {
    }
}

std::span<const char* const> EchoServer::kinds() noexcept { return kKinds; }

EchoServer::EchoServer(std::string_view kind, ServerOptions options) : kind_(kind), options_(std::move(options)) {
    check_kind(kind);
    for (const int fd : options_.listening) listeners_.emplace_back(fd);
    if (listeners_.empty())
        for (const std::uint16_t port : options_.ports) listeners_.push_back(Socket::listener(options_.ip, port));
    // To plain code a listener that does not block would be a strange one.
    if (kind == "hooked")
        for (const Socket& listener : listeners_) fcntl(listener.fd(), F_SETFL, 0);
}

EchoServer::~EchoServer() { stop(); }

void EchoServer::start() {
    if (options_.idle_limit > 0) sweeper_ = lab04::go([this] { end_idle_connections(); }, "idle limit");
    if (kind_ == "pool") {
        workers_.resize(options_.workers);
        for (Worker& worker : workers_)
            worker.task = &lab04::go([this, &worker] { serve_in_pool(*this, worker); }, "worker").task();
    }
    for (const Socket& listener : listeners_) {
        const int fd = listener.fd();
        const std::string name = "acceptor " + std::to_string(listener.port());
        if (kind_ == "hooked")
            go_hooked([this, fd] { accept_hooked(*this, fd); }, name);
        else if (kind_ == "pool")
            lab04::go([this, fd] { accept_for_pool(*this, fd); }, name);
        else
            lab04::go([this, fd] { accept_per_connection(*this, fd); }, name);
    }
}

// A listener and a connection that were shut down stay so: a task that asks later finds it too, and none must be
// cancelled at the right moment.
void EchoServer::stop() {
    if (stopping_) return;
    stopping_ = true;
    for (const Socket& listener : listeners_) shutdown(listener.fd(), SHUT_RDWR);
    for (const auto& [fd, last] : connections_) shutdown(fd, SHUT_RDWR);
    if (sweeper_) lab04::cancel(sweeper_);
    for (Worker* worker : std::exchange(idle, {})) lab04::wake(lab04::Handle(*worker->task));
}

void EchoServer::end_idle_connections() {
    const std::uint64_t limit = options_.idle_limit;
    while (!stopping_ && lab04::sleep_for(limit / 4 + 1) != Wake::cancelled)
        for (const auto& [fd, last] : connections_)
            if (kit::now() - last >= limit) shutdown(fd, SHUT_RDWR);
}

bool EchoServer::opened(int fd) {
    if (stopping_) {
        ++figures_.refused;
        io::close(fd);
        return false;
    }
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    connections_[fd] = kit::now();
    figures_.open = connections_.size();
    ++figures_.accepted;
    return true;
}

void EchoServer::close(int fd) {
    figures_.closed += connections_.erase(fd);
    figures_.open = connections_.size();
    io::close(fd);
}

void EchoServer::work(int fd, std::size_t bytes) {
    ++figures_.messages;
    figures_.bytes += bytes;
    if (options_.idle_limit > 0) connections_[fd] = kit::now();
    if (options_.work > 0) compute(options_.work);
    if (options_.sleep > 0) lab04::sleep_for(options_.sleep);
}

bool out_of_descriptors(int error) noexcept {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

bool EchoServer::goes_on_after(int error) {
    if (stopping_) return false;
    if (out_of_descriptors(error)) {
        ++figures_.exhausted;
        lab04::sleep_for(kUntilDescriptorsAreFree);
        return !stopping_;
    }
    switch (error) {
    case EBADF:
    case EINVAL:
    case ENOTSOCK:
    case EOPNOTSUPP:
    case ECANCELED: return false;
    default: ++figures_.refused; return true;  // one connection has failed before it was accepted
    }
}

void EchoServer::wait_for_worker() {
    ++figures_.exhausted;
    lab04::sleep_for(kSecond);
}

}  // namespace fiberscope::lab05
