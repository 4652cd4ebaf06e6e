// Step 5.7: the experiment of the published description: the same echo server with its IO in the loop, with its IO in a
// pool of threads, with a thread for each connection, and with coroutines. The first three know no coroutines at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace fiberscope::lab05 {

struct PlainServer {
    std::vector<int> listeners = {};  ///< they do not block; not owned
    int stop = -1;                    ///< becomes readable when the server is to end; not owned
    std::uint64_t work = 0;           ///< ns to work on each message
    std::uint64_t sleep = 0;          ///< ns to sleep at each message
    unsigned threads = 2;             ///< of the pool
};

// ---- what the student writes ----------------------------------------------------------------------------------------

/// 5.7. One thread: epoll, level-triggered; what is readable is read, worked on, and sent back, before the next is
/// looked at. A look at the listener takes all connections that wait there. Returns when `stop` is readable; all its
/// connections are closed then. While there is no descriptor for a connection that waits, it does not turn: it sleeps
/// until one of its own connections has ended, or for kUntilDescriptorsAreFree.
void serve_in_the_loop(const PlainServer& server);
/// 5.7. The same loop only accepts, and hands a descriptor that is readable over to a pool of threads, which read,
/// work, and send, first come first served. A descriptor is in one thread's hands at a time (EPOLLONESHOT). What has
/// been handed over when it ends may be served still, or only be closed.
void serve_in_a_pool(const PlainServer& server);

// ---- what is given --------------------------------------------------------------------------------------------------

/// What the descriptions begin with: a thread for each connection, which blocks until there is a message. Returns when
/// `stop` is readable and all its threads have ended. A connection for which there is no thread is closed.
void serve_by_threads(const PlainServer& server);
/// One message: reads what there is, works or sleeps as the server is told to, sends all of it, waiting (poll) where
/// the peer's buffer is full. False if the connection is at its end.
bool serve_once(int fd, const PlainServer& server);
/// The next connection, which does not block and sends at once (TCP_NODELAY); -1 if there is none, or none can be had
/// now: out_of_descriptors(errno).
int accept_plainly(int listener);

/// What the plain servers of this process have done so far. From any thread.
struct PlainFigures {
    std::atomic<std::uint64_t> accepted{0}, refused{0}, exhausted{0}, messages{0}, bytes{0};
};
PlainFigures& plain_figures() noexcept;

/// The experiment's conditions.
struct Conditions {
    std::uint64_t work = 0, sleep = 0;  ///< ns, at each message
    unsigned threads = 2;               ///< of the pool
    unsigned cores = 1;                 ///< processors that server and load may use together; 0: all
    unsigned rounds = 5;
    std::uint64_t requests = 20'000;  ///< in each round, after the first thousand
};
/// What one run of the experiment says.
struct Measured {
    double ms_per_thousand = 0;  ///< to connect 1,000 times and to have a message answered on each connection
    double per_second = 0;       ///< messages, 1,000 connections at once
    std::uint64_t errors = 0;
};
/// Runs a server of this way ("loop", "pool_of_threads", "threads", "coroutines") in a process of its own, and 1,000
/// connections against it. Medians of the rounds.
Measured measure(const char* way, const Conditions& conditions);

/// A process that runs one of the servers and can be told to end. What the bench uses too.
class ServerProcess {
  public:
    /// `way`: as for measure(); or one of EchoServer::kinds(); or "traced": coroutines, with a
    /// trace that is thrown away; or what `other` runs, which is given the listener and the descriptor that becomes
    /// readable at the end.
    /// `plain`: work, sleep and threads of the server. `cpu`: where it may run; -1: where its parent may.
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
/// From now on the calling thread runs on this processor only; -1: on any.
void stay_on(int cpu);
/// How many processors this process was given.
unsigned processors();

}  // namespace fiberscope::lab05
