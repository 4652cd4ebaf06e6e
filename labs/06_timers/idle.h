// Step 6.7: limits in use: an echo server on lab 05's calls that drops clients that are silent for too long.
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
    std::uint64_t messages = 0;    ///< successful reads
    std::uint64_t dropped = 0;     ///< connections that were silent for too long
    std::size_t open = 0;          ///< connections now
    std::size_t closed_early = 0;  ///< connections whose descriptor was closed before serve() returned
};

/// Runs a task and an alarm for each connection, as with sylar's TimerManager or netco's timers. Must outlive its
/// tasks. Their scheduler must use lab 05's source and serve the manager (step 6.5).
class IdleServer {
  public:
    /// `limit`: ns for which a connection may be silent.
    IdleServer(TimerManager& manager, std::uint64_t limit) noexcept : manager_(manager), limit_(limit) {}
    IdleServer(const IdleServer&) = delete;
    IdleServer& operator=(const IdleServer&) = delete;

    // ---- given ------------------------------------------------------------------------------------------------------

    /// Starts a task that serves `fd`, a non-blocking connection, and closes it at the end.
    lab04::Handle begin(int fd, std::string name = "connection");
    /// Starts a task that accepts from `listener` (not owned) and calls begin for each connection, until accept fails
    /// because the listener is closed or the task is cancelled.
    lab04::Handle accept_from(int listener);
    /// Sets the time to work on each message, in ns.
    void set_work(std::uint64_t ns) noexcept { work_ = ns; }
    const IdleFigures& figures() const noexcept { return figures_; }

  private:
    struct Connection {
        int fd;
        std::string name;
        AlarmHandle alarm;
        bool answering = false;  ///< its task is sending, not about to read
    };
    using ConnectionHandle = std::shared_ptr<Connection>;

    // ---- written by the student -------------------------------------------------------------------------------------

    /// Sets an alarm that calls silent() after limit_, unless the connection is gone by then.
    void begin_limit(const ConnectionHandle& connection);
    /// Serves a connection: calls begin_limit, then echoes each message and refreshes the alarm, until the peer closes
    /// the connection or it is shut down. Leaves no alarm at the end. Does not close the descriptor, which begin() does
    /// after serve returns.
    void serve(const ConnectionHandle& connection);
    /// Alarm callback: drops the connection by shut_down; but calls begin_limit again if there is unread data that the
    /// task is about to read. Must not wait, and must not close the descriptor, which the task uses.
    void silent(const ConnectionHandle& connection);

    // ---- given ------------------------------------------------------------------------------------------------------

    /// Counts a message and works for the time of set_work.
    void work();
    /// Whether there is unread data.
    static bool has_unread(const Connection& connection) noexcept;
    /// Counts the connection as dropped and shuts it down in both directions, which ends any wait of its task. The task
    /// closes the descriptor.
    void shut_down(const Connection& connection);

    TimerManager& manager_;
    std::uint64_t limit_, work_ = 0;
    IdleFigures figures_;
};

}  // namespace fiberscope::lab06
