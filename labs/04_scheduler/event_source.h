// Sources of events: readiness of descriptors. Simulated in this lab; lab 05 implements them with epoll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "labs/kit/time/never.h"
#include "traces/schema/words.h"

namespace fiberscope::lab04 {

using kit::kNever;
using trace::Want;

class WorkerPool;

/// The task does not wait for a descriptor.
inline constexpr int kNoDescriptor = -1;

/// A descriptor is readable or writable.
struct Event {
    int fd;
    Want want;
    /// The event is meant only for tasks with a smaller `order`: they were waiting when it was seen.
    std::uint64_t order = 0;
};

class EventSource {
  public:
    virtual ~EventSource() = default;

    /// Called when a task begins, or stops, waiting for `fd`; once per task.
    virtual void watch(int fd, Want want) = 0;
    virtual void unwatch(int fd, Want want) = 0;

    /// Returns the events of watched descriptors; if there are none, waits for one until the time `until` (ns; 0: does
    /// not wait; kNever: no limit). Returns an empty span before `until` only if no event can ever occur, or if the
    /// wait was ended from outside. The span is valid until the next call.
    virtual std::span<Event> wait(std::uint64_t until) = 0;
    /// Whether an event of a watched descriptor can still occur by itself.
    virtual bool expects_any() const = 0;
    /// Queries the kernel now for the next wait(0) of this thread. Called without any lock. No-op by default.
    virtual void look_ahead() {}
    /// Makes the current wait return, or else the next one. Called from another thread; not called with one machine.
    virtual void end_wait() {}
    /// Actions of other machines that a wait in progress does not notice, so that it must be ended.
    enum class Misses : std::uint8_t {
        nothing,
        watches,   ///< a task begins to wait
        all_tasks  ///< anything a task has done since the wait began
    };
    virtual Misses misses() const noexcept { return Misses::watches; }
    /// From now on several machines run the scheduler of this source, and the pool has its lock; null: no longer.
    virtual void shared_by(WorkerPool*) {}
    /// Performs the source's deferred system calls, because no lock should be held during a system call. Called right
    /// after the lock is released, if WorkerPool::call_source was called while it was held.
    virtual void unlocked(WorkerPool&) {}
    /// Whether there are listeners besides the tasks in the wait set.
    bool has_other_listeners() const noexcept { return other_listeners_ != 0; }
    /// Calls wait(until) and records it as a poll. A wait(0) that finds nothing is not recorded.
    std::span<Event> poll(std::uint64_t until);
    /// Creates a source of the same events for another machine, with its own set of watched descriptors; this source
    /// must outlive it. Null if not supported.
    virtual std::unique_ptr<EventSource> another() { return nullptr; }

    /// Identifies the type of the source; may be null. Cheaper than typeid, since it is read at every call.
    const void* kind() const noexcept { return kind_; }

  protected:
    EventSource() = default;
    explicit EventSource(const void* kind) noexcept : kind_(kind) {}

    static void tells_other();           ///< called in wait() before another listener is notified
    std::uint32_t other_listeners_ = 0;  ///< how many

  private:
    const void* kind_ = nullptr;
};

/// Scripted events: "fd 7 becomes readable at 12 µs". An event of an unwatched descriptor is kept until the descriptor
/// is watched, like bytes in a socket's buffer. Each event is reported once; one call reports at most one event per
/// descriptor. Works with both clocks. With several machines a wait also ends when the machine is unparked.
class SimulatedSource : public EventSource {
  public:
    SimulatedSource() : agenda_(std::make_shared<Agenda>()) {}

    /// `at`: ns of the kit's clock; may be in the past.
    void becomes_ready(int fd, Want want, std::uint64_t at);

    void watch(int fd, Want want) override;
    void unwatch(int fd, Want want) override;
    std::span<Event> wait(std::uint64_t until) override;
    bool expects_any() const override;
    std::unique_ptr<EventSource> another() override;

  private:
    using Descriptor = std::pair<int, Want>;
    /// Events to come; shared by the sources of several machines.
    struct Agenda {
        std::mutex mutex;                                 // guards this, and all sources that share it
        std::multimap<std::uint64_t, Descriptor> coming;  // by time; equal times in order of insertion
    };

    explicit SimulatedSource(std::shared_ptr<Agenda> agenda) : agenda_(std::move(agenda)) {}
    std::uint64_t next_watched() const;
    void take_due(std::uint64_t now);

    std::shared_ptr<Agenda> agenda_;
    std::map<Descriptor, int> watchers_;
    std::vector<Event> due_;
};

}  // namespace fiberscope::lab04
