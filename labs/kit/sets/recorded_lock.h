// The recording of a lock or a condition variable: its operations, and the set of waiting tasks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "labs/kit/sets/recorded_set.h"
#include "traces/schema/words.h"

namespace fiberscope::kit {

/// Records nothing without a trace. Must be called with the lock's internal lock held, if it has one. Its events are
/// ordered by their own stamp, not by those of the tasks: a task that hands the lock over records the new owner, which
/// may be running elsewhere.
class RecordedLock {
  public:
    /// `name` identifies the lock in a trace; it must be unique and outlive this object. `lock` is the internal lock,
    /// or null.
    explicit RecordedLock(std::string_view name, const Lock* lock = nullptr) noexcept : name_(name), lock_(lock) {}

    /// Records an operation of `co`, or of the running coroutine.
    void did(trace::LockOp op, trace::LockMode mode, const Core& co) {
        if (trace::recording()) record(op, mode, co);
    }
    void did(trace::LockOp op, trace::LockMode mode) {
        if (trace::recording()) record_here(op, mode);
    }
    /// Record that `co` enters or leaves the set of waiting tasks.
    void inserted(const Core& co) {
        if (trace::recording()) set().inserted({id(co), &touch_});
    }
    void removed(const Core& co) {
        if (trace::recording()) set().removed({id(co), &touch_});
    }

  private:
    static std::uint32_t id(const Core& co);
    void record(trace::LockOp op, trace::LockMode mode, const Core& co);
    void record_here(trace::LockOp op, trace::LockMode mode);
    RecordedSet& set();

    std::string_view name_;
    const Lock* lock_;
    trace::CausalStamp touch_;
    std::optional<RecordedSet> set_;  // created on first use; some locks need none
};

}  // namespace fiberscope::kit
