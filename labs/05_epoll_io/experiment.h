// Step 5.7: the experiment from NtyCo's description: the same echo server with its IO in the loop, with its IO in a
// thread pool, with a thread per connection, and with coroutines. The first three use no coroutines.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace fiberscope::lab05 {

struct PlainServer {
    std::vector<int> listeners = {};  ///< nonblocking; not owned
    int stop = -1;                    ///< becomes readable when the server should stop; not owned
    std::uint64_t work = 0;           ///< ns to work on each message
    std::uint64_t sleep = 0;          ///< ns to sleep at each message
    unsigned threads = 2;             ///< size of the pool
};

// ---- written by the student -----------------------------------------------------------------------------------------

/// 5.7. One thread with level-triggered epoll: reads, processes and answers each readable connection before the next. A
/// readable listener is drained: all waiting connections are accepted. Returns when `stop` is readable, after closing
/// all connections. When no descriptor is left for a waiting connection, the loop does not spin: it stops watching the
/// listener until one of its connections has closed, or for kUntilDescriptorsAreFree.
void serve_in_the_loop(const PlainServer& server);
/// 5.7. The same loop only accepts, and hands each readable descriptor to a pool of threads, which read, process, and
/// send, first come, first served. Only one thread handles a descriptor at a time (EPOLLONESHOT). Descriptors handed
/// over before the stop may still be served, or just closed.
void serve_in_a_pool(const PlainServer& server);

// ---- given ----------------------------------------------------------------------------------------------------------

/// A thread per connection, blocking until there is a message. Returns when `stop` is readable and all its threads have
/// ended. Closes a connection for which no thread can be created.
void serve_by_threads(const PlainServer& server);
/// Handles one message: reads what is available, works or sleeps as configured, and sends all of it, blocking in poll
/// while the peer's buffer is full. Returns false at the end of the connection.
bool serve_once(int fd, const PlainServer& server);
/// Accepts the next connection, nonblocking and with TCP_NODELAY. Returns -1 if there is none, or if no descriptor is
/// left: see out_of_descriptors(errno).
int accept_plainly(int listener);

/// Totals of this process's plain servers. Thread-safe.
struct PlainFigures {
    std::atomic<std::uint64_t> accepted{0}, refused{0}, exhausted{0}, messages{0}, bytes{0};
};
PlainFigures& plain_figures() noexcept;

/// The experiment's conditions.
struct Conditions {
    std::uint64_t work = 0, sleep = 0;  ///< ns, at each message
    unsigned threads = 2;               ///< of the pool
    unsigned cores = 1;                 ///< processors shared by server and load; 0: all
    unsigned rounds = 5;
    std::uint64_t requests = 20'000;  ///< per round, after 1,000 for warm-up
};
/// Result of one run of the experiment.
struct Measured {
    double ms_per_thousand = 0;  ///< to connect 1,000 times and get one answer on each connection
    double per_second = 0;       ///< messages, over 1,000 simultaneous connections
    std::uint64_t errors = 0;
};
/// Runs a server ("loop", "pool_of_threads", "threads", "coroutines") in a separate process, with 1,000 connections as
/// its load. Returns the medians of the rounds.
Measured measure(const char* way, const Conditions& conditions);

/// A process that runs one of the servers until this object is destroyed. Also used by the benchmarks.
class ServerProcess {
  public:
    /// `way`: as for measure(); or one of EchoServer::kinds(); or "traced": coroutines with a trace that is discarded;
    /// or anything if `other` is given, which gets the listener and the descriptor that becomes readable at the stop.
    /// `plain`: work, sleep and threads of the server. `cpu`: the processor to run on; -1: as its parent.
    using Other = void (*)(int listener, int stop);
    explicit ServerProcess(const char* way, PlainServer plain = {}, int cpu = -1, Other other = nullptr);
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;
    std::uint16_t port() const noexcept { return port_; }

  private:
    int process_ = -1;
    int stop_ = -1;
    std::uint16_t port_ = 0;
};
/// Binds the calling thread to this processor; -1: to any.
void stay_on(int cpu);
/// Number of processors available to this process.
unsigned processors();

}  // namespace fiberscope::lab05
