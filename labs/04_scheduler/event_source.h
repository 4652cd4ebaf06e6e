// Where events come from: readiness of descriptors. This lab simulates them; lab 05 asks epoll by the same interface.
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

/// Waits for no descriptor.
inline constexpr int kNoDescriptor = -1;

/// A descriptor can be read or written.
struct Event {
    int fd;
    Want want;
    /// Tasks whose `order` is smaller waited already when this was seen; only these are meant. The scheduler fills it
    /// in.
    std::uint64_t order = 0;
};

class EventSource {
  public:
    virtual ~EventSource() = default;

    /// A task begins to wait for `fd`, or one ends to. As often as there are tasks.
    virtual void watch(int fd, Want want) = 0;
    virtual void unwatch(int fd, Want want) = 0;

    /// What has happened to watched descriptors; if nothing, waits until something does or the clock says `until` (ns;
    /// 0: only looks; kNever: no limit). Nothing at all is returned before `until` only if nothing can ever happen, or
    /// if the wait was ended from outside. What is returned is valid until the next call.
    virtual std::span<Event> wait(std::uint64_t until) = 0;
    /// Whether an event can still come, by itself, to a watched descriptor.
    virtual bool expects_any() const = 0;
    /// Without any lock: asks the kernel now what the next wait(0) of this thread is to tell. No-op by default.
    virtual void look_ahead() {}
    /// From another thread: lets a wait that goes on return, or the next one. With one machine it is not called.
    virtual void end_wait() {}
    /// What a wait that goes on on one machine does not notice of what the others do meanwhile: it is ended then.
    enum class Misses : std::uint8_t {
        nothing,
        watches,   ///< that a task begins to wait
        all_tasks  ///< what any task has done since it was entered
    };
    virtual Misses misses() const noexcept { return Misses::watches; }
    /// From now on several machines run the scheduler that this source serves, and `loop` has its lock; null: no more.
    virtual void shared_by(WorkerPool*) {}
    /// The lock has just been released, and WorkerPool::call_source had been called while it was held: what the source
    /// has put off, since no lock should be held over a system call.
    virtual void unlocked(WorkerPool&) {}
    /// Something besides the tasks in the wait set wants to hear of events.
    bool has_other_listeners() const noexcept { return other_listeners_ != 0; }
    /// wait(until), recorded as a poll. A look (0) that finds nothing is not recorded.
    std::span<Event> poll(std::uint64_t until);
    /// One of the same events for another machine, which watches for itself; this must outlive it. Null: there is none.
    virtual std::unique_ptr<EventSource> another() { return nullptr; }

    /// The same address for all sources of one type, if it has one: cheaper than typeid, and asked with every call.
    const void* kind() const noexcept { return kind_; }

  protected:
    EventSource() = default;
    explicit EventSource(const void* kind) noexcept : kind_(kind) {}

    static void tells_other();           ///< in wait(), before it tells another listener of an event
    std::uint32_t other_listeners_ = 0;  ///< how many

  private:
    const void* kind_ = nullptr;
};

/// Events that were arranged before: "fd 7 becomes readable at 12 µs". One that comes while none watches is kept
/// until one does, like bytes in a socket's buffer. Each is told once, and one look tells at most one of each
/// descriptor. Works under either clock. On one of several machines a wait also ends when the machine is unparked.
class SimulatedSource : public EventSource {
  public:
    SimulatedSource() : agenda_(std::make_shared<Agenda>()) {}

    /// `at`: ns of the kit's clock; may lie in the past.
    void becomes_ready(int fd, Want want, std::uint64_t at);

    void watch(int fd, Want want) override;
    void unwatch(int fd, Want want) override;
    std::span<Event> wait(std::uint64_t until) override;
    bool expects_any() const override;
    std::unique_ptr<EventSource> another() override;

  private:
    using Descriptor = std::pair<int, Want>;
    /// What is to happen; the sources of several machines share it.
    struct Agenda {
        std::mutex mutex;                                 // of this, and of all sources that share it
        std::multimap<std::uint64_t, Descriptor> coming;  // by time, equal ones in order of arrangement
    };

    explicit SimulatedSource(std::shared_ptr<Agenda> agenda) : agenda_(std::move(agenda)) {}
    std::uint64_t next_watched() const;
    void take_due(std::uint64_t now);

    std::shared_ptr<Agenda> agenda_;
    std::map<Descriptor, int> watchers_;
    std::vector<Event> due_;
};

}  // namespace fiberscope::lab04
