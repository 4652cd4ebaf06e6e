// Given: the common part of the echo servers: listeners, shutdown, figures.
#include <fcntl.h>
#include <netinet/tcp.h>
#include <time.h>

#include <cerrno>
#include <stdexcept>

#include "labs/05_epoll_io/given/libco_server.h"
#include "labs/05_epoll_io/given/sylar_server.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05 {

namespace {

constexpr const char* kKinds[] = {"per_connection", "pool", "hooked"};
constexpr const char* kGivenKinds[] = {"libco", "sylar"};
using kit::kSecond;

void check_kind(std::string_view kind) {
    std::string known;
    for (const char* one : kKinds) {
        if (kind == one) {
            if (kind == "hooked" && !kHookBuilt) throw std::invalid_argument("this program was built without the hook");
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(one);
    }
    for (const char* one : kGivenKinds)
        if (kind == one) return;
    throw Spoken<std::invalid_argument>(message("there is no server '{0}'; there are: {1}", kind, known));
}

std::uint64_t own_time() noexcept {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return kit::ns_of(used);
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
    if (options_.accept == nullptr) check_kind(kind);
    for (const int fd : options_.listening) listeners_.emplace_back(fd);
    if (listeners_.empty())
        for (const std::uint16_t port : options_.ports) listeners_.push_back(Socket::listener(options_.ip, port));
    // Plain code does not expect a nonblocking listener, and io_uring would not wait.
    if (kind == "hooked" || options_.accept != nullptr)
        for (const Socket& listener : listeners_) fcntl(listener.fd(), F_SETFL, 0);
}

EchoServer::~EchoServer() { stop(); }

void EchoServer::start() {
    if (kind_ == "libco") {
        libco_ = std::make_unique<LibcoPool>(*this, options_.workers);
        libco_->begin_workers();
    }
    if (kind_ == "sylar") {
        EpollSource* source = EpollSource::here();
        if (source == nullptr) throw std::logic_error("the server \"sylar\" needs a scheduler on epoll");
        const std::uint64_t limit = options_.idle_limit > 0 ? options_.idle_limit : SylarServer::kReceiveLimit;
        sylar_ = std::make_unique<SylarServer>(*this, *source, limit);
    }
    if (options_.idle_limit > 0 && kind_ != "sylar")
        sweeper_ = lab04::go([this] { end_idle_connections(); }, "idle limit");
    if (kind_ == "pool") {
        workers_.resize(options_.workers);
        for (Worker& worker : workers_)
            worker.task = &lab04::go([this, &worker] { serve_in_pool(*this, worker); }, "worker").task();
    }
    for (const Socket& listener : listeners_) {
        begin_acceptor(listener.fd(), "acceptor " + std::to_string(listener.port()));
    }
}

void EchoServer::begin_acceptor(int fd, const std::string& name) {
    if (options_.accept != nullptr)
        lab04::go([this, fd] { options_.accept(*this, fd); }, name);
    else if (kind_ == "hooked")
        go_hooked([this, fd] { accept_hooked(*this, fd); }, name);
    else if (kind_ == "pool")
        lab04::go([this, fd] { accept_for_pool(*this, fd); }, name);
    else if (libco_ != nullptr)
        lab04::go([this, fd] { libco_->accept_from(fd); }, name);
    else if (sylar_ != nullptr)
        lab04::go([this, fd] { sylar_->accept_from(fd); }, name);
    else
        lab04::go([this, fd] { accept_per_connection(*this, fd); }, name);
}

namespace {

// A nonblocking AF_UNIX listener that was shut down returns EAGAIN forever, and is always readable. A blocking one
// returns EINVAL immediately, as a TCP listener does in both cases.
void end_listener(int fd) {
    if (shutdown(fd, SHUT_RDWR) != 0) return;
    const int flags = system_calls().fcntl(fd, F_GETFL);
    if (flags >= 0) system_calls().fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace

// A shutdown is permanent: a task that checks later finds it too, so no task needs to be cancelled at the right moment.
void EchoServer::stop() {
    if (stopping_.exchange(true)) return;
    for (const Socket& listener : listeners_) end_listener(listener.fd());
    if (sweeper_) lab04::cancel(sweeper_);
    {
        const kit::Guard guard(lock_);
        for (const auto& [fd, connection] : connections_) shutdown(fd, SHUT_RDWR);
    }
    for (Worker* worker : std::exchange(idle, {})) lab04::wake(lab04::Handle(*worker->task));
    if (libco_ != nullptr) libco_->stop();
    if (sylar_ != nullptr) sylar_->stop();
}

void EchoServer::end_idle_connections() {
    const std::uint64_t limit = options_.idle_limit;
    while (!stopping_ && lab04::sleep_for(limit / 4 + 1) != Wake::cancelled) {
        const kit::Guard guard(lock_);
        for (const auto& [fd, connection] : connections_)
            if (kit::minus(kit::now(), connection.last) >= limit) shutdown(fd, SHUT_RDWR);
    }
}

bool EchoServer::opened(int fd) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    if (!enter(fd)) {
        count(counters_here().refused);
        io::close(fd);
        return false;
    }
    count(counters_here().accepted);
    return true;
}

// stop() sets the flag before it goes through the connections: a later connection sees the flag, under the same lock.
bool EchoServer::enter(int fd) {
    const kit::Guard guard(lock_);
    if (stopping()) return false;
    connections_[fd] = {kit::now(), homes_.size()};
    if (options_.homes) homes_.emplace_back();
    return true;
}

void EchoServer::close(int fd) {
    {
        const kit::Guard guard(lock_);
        count(counters_here().closed, connections_.erase(fd));
    }
    io::close(fd);
}

EchoServer::Counters& EchoServer::counters_here() noexcept {
    return counters_[kit::thread_state().machine % kCountedMachines];
}

ServerFigures EchoServer::figures_of(unsigned machine) const {
    const Counters& counted = counters_.at(machine);
    const kit::Guard guard(lock_);
    return {.accepted = counted.accepted,
            .closed = counted.closed,
            .refused = counted.refused,
            .exhausted = counted.exhausted,
            .messages = counted.messages,
            .bytes = counted.bytes,
            .open = connections_.size()};
}

ServerFigures EchoServer::figures() const {
    ServerFigures all;
    for (unsigned machine = 0; machine < kCountedMachines; ++machine) {
        const ServerFigures one = figures_of(machine);
        all.accepted += one.accepted;
        all.closed += one.closed;
        all.refused += one.refused;
        all.exhausted += one.exhausted;
        all.messages += one.messages;
        all.bytes += one.bytes;
        all.open = one.open;
    }
    return all;
}

void EchoServer::note_message(int fd) {
    const kit::Guard guard(lock_);
    Connection& connection = connections_[fd];
    connection.last = kit::now();
    if (!options_.homes) return;
    std::vector<std::uint64_t>& home = homes_[connection.number];
    const std::size_t machine = kit::thread_state().machine % kCountedMachines;
    if (home.size() <= machine) home.resize(machine + 1);
    ++home[machine];
}

std::vector<std::vector<std::uint64_t>> EchoServer::homes() const {
    const kit::Guard guard(lock_);
    return homes_;
}

void EchoServer::work(int fd, std::size_t bytes) {
    count(counters_here().messages);
    count(counters_here().bytes, bytes);
    if (options_.idle_limit > 0 || options_.homes) note_message(fd);
    if (options_.work > 0) compute(options_.work);
    if (options_.sleep > 0) lab04::sleep_for(options_.sleep);
}

bool out_of_descriptors(int error) noexcept {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

bool EchoServer::goes_on_after(int error) {
    if (stopping()) return false;
    if (out_of_descriptors(error)) {
        count(counters_here().exhausted);
        lab04::sleep_for(kUntilDescriptorsAreFree);
        return !stopping();
    }
    switch (error) {
    case EBADF:
    case EINVAL:
    case ENOTSOCK:
    case EOPNOTSUPP:
    case ECANCELED: return false;
    case EINTR: return true;                               // a signal, and no connection
    default: count(counters_here().refused); return true;  // a connection was reset before it was accepted
    }
}

void EchoServer::wait_for_worker() {
    count(counters_here().exhausted);
    lab04::sleep_for(kSecond);
}

}  // namespace fiberscope::lab05
