// Step 5.6: echo servers: a coroutine per connection (NtyCo), a pool of coroutines (libco), and plain blocking code
// with the hook. Two more are given, with the structure of libco's and sylar's servers (systems.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/kit/machines/lock.h"

namespace fiberscope::lab05 {

class EchoServer;

struct ServerOptions {
    std::string ip = "127.0.0.1";
    std::vector<std::uint16_t> ports{0};  ///< an acceptor each; 0: any free port
    std::size_t workers = 100;            ///< of "pool"
    std::uint64_t work = 0;               ///< ns of processor time per message
    std::uint64_t sleep = 0;              ///< ns of sleep per message
    std::vector<int> listening = {};      ///< listening descriptors instead of ports; ownership is taken
    std::uint64_t idle_limit = 0;         ///< ns without a message after which a connection is closed; 0: no limit
    bool homes = false;                   ///< records which machine answers each message (see homes())
    void (*accept)(EchoServer& server, int listener) = nullptr;  ///< replaces the kind's acceptor
};

/// Pause in ns of an acceptor that found no free descriptor.
inline constexpr std::uint64_t kUntilDescriptorsAreFree = 100'000'000;
/// Whether errno `error` of an accept means that no descriptor or memory was left: the connection stays in the kernel's
/// queue, and the listener stays readable.
bool out_of_descriptors(int error) noexcept;

class LibcoPool;
class SylarServer;

/// Machines beyond this number share one counter.
inline constexpr std::size_t kCountedMachines = 64;

struct ServerFigures {
    std::uint64_t accepted = 0;
    std::uint64_t closed = 0;
    std::uint64_t refused = 0;    ///< reset before they were accepted, or arrived while the server stopped
    std::uint64_t exhausted = 0;  ///< times that no descriptor, memory or worker was free for a connection
    std::uint64_t messages = 0;   ///< messages (pieces) read and sent back
    std::uint64_t bytes = 0;      ///< of these messages
    std::size_t open = 0;         ///< currently open connections
};

/// Consumes `ns` of the calling thread's processor time; time in which it is preempted does not count. Under the
/// virtual clock, kit::work.
void compute(std::uint64_t ns);

/// A worker of "pool", either serving a connection or parked in the idle list.
struct Worker {
    lab04::Task* task = nullptr;
    int fd = -1;
};

/// Common part of the servers: listeners, shutdown, figures. Its tasks belong to the scheduler of the thread that
/// starts it, and must end before this object is destroyed. Several machines may run them, with separate counters. Only
/// "pool" needs a scheduler with a single machine.
class EchoServer {
  public:
    /// Starts listening. `kind`: "per_connection", "pool", "hooked", or the given "libco" and "sylar". Throws
    /// std::invalid_argument for another kind unless ServerOptions::accept is set, and std::system_error if it cannot
    /// listen.
    EchoServer(std::string_view kind, ServerOptions options);
    ~EchoServer();
    EchoServer(const EchoServer&) = delete;
    EchoServer& operator=(const EchoServer&) = delete;

    /// The kinds that a student writes.
    static std::span<const char* const> kinds() noexcept;

    /// Starts an acceptor task for each port.
    void start();
    /// Stops accepting, and shuts down all connections, so that the tasks waiting for them see the end and finish. To
    /// be called on the server's thread.
    void stop();

    std::uint16_t port(std::size_t i = 0) const { return listeners_.at(i).port(); }
    /// Totals of all machines.
    ServerFigures figures() const;
    /// Figures of one machine: connections `accepted` and `messages` answered by it. `open` counts the whole server.
    ServerFigures figures_of(unsigned machine) const;
    /// With ServerOptions::homes: the number of messages that each machine has answered, for each connection in the
    /// order of acceptance.
    std::vector<std::vector<std::uint64_t>> homes() const;
    const ServerOptions& options() const noexcept { return options_; }

    // ---- for the student's functions --------------------------------------------------------------------------------

    bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }
    /// Registers an accepted connection, so that stop() ends it. Sets TCP_NODELAY, so that answers are not delayed, and
    /// SO_KEEPALIVE, so that dead peers are detected. Returns false, after closing the connection, if the server is
    /// stopping.
    bool opened(int fd);
    /// Closes and unregisters the connection.
    void close(int fd);
    /// Processes a message of this size: works and sleeps as the server's options say.
    void work(int fd, std::size_t bytes);
    /// Handles an accept that failed with `error`. Sleeps for a while if no descriptor or memory was left. Returns
    /// false if the acceptor should end.
    bool goes_on_after(int error);
    /// Sleeps for a second because no worker is free, as libco's acceptor does.
    void wait_for_worker();

    std::vector<Worker*> idle;  ///< of "pool"

  private:
    /// Body of the task that closes connections without messages.
    void end_idle_connections();

    std::string kind_;
    ServerOptions options_;
    std::vector<Socket> listeners_;
    /// Counters of one machine, which alone writes to them.
    struct alignas(64) Counters {
        std::atomic<std::uint64_t> accepted{0}, closed{0}, refused{0}, messages{0}, bytes{0}, exhausted{0};
    };
    Counters& counters_here() noexcept;
    /// Starts the tasks of one listener.
    void begin_acceptor(int fd, const std::string& name);
    void note_message(int fd);
    /// Adds the connection to those that stop() ends. Returns false if the server is stopping.
    bool enter(int fd);
    static void count(std::atomic<std::uint64_t>& counter, std::uint64_t more = 1) noexcept {
        counter.fetch_add(more, std::memory_order_relaxed);
    }

    std::vector<Worker> workers_;
    std::array<Counters, kCountedMachines> counters_;
    mutable kit::Lock lock_;  // guards the following
    struct Connection {
        std::uint64_t last;  ///< time of the last message, ns
        std::size_t number;  ///< index in the order of acceptance
    };
    std::map<int, Connection> connections_ KIT_GUARDED_BY(lock_);
    std::vector<std::vector<std::uint64_t>> homes_ KIT_GUARDED_BY(lock_);
    std::unique_ptr<LibcoPool> libco_;
    std::unique_ptr<SylarServer> sylar_;
    lab04::Handle sweeper_;
    std::atomic<bool> stopping_{false};
};

// ---- written by the student -----------------------------------------------------------------------------------------

/// Body of an acceptor: accepts connections from `listener` until goes_on_after returns false, and starts a task for
/// each, which sends back everything it reads until end of file. As NtyCo's server.
void accept_per_connection(EchoServer& server, int listener);

/// The same, but passes each connection to any idle worker and wakes it. As libco's accept_routine: nothing is accepted
/// while no worker is idle.
void accept_for_pool(EchoServer& server, int listener);
/// Body of a worker: parked in the idle list until it gets a connection; serves it; repeats until the server stops. As
/// libco's readwrite_routine.
void serve_in_pool(EchoServer& server, Worker& self);

/// The same with plain blocking calls: ::accept, ::read, ::write, ::close. Runs in a hooked task, and starts hooked
/// tasks.
void accept_hooked(EchoServer& server, int listener);

}  // namespace fiberscope::lab05
