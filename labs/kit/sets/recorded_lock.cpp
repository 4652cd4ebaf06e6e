#include "labs/kit/sets/recorded_lock.h"

#include "labs/kit/run/thread_state.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

std::uint32_t RecordedLock::id(const Core& co) { return co.id(); }

void RecordedLock::record(trace::LockOp op, trace::LockMode mode, const Core& co) {
    trace::record(now(), trace::lock_event(co.id(), op, mode), touch_, name_);
}

void RecordedLock::record_here(trace::LockOp op, trace::LockMode mode) { record(op, mode, *this_thread().current); }

RecordedSet& RecordedLock::set() {
    if (!set_) {
        set_.emplace(set_name("waiting for the lock '{0}'", name_), trace::Role::lock, trace::Structure::queue);
        set_->guarded_by(lock_);
    }
    return *set_;
}

}  // namespace fiberscope::kit
