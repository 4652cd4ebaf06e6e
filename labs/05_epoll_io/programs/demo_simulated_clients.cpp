#include "labs/05_epoll_io/programs/demo_simulated_clients.h"

#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

namespace {

constexpr std::size_t kMessage = 64;  // in bytes

int local_socket() {
    const int fd = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) throw std::system_error(last_error(), std::generic_category(), "cannot create a socket");
    return fd;
}

/// An abstract name, not a file: it begins with a zero.
struct LocalAddress {
    explicit LocalAddress(const std::string& name) {
        address.sun_family = AF_UNIX;
        std::copy(name.begin(), name.end(), address.sun_path + 1);
        size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    }
    const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }

    sockaddr_un address{};
    socklen_t size;
};

void require(int result, const char* what) {
    if (result != 0) throw std::system_error(last_error(), std::generic_category(), what);
}

}  // namespace

SimulatedClients::SimulatedClients(std::span<const ClientPlan> plans)
    : name_("fiberscope-" + std::to_string(getpid()) + "-"), listener_(local_socket()) {
    for (const ClientPlan& plan : plans) clients_.push_back({plan, -1, plan.messages, plan.connects, kNever, {}});
    const LocalAddress address(name_ + "server");
    require(bind(listener_, address.get(), address.size), "cannot name a socket");
    require(listen(listener_, static_cast<int>(plans.size())), "cannot listen");
}

SimulatedClients::~SimulatedClients() {
    for (const Client& client : clients_)
        if (client.fd >= 0) system_calls().close(client.fd);
}

std::string SimulatedClients::name_of(std::size_t client) const { return name_ + "client " + std::to_string(client); }

void SimulatedClients::connect(std::size_t client) {
    Client& one = clients_[client];
    one.fd = local_socket();
    const LocalAddress own(name_of(client)), server(name_ + "server");
    require(bind(one.fd, own.get(), own.size), "cannot name a client");
    require(system_calls().connect(one.fd, server.get(), server.size), "a simulated client cannot connect");
}

void SimulatedClients::take_answer(Client& client, std::uint64_t now) {
    char bytes[kMessage];
    if (system_calls().recvfrom(client.fd, bytes, sizeof bytes, MSG_DONTWAIT, nullptr, nullptr) <= 0) return;
    const std::uint64_t came = std::max(now, client.asked);  // the clock of another machine may be behind
    client.waits.push_back(came - client.asked);
    client.asked = kNever;
    client.at = came + client.plan.thinks;
}

void SimulatedClients::act(std::size_t index, std::uint64_t now) {
    Client& client = clients_[index];
    if (client.asked != kNever) return take_answer(client, now);
    if (client.at > now) return;
    const std::uint64_t at = client.at;
    client.at = kNever;
    if (client.fd < 0) {
        connect(index);
        client.at = at + client.plan.thinks;
    } else if (client.left > 0) {
        char bytes[kMessage];
        std::memset(bytes, 'a' + static_cast<int>(index % 26), sizeof bytes);
        --client.left;
        client.asked = at;
        static_cast<void>(system_calls().sendto(client.fd, bytes, sizeof bytes, MSG_NOSIGNAL, nullptr, 0));
    } else {
        system_calls().close(client.fd);
        client.fd = -1;
    }
}

void SimulatedClients::act(std::uint64_t now) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < clients_.size(); ++i) act(i, now);
}

std::uint64_t SimulatedClients::next(const std::map<int, int>& wanted) const {
    const std::lock_guard lock(mutex_);
    std::uint64_t first = kNever;
    for (std::size_t i = 0; i < clients_.size(); ++i)
        if (wanted.contains(clients_[i].fd < 0 ? kListener : static_cast<int>(i)))
            first = std::min(first, clients_[i].at);
    return first;
}

std::uint64_t SimulatedClients::next() const {
    const std::lock_guard lock(mutex_);
    std::uint64_t first = kNever;
    for (const Client& client : clients_) first = std::min(first, client.at);
    return first;
}

int SimulatedClients::at_other_end(int fd) const {
    if (fd == listener_) return kListener;
    sockaddr_un address{};
    socklen_t size = sizeof address;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.sun_family != AF_UNIX)
        return kNoClient;
    const std::string before = name_of(0).substr(0, name_of(0).size() - 1);
    const char *begin = address.sun_path + 1, *end = reinterpret_cast<const char*>(&address) + size;
    if (static_cast<std::size_t>(end - begin) <= before.size() || !std::equal(before.begin(), before.end(), begin))
        return kNoClient;
    int client = kNoClient;
    std::from_chars(begin + before.size(), end, client);
    return client;
}

bool SimulatedClients::done() const {
    const std::lock_guard lock(mutex_);
    return std::all_of(clients_.begin(), clients_.end(),
                       [](const Client& one) { return one.at == kNever && one.asked == kNever; });
}

std::vector<std::vector<std::uint64_t>> SimulatedClients::waits() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::vector<std::uint64_t>> all;
    for (const Client& client : clients_) all.push_back(client.waits);
    return all;
}

// ---- the source -----------------------------------------------------------------------------------------------------

void ClientsSource::watch(int fd, Want want) {
    EpollSource::watch(fd, want);
    ++watched_[clients_->at_other_end(fd)];
}

void ClientsSource::unwatch(int fd, Want want) {
    EpollSource::unwatch(fd, want);
    const auto found = watched_.find(clients_->at_other_end(fd));
    if (found != watched_.end() && --found->second == 0) watched_.erase(found);
}

// An answer sent since the last poll starts the client's next step.
bool ClientsSource::expects_any() const {
    clients_->act(kit::now());
    return EpollSource::expects_any() || next() != kNever;
}

// May return nothing before `until` when a client acts: the waiting task checks again.
std::span<Event> ClientsSource::wait(std::uint64_t until) {
    clients_->act(kit::now());
    return EpollSource::wait(until == 0 ? 0 : std::min(until, next()));
}

}  // namespace fiberscope::lab05
