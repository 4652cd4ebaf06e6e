// Simulated clients in virtual time that do not use the server's machines: the event source performs their actions at
// the planned times, over real sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "labs/05_epoll_io/epoller.h"

namespace fiberscope::lab05 {

/// A client connects; then repeatedly thinks, sends a request, and waits for the answer; thinks once more, and closes.
/// ns.
struct ClientPlan {
    std::uint64_t connects;
    std::uint64_t thinks;
    int messages;
};

class SimulatedClients {
  public:
    static constexpr int kNoClient = -1, kListener = -2;

    /// Listens for them, on a socket local to this computer. Throws std::system_error.
    explicit SimulatedClients(std::span<const ClientPlan> plans);
    ~SimulatedClients();
    SimulatedClients(const SimulatedClients&) = delete;
    SimulatedClients& operator=(const SimulatedClients&) = delete;

    /// The listener, of which the server takes ownership.
    int listener() const noexcept { return listener_; }
    /// Performs all actions due by `now`, and receives available answers.
    void act(std::uint64_t now);
    /// Time of the first action of the clients in `wanted` (kListener: all that will connect); kNever: none.
    std::uint64_t next(const std::map<int, int>& wanted) const;
    /// The same for all clients.
    std::uint64_t next() const;
    /// Returns the client at the other end of the server's descriptor.
    int at_other_end(int fd) const;
    bool done() const;
    /// ns from each request to its answer, in order, by client.
    std::vector<std::vector<std::uint64_t>> waits() const;

  private:
    struct Client {
        ClientPlan plan;
        int fd = -1;
        int left = 0;                  ///< remaining messages
        std::uint64_t at = kNever;     ///< time of its next action; kNever: it waits, or has finished
        std::uint64_t asked = kNever;  ///< kNever: it waits for no answer
        std::vector<std::uint64_t> waits = {};
    };
    std::string name_of(std::size_t client) const;
    void connect(std::size_t client);
    void act(std::size_t client, std::uint64_t now);
    void take_answer(Client& client, std::uint64_t now);

    std::string name_;
    int listener_ = -1;
    mutable std::mutex mutex_;  // guards the following
    std::vector<Client> clients_;
};

/// epoll combined with the clients' time. `each_for_itself`: every processor has its own source, which wakes only for
/// the clients of its own connections (netco).
class ClientsSource : public EpollSource {
  public:
    ClientsSource(std::shared_ptr<SimulatedClients> clients, TimeBy by, bool each_for_itself)
        : EpollSource(by), clients_(std::move(clients)), by_(by), each_for_itself_(each_for_itself) {}

    using EpollSource::unwatch;
    using EpollSource::watch;
    void watch(int fd, Want want) override;
    void unwatch(int fd, Want want) override;
    std::span<Event> wait(std::uint64_t until) override;
    bool expects_any() const override;
    std::unique_ptr<EventSource> another() override {
        return std::make_unique<ClientsSource>(clients_, by_, each_for_itself_);
    }
    bool each_for_itself() const noexcept { return each_for_itself_; }

  private:
    std::uint64_t next() const { return each_for_itself_ ? clients_->next(watched_) : clients_->next(); }

    std::shared_ptr<SimulatedClients> clients_;
    TimeBy by_;
    bool each_for_itself_;
    std::map<int, int> watched_;  ///< clients, and how many watches each has
};

}  // namespace fiberscope::lab05
