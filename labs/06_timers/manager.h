// Step 6.2: one-shot and recurring timers with callbacks: sylar's TimerManager.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab06 {

using Callback = std::function<void()>;

class TimerManager;

/// A timer with a callback. Its manager owns it while it is set; other owners can cancel it.
struct Alarm : Timer, std::enable_shared_from_this<Alarm> {
    Callback callback;
    std::uint64_t delay = 0;  ///< ns from `began` to the deadline
    std::uint64_t began = 0;  ///< ns: time at which it was set, refreshed, or last due
    bool recurring = false;
    std::uint64_t serial = 0;  ///< unique within its manager
};
using AlarmHandle = std::shared_ptr<Alarm>;

enum class Repeat : std::uint8_t { once, for_ever };
/// The start of a new delay.
enum class From : std::uint8_t { now, beginning };

/// Owns alarms, keeps them in a store of any kind, and calls those that are due. Not thread-safe.
class TimerManager {
  public:
    using Clock = std::uint64_t (*)();

    /// If the clock is set back by more than this (ns), all alarms expire.
    static constexpr std::uint64_t kSetBack = 3'600'000'000'000;

    /// `clock` returns the time in ns; it may jump. The store must outlive the manager.
    explicit TimerManager(
        TimerStore& store, Clock clock = [] { return kit::now(); })
        : store_(store), clock_(clock) {}
    /// Drops the alarms that are still set without calling them.
    ~TimerManager();
    TimerManager(const TimerManager&) = delete;
    TimerManager& operator=(const TimerManager&) = delete;

    /// Sets an alarm: `callback` is called by the first run_expired() at least `delay` ns from now; if it recurs, again
    /// after each `delay`. Throws std::invalid_argument if it recurs and `delay` is 0.
    AlarmHandle add(std::uint64_t delay, Callback callback, Repeat repeat = Repeat::once);
    /// The first deadline, ns; kNever if nothing is set.
    std::uint64_t next_deadline() const { return store_.next_deadline(); }
    /// Sets the function to call whenever an alarm becomes the first, with an earlier deadline than the previous first
    /// one, and when the last one has been cancelled, so that a task that sleeps until next_deadline() can be woken.
    /// sylar's onTimerInsertedAtFront, which tickles the scheduler, covers the first case.
    void when_first_changes(Callback told) { told_ = std::move(told); }
    /// The number of alarms that are set, or due and not called yet.
    std::size_t size() const noexcept { return alarms_.size() + due_.size(); }

    // ---- written by the student -------------------------------------------------------------------------------------

    /// As add, but calls nothing if `condition` has expired by then. Does not keep its object alive, except during the
    /// callback.
    AlarmHandle add_condition(std::uint64_t delay, Callback callback, std::weak_ptr<const void> condition,
                              Repeat repeat = Repeat::once);
    /// Cancels an alarm, even if it is due and not called yet. Returns false and does nothing if it is neither set nor
    /// due. Calls told_, after removing the alarm, if no alarm with a deadline is left.
    bool cancel(const AlarmHandle& alarm);
    /// Restarts the whole delay now. Returns false and does nothing if the alarm is not set.
    bool refresh(const AlarmHandle& alarm);
    /// Sets a new delay, which starts now or at the beginning of the old one; it is also the new `period` of a
    /// recurring alarm. Returns false and does nothing if the alarm is not set. Throws std::invalid_argument and does
    /// nothing if the alarm is set and recurs, and `delay` is 0.
    bool reset(const AlarmHandle& alarm, std::uint64_t delay, From from);
    /// Collects all alarms that are due, sets the recurring ones again, and then calls all of them in the order of
    /// their deadlines. An alarm added by a callback is not called in the same run, however short its delay. If a
    /// callback throws, the others are called by the next run. Returns the number of alarms called.
    std::size_t run_expired();

  private:
    /// Adds the alarm to the store or moves it there, after all others with the same deadline. The deadline is
    /// `alarm.began` + `alarm.delay`, or kNever if that overflows. Calls told_ if the first deadline of all is now
    /// earlier than before.
    void set(Alarm& alarm);
    /// Moves all alarms that are due at `now` from the store to the end of due_; all alarms if the clock was set back.
    /// Sets recurring ones again, for their first beat after `now`; forgets the others.
    void collect(std::uint64_t now);
    /// Returns whether `now` is more than kSetBack earlier than at the last call.
    bool clock_was_set_back(std::uint64_t now);

    // ---- given ------------------------------------------------------------------------------------------------------

    void keep(const AlarmHandle& alarm) { alarms_[alarm->serial] = alarm; }
    /// Drops an alarm that is no longer set; due ones are in due_.
    void forget(const Alarm& alarm) { alarms_.erase(alarm.serial); }

    TimerStore& store_;
    Clock clock_;
    std::uint64_t last_look_ = 0;
    std::deque<AlarmHandle> due_;  // collected but not called yet
    Callback told_;
    std::map<std::uint64_t, AlarmHandle> alarms_;  // the alarms that are set, by serial
    std::uint64_t serial_ = 0;
};

}  // namespace fiberscope::lab06
