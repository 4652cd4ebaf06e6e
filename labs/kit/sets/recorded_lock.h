// A lock or a condition variable as a trace knows it: what is done with it, and the set of the tasks that wait for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "labs/kit/sets/recorded_set.h"
#include "traces/schema/words.h"

namespace fiberscope::kit {

/// Records nothing without a trace, and must be called by what holds the lock's own lock, if it has one. Its events are
/// ordered by a stamp of its own and not by those of the tasks: one that hands the lock over records that another one,
/// which may be running elsewhere, has it now.
class RecordedLock {
  public:
    /// A trace knows it by its name, which must outlive this and be that of no other. `lock`: its own lock, or null.
    explicit RecordedLock(std::string_view name, const Lock* lock = nullptr) noexcept : name_(name), lock_(lock) {}

    /// `co`, or the coroutine that runs here, has done this.
    void did(trace::LockOp op, trace::LockMode mode, const Core& co) {
        if (trace::recording()) record(op, mode, co);
    }
    void did(trace::LockOp op, trace::LockMode mode) {
        if (trace::recording()) record_here(op, mode);
    }
    /// Into the set of those that wait, and out of it.
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
    std::optional<RecordedSet> set_;  // from its first use on: a condition has none
};

}  // namespace fiberscope::kit
