// Step 6.2: timers with callbacks, once or again and again: sylar's TimerManager.
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

/// A timer with a callback. Its manager keeps it while it is set; code that holds it besides can still cancel it.
struct Alarm : Timer, std::enable_shared_from_this<Alarm> {
    Callback callback;
    std::uint64_t delay = 0;  ///< ns from `began` to the deadline
    std::uint64_t began = 0;  ///< ns: when it was set, refreshed, or last due
    bool recurring = false;
    std::uint64_t serial = 0;  ///< of its manager
};
using AlarmHandle = std::shared_ptr<Alarm>;

enum class Repeat : std::uint8_t { once, for_ever };
/// What a new delay counts from.
enum class From : std::uint8_t { now, beginning };

/// Owns alarms, keeps them in a store of any kind, and calls them when it is time. Not for several threads.
class TimerManager {
  public:
    using Clock = std::uint64_t (*)();

    /// A clock that was set back by more than this, ns, is not waited for.
    static constexpr std::uint64_t kSetBack = 3'600'000'000'000;

    /// `clock` says what time it is, ns; it may be one that is set. The store must outlive the manager.
    explicit TimerManager(
        TimerStore& store, Clock clock = [] { return kit::now(); })
        : store_(store), clock_(clock) {}
    /// Alarms that are still set are not called any more.
    ~TimerManager();
    TimerManager(const TimerManager&) = delete;
    TimerManager& operator=(const TimerManager&) = delete;

    /// `callback` is called by the first run_expired() that is not earlier than `delay` ns from now; if it recurs,
    /// again after each `delay`. Throws std::invalid_argument for one that recurs without a delay.
    AlarmHandle add(std::uint64_t delay, Callback callback, Repeat repeat = Repeat::once);
    /// The first deadline, ns; kNever if nothing is set.
    std::uint64_t next_deadline() const { return store_.next_deadline(); }
    /// `told` is called whenever an alarm has come to stand before all others, earlier than the first one was, and when
    /// the last one has been cancelled, so that a task that sleeps until next_deadline() can be woken. sylar's
    /// onTimerInsertedAtFront, which tickles the scheduler, does the first of both.
    void when_first_changes(Callback told) { told_ = std::move(told); }
    /// How many are set, or due and not called yet.
    std::size_t size() const noexcept { return alarms_.size() + due_.size(); }

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// The same as add, but nothing is called if `condition` no longer exists then. It is not kept in existence.
    AlarmHandle add_condition(std::uint64_t delay, Callback callback, std::weak_ptr<const void> condition,
                              Repeat repeat = Repeat::once);
    /// False, and nothing happens, if it is neither set nor due. One that was due already is not called any more. Calls
    /// told_ if now nothing has a deadline; the alarm is no longer counted then.
    bool cancel(const AlarmHandle& alarm);
    /// Its whole delay begins again now. False, and nothing happens, if it is not set.
    bool refresh(const AlarmHandle& alarm);
    /// A new delay, which counts from now or from when the old one began; one that recurs has it as its `period` too.
    /// False, and nothing happens, if it is not set. If it is set and recurs, and `delay` is 0, throws
    /// std::invalid_argument, and nothing happens.
    bool reset(const AlarmHandle& alarm, std::uint64_t delay, From from);
    /// Collects all that are due, sets those that recur again, and then calls all of them, in the order of their
    /// deadlines. What a callback adds is not called in the same run, however short its delay. If a callback throws,
    /// the others are called by the next run. Returns how many were called.
    std::size_t run_expired();

  private:
    /// Into the store, or to another place there, behind all that are due at the same moment: the deadline is
    /// `alarm.delay` from `alarm.began`, or never if that is beyond the end of time. Calls told_ if it now stands
    /// before all others, with an earlier deadline than the first of all had before.
    void set(Alarm& alarm);
    /// Takes all that are due at `now` out of the store, to the end of due_; if the clock has been set back, all there
    /// are. Those that recur are set again, for the first moment of their beat behind `now`; the others are forgotten.
    void collect(std::uint64_t now);
    /// Whether `now` is more than kSetBack before what the clock said at the last question.
    bool clock_was_set_back(std::uint64_t now);

    // ---- what is given ----------------------------------------------------------------------------------------------

    void keep(const AlarmHandle& alarm) { alarms_[alarm->serial] = alarm; }
    /// It is no longer set. What is due stands in due_.
    void forget(const Alarm& alarm) { alarms_.erase(alarm.serial); }

    TimerStore& store_;
    Clock clock_;
    std::uint64_t last_look_ = 0;
    std::deque<AlarmHandle> due_;  // collected, and not called yet
    Callback told_;
    std::map<std::uint64_t, AlarmHandle> alarms_;  // those that are set, by their serial numbers
    std::uint64_t serial_ = 0;
};

}  // namespace fiberscope::lab06
