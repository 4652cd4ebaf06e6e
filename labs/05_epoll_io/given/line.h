// Given: libco's condition variable on its event loop: a signal wakes the task that has waited longest, and a limit is
// an item of the loop's own time-out store, as any sleep. Lab 06, step 6.6, builds one on timers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab05 {

/// As stCoCond_t: no mutex goes with it, since all its tasks run on one thread. A signal that no task waits for is
/// lost.
class Line {
  public:
    /// `name` says in traces what is waited for, and must outlive this.
    explicit Line(const char* name) noexcept : name_(name) {}
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    /// `event` after a signal, `timeout` after `limit` ns; `cancelled` if the wait was cancelled.
    lab04::Wake wait(std::uint64_t limit = kit::kNever);
    /// False if none waits.
    bool signal();
    /// How many were woken.
    std::size_t broadcast();
    std::size_t waiting() const noexcept { return tasks_.size(); }

  private:
    bool wake_first();

    const char* name_;
    std::deque<lab04::Task*> tasks_;  // not their waits: these may lie on stacks that move (lab 03)
};

}  // namespace fiberscope::lab05
