// Step 5.6: echo servers: a coroutine for each connection (NtyCo), a pool of them (libco), and plain blocking code
// under the hook. Two more are given, joined as their authors joined them (systems.h): libco's and sylar's.
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
    std::vector<std::uint16_t> ports{0};  ///< an acceptor each; 0: a free one
    std::size_t workers = 100;            ///< of "pool"
    std::uint64_t work = 0;               ///< ns that the server works on each message
    std::uint64_t sleep = 0;              ///< ns that a connection sleeps at each message
    std::vector<int> listening = {};      ///< instead of ports: descriptors that listen already; taken over
    std::uint64_t idle_limit = 0;         ///< ns without a message after which a connection is ended; 0: none
    bool homes = false;                   ///< notes which machine answers each message (see homes())
    void (*accept)(EchoServer& server, int listener) = nullptr;  ///< instead of the kind's acceptor
};

/// How long an acceptor sleeps that had no descriptor for a connection, ns.
inline constexpr std::uint64_t kUntilDescriptorsAreFree = 100'000'000;
/// Whether an accept that failed with this errno had no descriptor or no memory: the connection stays in the kernel's
/// queue, and the listener stays readable.
bool out_of_descriptors(int error) noexcept;

class LibcoPool;
class SylarServer;

/// Machines beyond this number are counted together.
inline constexpr std::size_t kCountedMachines = 64;

struct ServerFigures {
    std::uint64_t accepted = 0;
    std::uint64_t closed = 0;
    std::uint64_t refused = 0;    ///< ended before they were accepted, or came while the server stopped
    std::uint64_t exhausted = 0;  ///< how often there was no descriptor, no memory or no worker for a connection
    std::uint64_t messages = 0;   ///< pieces that were read and sent back
    std::uint64_t bytes = 0;      ///< of these
    std::size_t open = 0;         ///< connections now
};

/// Keeps the processor busy for `ns` of the calling thread's own time: while others have the processor, nothing is
/// done. Under the virtual clock it is kit::work.
void compute(std::uint64_t ns);

/// A worker of "pool": it has a connection, or it is among the idle ones and parked.
struct Worker {
    lab04::Task* task = nullptr;
    int fd = -1;
};

/// What the servers have in common: listeners, the end, figures. Its tasks belong to the scheduler of the thread that
/// starts it, and must have ended before it does. Several machines may run them; each counts for itself. Only "pool"
/// needs a scheduler of one machine.
class EchoServer {
  public:
    /// Listens. `kind`: "per_connection", "pool", "hooked", or as they are given "libco" and "sylar". Throws
    /// std::invalid_argument for another if there is no ServerOptions::accept, and std::system_error if it cannot
    /// listen.
    EchoServer(std::string_view kind, ServerOptions options);
    ~EchoServer();
    EchoServer(const EchoServer&) = delete;
    EchoServer& operator=(const EchoServer&) = delete;

    /// Those that a student writes.
    static std::span<const char* const> kinds() noexcept;

    /// Makes an acceptor for each port; they run when the scheduler does.
    void start();
    /// Ends all: no more connections, and those that are there are shut down. On the server's thread. Tasks that wait
    /// for them find the end, and end.
    void stop();

    std::uint16_t port(std::size_t i = 0) const { return listeners_.at(i).port(); }
    /// Of all machines together.
    ServerFigures figures() const;
    /// Of one machine: `accepted` by it, `messages` that it answered. `open` is the whole server's.
    ServerFigures figures_of(unsigned machine) const;
    /// With ServerOptions::homes: for each connection, in the order of acceptance, how many messages each machine has
    /// answered.
    std::vector<std::vector<std::uint64_t>> homes() const;
    const ServerOptions& options() const noexcept { return options_; }

    // ---- for the student's functions --------------------------------------------------------------------------------

    bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }
    /// A connection has been accepted: from now on stop() ends it. Answers are not held back for larger packets
    /// (TCP_NODELAY), and the kernel asks now and then whether the peer is still there (SO_KEEPALIVE). False if the
    /// server is stopping: the connection is closed already.
    bool opened(int fd);
    /// It is closed now, and no connection of the server any more.
    void close(int fd);
    /// A message of so many bytes has been read: works on it, and sleeps, for as long as the server's options say.
    void work(int fd, std::size_t bytes);
    /// What became of an accept that failed with `error`: if there was no descriptor or no memory for it, sleeps a
    /// while. False if there is nothing more to accept from this listener.
    bool goes_on_after(int error);
    /// No worker is free: sleeps for a second, as libco's acceptor does.
    void wait_for_worker();

    std::vector<Worker*> idle;  ///< of "pool"

  private:
    /// The life of the task that ends connections without messages.
    void end_idle_connections();

    std::string kind_;
    ServerOptions options_;
    std::vector<Socket> listeners_;
    /// A machine's own: no other one writes to it.
    struct alignas(64) Counters {
        std::atomic<std::uint64_t> accepted{0}, closed{0}, refused{0}, messages{0}, bytes{0}, exhausted{0};
    };
    Counters& counters_here() noexcept;
    /// The tasks of one listener.
    void begin_acceptor(int fd, const std::string& name);
    void note_message(int fd);
    /// Among the connections that stop() ends; false if the server is stopping.
    bool enter(int fd);
    static void count(std::atomic<std::uint64_t>& counter, std::uint64_t more = 1) noexcept {
        counter.fetch_add(more, std::memory_order_relaxed);
    }

    std::vector<Worker> workers_;
    std::array<Counters, kCountedMachines> counters_;
    mutable kit::Lock lock_;  // of what follows
    struct Connection {
        std::uint64_t last;  ///< ns: when the last message came
        std::size_t number;  ///< how many came before it
    };
    std::map<int, Connection> connections_ KIT_GUARDED_BY(lock_);
    std::vector<std::vector<std::uint64_t>> homes_ KIT_GUARDED_BY(lock_);
    std::unique_ptr<LibcoPool> libco_;
    std::unique_ptr<SylarServer> sylar_;
    lab04::Handle sweeper_;
    std::atomic<bool> stopping_{false};
};

// ---- what the student writes ----------------------------------------------------------------------------------------

/// The life of an acceptor: takes connections from `listener` until goes_on_after says no, and begins a task for each,
/// which sends back what it reads, until the peer ends. As NtyCo's server.
void accept_per_connection(EchoServer& server, int listener);

/// The same, but each connection is given to an idle worker, whichever, and that is woken. As libco's accept_routine:
/// while no worker is idle, nothing is accepted.
void accept_for_pool(EchoServer& server, int listener);
/// The life of a worker: idle and parked until it has a connection; serves it; and again, until the server stops. As
/// libco's readwrite_routine.
void serve_in_pool(EchoServer& server, Worker& self);

/// The same by plain calls that block: ::accept, ::read, ::write, ::close. Runs in a hooked task, and makes hooked
/// tasks.
void accept_hooked(EchoServer& server, int listener);

}  // namespace fiberscope::lab05
