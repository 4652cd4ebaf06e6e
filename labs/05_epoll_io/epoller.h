// Step 5.1: the poller, and the source of events that lab 04's scheduler asks in place of the simulated one.
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

/// Level: an event is told as long as it is true. Edge: once, when it becomes true.
enum class Trigger : std::uint32_t { level = 0, edge = EPOLLET };

/// Owns an epoll descriptor, as netco's Epoller. Knows descriptors, not tasks. Used by one thread, but for wake().
class Epoller {
  public:
    /// How many events its buffer has room for at first.
    static constexpr std::size_t kFirstRoom = 16;

    /// Both descriptors are closed on exec. Throws std::system_error if there are none left.
    Epoller();
    ~Epoller();
    Epoller(const Epoller&) = delete;
    Epoller& operator=(const Epoller&) = delete;

    /// `events`: EPOLLIN, EPOLLOUT, or both. False if epoll refuses; errno says why (EPERM: it is always ready, as a
    /// file).
    bool add(int fd, std::uint32_t events, Trigger trigger = Trigger::level) noexcept;
    /// Other events for one that was added. False with ENOENT if it was closed meanwhile: closing takes it out.
    bool modify(int fd, std::uint32_t events, Trigger trigger = Trigger::level) noexcept;
    bool remove(int fd) noexcept;

    /// What has happened; `data.fd` says where. Waits for it `timeout` ns at most (0: only looks; kNever: no limit).
    /// Nothing is returned after the time-out, a wake(), or a signal. The buffer doubles when it comes back full. Valid
    /// until the next call. Throws std::system_error where the kernel refuses for any other reason than a signal.
    std::span<const epoll_event> wait(std::uint64_t timeout);
    /// Given. Waits as wait() does; the next wait() returns what came, without a system call. While one thread is in
    /// here, others may add, modify and remove.
    void wait_ahead(std::uint64_t timeout);
    /// Ends a wait() of now, or the next one. From any thread, and from a signal handler.
    void wake() noexcept;

    std::size_t room() const noexcept { return buffer_.size(); }
    /// Given. In a forked child: descriptors of its own, empty, under the same numbers.
    void replace_after_fork() noexcept;

  private:
    friend class EpollSource;
    // Given: the two system calls, with what a trace and the counters need.
    /// On several machines it only notes that it is to be done, and says true (given/deferred_epoll_ctl.cpp).
    bool control(int operation, int fd, std::uint32_t events) noexcept;
    bool ask_kernel(int operation, int fd, std::uint32_t events) noexcept;
    int wait_for_events(std::uint64_t timeout) noexcept;  ///< into buffer_; -1 with errno
    int wait_in_kernel(std::vector<epoll_event>& events, std::uint64_t timeout) noexcept;

    int epoll_fd_ = -1;
    int wake_fd_ = -1;  ///< an eventfd, watched as the others
    std::vector<epoll_event> buffer_;
    bool full_ = false;  ///< the last wait filled it
    Ahead ahead_;
    WatchedNumbers* numbers_ = nullptr;  ///< of its source, if it has one
};

/// epoll as lab 04's source of events. A descriptor is registered when a task waits for it, and stays so: the next wait
/// costs no system call. An event that no task waits for takes the registration back, or a level-triggered poller would
/// report it forever.
///
/// Under the virtual clock nothing can come from outside: a look finds what is there, ordered by descriptor, and time
/// jumps if there is nothing.
///
/// Where several machines run the scheduler, one of them waits for all. All of this is then guarded by the scheduler's
/// lock, which no machine holds while it waits; what a task calls takes it. Under the virtual clock a waiting machine
/// learns of what another machine's task has made ready when that task yields.
class EpollSource : public lab04::EventSource {
  public:
    explicit EpollSource(TimeBy by = TimeBy::timeout);
    ~EpollSource() override;

    // ---- what the student writes (step 5.1) -------------------------------------------------------------------------

    void watch(int fd, Want want) override;
    void unwatch(int fd, Want want) override;
    /// What EventSource::wait promises, on one machine. It calls tell() for what the poller finds.
    std::span<Event> collect(std::uint64_t until);

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// collect(); with several machines it waits first, without the lock, and then collects with it.
    std::span<Event> wait(std::uint64_t until) override;
    void end_wait() override { wake(); }
    void look_ahead() override;
    void shared_by(lab04::WorkerPool* loop) override;
    void unlocked(lab04::WorkerPool& loop) override;
    /// A poller of its own for another machine (netco's processors), which shares nothing with this one.
    std::unique_ptr<EventSource> another() override;
    Misses misses() const noexcept override;
    /// Under the monotonic clock: a task waits for a descriptor. Under the virtual one: one of these is ready now.
    bool expects_any() const override;

    /// Step 5.3. The item stays the caller's, and must not move until unwatch, which also takes back what is registered
    /// for no other task. Events are never returned by wait(): they wake the task.
    void watch(PollItem& item);
    void unwatch(PollItem& item) noexcept;
    /// The same with the scheduler's lock held. False if epoll refuses the descriptor, which will then never tell of
    /// itself.
    bool watch_held(PollItem& item);
    void unwatch_held(PollItem& item) noexcept;

    /// `fd` is about to be closed, or its number has just been given out anew: the tasks that wait for it are woken,
    /// and it is registered no longer.
    void forget(int fd);
    /// Forgets and closes it, as close(2). A task of another machine that begins to wait in between is woken too.
    int close(int fd);
    /// How often `fd` was forgotten: a task that has waited can tell whether it is still the same descriptor. Forgets
    /// it first if its generation has been raised since it was registered (generations.h).
    std::uint32_t closings(int fd);
    /// `fd` was closed by a thread of another scheduler, or of none: announce_close, which holds its lock.
    void note_closed(int fd) noexcept;
    /// In a forked child: a poller of its own.
    void replace_after_fork() noexcept;

    /// A hint: the last read of `fd` has taken all there was. It is never wrong to wait first.
    bool drained(int fd) const noexcept;
    void set_drained(int fd, bool drained);

    /// Ends a wait, from any thread: the scheduler looks around again.
    void wake() noexcept { timer_ != nullptr ? timer_->call() : epoller_.wake(); }
    /// Null but for TimeBy::descriptor.
    const WakeTimer* timer() const noexcept { return timer_.get(); }
    Epoller& epoller() noexcept { return epoller_; }
    /// How many descriptors are registered.
    std::size_t registered() const;

    /// The source of this thread's scheduler; null if it is another one or none.
    static EpollSource* here() noexcept;

  private:
    static constexpr char kKind = 0;  // its address
    using Descriptor = WatchedNumber;

    // What the student writes.
    /// Makes `events` what the poller is told of `fd`: adds it, modifies it, or removes it (0). False if it refuses.
    bool arm(int fd, std::uint32_t events) noexcept;
    /// `events` have come for `fd`: an Event for each direction that a task waits for; what no task waits for is
    /// disarmed. An error or a hang-up is for both directions, and for items that wait for EPOLLERR alone.
    void tell(int fd, std::uint32_t events);

    // Given.
    Descriptor& at(int fd);
    /// EPOLLIN, EPOLLOUT: what is waited for.
    static std::uint32_t wanted(const Descriptor& descriptor) noexcept;
    static std::uint32_t bit(Want want) noexcept { return want == Want::read ? EPOLLIN : EPOLLOUT; }
    /// ns from now until `until`, as Epoller::wait has it; 0 under the virtual clock. With a timerfd: sets it, kNever.
    std::uint64_t time_until(std::uint64_t until) noexcept;
    void refuse(int fd, Want want);
    /// Under the virtual clock: the events in order of descriptors; and if there are none, time jumps to `until`.
    void keep_virtual_time(std::uint64_t until);
    void wake_items(Descriptor& descriptor, std::uint32_t events);
    void wake_waiters(int fd);
    void forget_held(int fd);
    void forget_if_other(int fd);
    void wake_closed();
    std::span<Event> collect_and_wake_closed(std::uint64_t until, bool drains);
    // What is put off until the lock is released (given/deferred_epoll_ctl.cpp): all but the last one with the lock.
    void tell_kernel(int fd, lab04::SchedulerLock& held);
    void note_told(int fd, std::uint32_t events, bool done);
    int close_behind_lock(int fd, lab04::WorkerPool& loop);

    Epoller epoller_;
    std::unique_ptr<WakeTimer> timer_;
    WatchedNumbers numbers_;
    std::vector<Event> due_;      ///< what wait() returns
    std::vector<Event> refused_;  ///< epoll does not take them: always ready, and the next collect() says so
    std::vector<int> closed_;     ///< by other threads, as announce_close has said
    std::atomic<bool> any_closed_{false};
    std::size_t waiting_ = 0;  ///< watches and items
    Descriptor none_;          ///< of all numbers below 0, which epoll refuses
};

}  // namespace fiberscope::lab05
