// Given: libco's echo server (example_echosvr), with its condition variable between acceptors and workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/kit/sets/recorded_lock.h"

namespace fiberscope::lab05 {

/// As stCoCond_t: without a mutex, since all its tasks run on one thread. A signal wakes the task that has waited
/// longest, and is lost if no task waits. A time limit is an item of the loop's timer store, as any sleep. Lab 06, step
/// 6.6, builds one on timers.
class Line {
  public:
    /// `name`: for traces; must outlive this object.
    explicit Line(const char* name) noexcept : name_(name) {}
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    /// Returns `event` after a signal, `timeout` after `limit` ns; `cancelled` if the wait was cancelled.
    lab04::Wake wait(std::uint64_t limit = kit::kNever);
    /// Returns false if no task waits.
    bool signal();
    /// Returns how many tasks were woken.
    std::size_t broadcast();
    std::size_t waiting() const noexcept { return tasks_.size(); }

  private:
    class Place;
    lab04::Handle pop_waiting();

    const char* name_;
    kit::RecordedLock recorded_{name_};
    std::deque<lab04::Task*> tasks_;  // no pointers to their waits: these may be on stacks that move (lab 03)
};

/// A pool of workers on libco's event loop. The acceptor accepts only while a worker is free; otherwise it sleeps for a
/// second, using the loop's wheel.
class LibcoPool {
  public:
    /// Uses the scheduler of this thread, which must have one machine. `workers`: at least 1.
    LibcoPool(EchoServer& server, std::size_t workers);

    /// Starts the worker tasks.
    void begin_workers();
    /// Body of an acceptor (accept_routine).
    void accept_from(int listener);
    /// Ends the waiting workers when the server stops.
    void stop() { connections_.broadcast(); }

  private:
    /// Body of a worker (readwrite_routine).
    void work();
    void serve(int fd);

    EchoServer& server_;
    std::size_t workers_;
    std::size_t taken_ = 0;  // connections that have a worker or are queued in accepted_
    std::deque<int> accepted_;
    const std::string awaited_;  // one pool per machine: traces identify a condition by its name
    Line connections_{awaited_.c_str()};
};

}  // namespace fiberscope::lab05
