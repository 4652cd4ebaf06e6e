// Step 6.7: limits in use: an echo server that drops clients that are silent for too long. On lab 05's calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "labs/04_scheduler/tasks.h"
#include "labs/06_timers/manager.h"

namespace fiberscope::lab06 {

struct IdleFigures {
    std::uint64_t accepted = 0;
    std::uint64_t messages = 0;    ///< pieces that were read
    std::uint64_t dropped = 0;     ///< connections that were silent for too long
    std::size_t open = 0;          ///< connections now
    std::size_t closed_early = 0;  ///< connections whose descriptor was closed before serve() returned
};

/// A task for each connection, and an alarm for each: as one does it with sylar's TimerManager or netco's timers. Of
/// the scheduler whose tasks it makes; must outlive them. That scheduler's source must be lab 05's, and the manager
/// served in it (step 6.5).
class IdleServer {
  public:
    /// `limit`: ns for which a connection may be silent.
    IdleServer(TimerManager& manager, std::uint64_t limit) noexcept : manager_(manager), limit_(limit) {}
    IdleServer(const IdleServer&) = delete;
    IdleServer& operator=(const IdleServer&) = delete;

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// A task that serves `fd`, a connection that does not block, and closes it at the end.
    lab04::Handle begin(int fd, std::string name = "connection");
    /// A task that accepts from `listener` (not owned) and begins one for each connection, until accept fails: because
    /// the listener is closed, or the task cancelled.
    lab04::Handle accept_from(int listener);
    /// ns to work on each message.
    void set_work(std::uint64_t ns) noexcept { work_ = ns; }
    const IdleFigures& figures() const noexcept { return figures_; }

  private:
    struct Connection {
        int fd;
        std::string name;
        AlarmHandle alarm;
        bool answering = false;  ///< its task is sending, and not about to read
    };
    using ConnectionHandle = std::shared_ptr<Connection>;

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// From now on the connection may be silent for limit_. When it is over, silent() is called, unless the connection
    /// is gone.
    void begin_limit(const ConnectionHandle& connection);
    /// The life of a connection: calls begin_limit, then sends back what it reads, and each time the limit begins anew;
    /// until the peer ends, or it is shut down. At its end it has no alarm any more. Does not close the descriptor:
    /// begin() does, when serve has returned.
    void serve(const ConnectionHandle& connection);
    /// What the alarm calls: drops the connection by shut_down, unless something has come in time that its task is
    /// about to read; then it calls begin_limit again. Must not wait, and must not close the descriptor, which the task
    /// uses.
    void silent(const ConnectionHandle& connection);

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Counts a message, and works on it.
    void work();
    /// Whether there is something to be read.
    static bool has_unread(const Connection& connection) noexcept;
    /// Counts it as dropped. From now on there is nothing to be read or sent: whatever its task waits for ends. Its
    /// task closes it.
    void shut_down(const Connection& connection);

    TimerManager& manager_;
    std::uint64_t limit_, work_ = 0;
    IdleFigures figures_;
};

}  // namespace fiberscope::lab06
