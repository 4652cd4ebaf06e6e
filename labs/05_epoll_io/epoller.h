// Step 5.1: the poller, and the event source that replaces lab 04's simulated one.
#pragma once

#include <sys/epoll.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/machines.h"
#include "labs/05_epoll_io/parts/poll_item.h"
#include "labs/05_epoll_io/parts/wake_timer.h"

namespace fiberscope::lab05 {

using lab04::Event;
using lab04::kNever;
using lab04::Task;
using lab04::Wake;
using lab04::Want;

/// Level-triggered: an event is reported as long as it is true. Edge-triggered: once, when it becomes true.
enum class Trigger : std::uint32_t { level = 0, edge = EPOLLET };

/// Owns an epoll descriptor, as netco's Epoller. Handles descriptors, not tasks. Single-threaded, except for wake().
class Epoller {
  public:
    /// Initial capacity of the event buffer.
    static constexpr std::size_t kFirstRoom = 16;

    /// Both descriptors are close-on-exec. Throws std::system_error if no descriptors are left.
    Epoller();
    ~Epoller();
    Epoller(const Epoller&) = delete;
    Epoller& operator=(const Epoller&) = delete;

    /// Registers `fd` for `events`: EPOLLIN, EPOLLOUT, or both. Returns false with errno if epoll refuses it (EPERM:
    /// always ready, like a file).
    bool add(int fd, std::uint32_t events, Trigger trigger = Trigger::level) noexcept;
    /// Changes the events of a registered descriptor. Returns false with ENOENT if it has been closed since: closing a
    /// descriptor unregisters it.
    bool modify(int fd, std::uint32_t events, Trigger trigger = Trigger::level) noexcept;
    bool remove(int fd) noexcept;

    /// Waits for events for at most `timeout` ns (0: polls; kNever: no limit) and returns them; `data.fd` is the
    /// descriptor. Returns an empty span after a time-out, a wake(), or a signal. A buffer that comes back full is
    /// doubled. The span is valid until the next call. Throws std::system_error if the kernel fails for any reason
    /// other than a signal.
    std::span<const epoll_event> wait(std::uint64_t timeout);
    /// Given. Waits like wait(); the next wait() returns the events without a system call. While one thread is in this
    /// function, others may add, modify and remove.
    void wait_ahead(std::uint64_t timeout);
    /// Ends the current wait(), or the next one. May be called from any thread and from a signal handler.
    void wake() noexcept;

    std::size_t room() const noexcept { return buffer_.size(); }
    /// Given. Replaces both descriptors after a fork, in the child, by new ones with the same numbers and no
    /// registrations.
    void replace_after_fork() noexcept;

  private:
    friend class EpollSource;
    // Given: the two system calls, with recording and counting.
    /// With several machines, only notes the change and returns true (given/deferred_epoll_ctl.cpp).
    bool control(int operation, int fd, std::uint32_t events) noexcept;
    bool ask_kernel(int operation, int fd, std::uint32_t events) noexcept;
    int wait_for_events(std::uint64_t timeout) noexcept;  ///< into buffer_; -1 with errno
    int wait_in_kernel(std::vector<epoll_event>& events, std::uint64_t timeout) noexcept;

    int epoll_fd_ = -1;
    int wake_fd_ = -1;  ///< an eventfd, registered like the other descriptors
    std::vector<epoll_event> buffer_;
    bool full_ = false;  ///< the last wait filled it
    Ahead ahead_;
    WatchedNumbers* numbers_ = nullptr;  ///< of its source, if any
};

/// epoll as lab 04's event source. A descriptor is registered when a task first waits for it, and stays registered: the
/// next wait costs no system call. An event that no task waits for removes the registration; otherwise a
/// level-triggered poller would report it forever.
///
/// Under the virtual clock no event can come from outside the process: a poll returns the events that are already
/// present, ordered by descriptor, and time jumps if there are none.
///
/// With several machines, one of them waits for all. Everything here is then guarded by the scheduler's lock, which no
/// machine holds while it waits; the functions that tasks call acquire it. Under the virtual clock a waiting machine
/// sees what another machine's task has made ready when that task yields.
class EpollSource : public lab04::EventSource {
  public:
    explicit EpollSource(TimeBy by = TimeBy::timeout);
    ~EpollSource() override;

    // ---- written by the student (step 5.1) --------------------------------------------------------------------------

    void watch(int fd, Want want) override;
    void unwatch(int fd, Want want) override;
    /// Implements EventSource::wait for one machine. Calls tell() for each event of the poller.
    std::span<Event> collect(std::uint64_t until);

    // ---- given ------------------------------------------------------------------------------------------------------

    /// collect(); with several machines, waits first without the lock, then collects with it.
    std::span<Event> wait(std::uint64_t until) override;
    void end_wait() override { wake(); }
    void look_ahead() override;
    void shared_by(lab04::WorkerPool* loop) override;
    void unlocked(lab04::WorkerPool& loop) override;
    /// Returns an independent poller for another machine (as netco's processors have).
    std::unique_ptr<EventSource> another() override;
    Misses misses() const noexcept override;
    /// Monotonic clock: whether a task waits for a descriptor. Virtual clock: whether one of these descriptors is ready
    /// now.
    bool expects_any() const override;

    /// Step 5.3. The caller owns the item, which must not move until unwatch; unwatch also removes a registration that
    /// no other task needs. wait() never returns events of items: they wake the task.
    void watch(PollItem& item);
    void unwatch(PollItem& item) noexcept;
    /// The same, with the scheduler's lock held. Returns false if epoll refuses the descriptor and will never report
    /// events for it.
    bool watch_held(PollItem& item);
    void unwatch_held(PollItem& item) noexcept;

    /// Wakes the tasks that wait for `fd` and removes its registration. To be called before `fd` is closed, or when its
    /// number has just been reused.
    void forget(int fd);
    /// Forgets and closes `fd`, like close(2). Also wakes a task of another machine that begins to wait in between.
    int close(int fd);
    /// Returns how often `fd` was forgotten, so that a task can tell after a wait whether it is still the same
    /// descriptor. Forgets `fd` first if its generation has been raised since it was registered (generations.h).
    std::uint32_t closings(int fd);
    /// Called by announce_close, with its lock held, when a thread of another scheduler, or of none, closes `fd`.
    void note_closed(int fd) noexcept;
    /// Replaces the poller after a fork, in the child.
    void replace_after_fork() noexcept;

    /// A hint: the last read of `fd` returned all available data. Waiting first is never wrong.
    bool drained(int fd) const noexcept;
    void set_drained(int fd, bool drained);

    /// Ends a wait, from any thread: the scheduler checks its queues again.
    void wake() noexcept { timer_ != nullptr ? timer_->call() : epoller_.wake(); }
    /// Null except with TimeBy::descriptor.
    const WakeTimer* timer() const noexcept { return timer_.get(); }
    Epoller& epoller() noexcept { return epoller_; }
    /// Number of registered descriptors.
    std::size_t registered() const;

    /// The event source of this thread's scheduler, or null if it has no EpollSource.
    static EpollSource* here() noexcept;

  private:
    static constexpr char kKind = 0;  // its address identifies the class
    using Descriptor = WatchedNumber;

    // Written by the student.
    /// Sets the events registered for `fd`: adds, modifies, or removes (0) it. Returns false if the poller refuses.
    bool arm(int fd, std::uint32_t events) noexcept;
    /// Handles `events` of `fd`: adds an Event for each direction that a task waits for, and disarms the others. An
    /// error or a hang-up concerns both directions, and items that wait for EPOLLERR alone.
    void tell(int fd, std::uint32_t events);

    // Given.
    Descriptor& at(int fd);
    /// The events (EPOLLIN, EPOLLOUT) that tasks wait for.
    static std::uint32_t wanted(const Descriptor& descriptor) noexcept;
    static std::uint32_t bit(Want want) noexcept { return want == Want::read ? EPOLLIN : EPOLLOUT; }
    /// Time until `until` in ns, as Epoller::wait takes it; 0 under the virtual clock. With a timerfd: sets it, and
    /// returns kNever.
    std::uint64_t time_until(std::uint64_t until) noexcept;
    void refuse(int fd, Want want);
    /// Under the virtual clock: sorts the events by descriptor; if there are none, jumps to `until`.
    void keep_virtual_time(std::uint64_t until);
    void wake_items(Descriptor& descriptor, std::uint32_t events);
    void wake_waiters(int fd);
    void forget_held(int fd);
    void forget_if_other(int fd);
    void wake_closed();
    std::span<Event> collect_and_wake_closed(std::uint64_t until, bool drains);
    // Work deferred until the lock is released (given/deferred_epoll_ctl.cpp); all but the last are called with the
    // lock.
    void tell_kernel(int fd, lab04::SchedulerLock& held);
    void note_told(int fd, std::uint32_t events, bool done);
    int close_behind_lock(int fd, lab04::WorkerPool& loop);

    Epoller epoller_;
    std::unique_ptr<WakeTimer> timer_;
    WatchedNumbers numbers_;
    std::vector<Event> due_;      ///< returned by wait()
    std::vector<Event> refused_;  ///< refused by epoll, so always ready; reported by the next collect()
    std::vector<int> closed_;     ///< by other threads, as reported by announce_close
    std::atomic<bool> any_closed_{false};
    std::size_t waiting_ = 0;  ///< watches and items
    Descriptor none_;          ///< stands for all negative numbers, which epoll refuses
};

}  // namespace fiberscope::lab05
