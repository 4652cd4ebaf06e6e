// Several machines under the virtual clock, with a cost of locks.
#include "labs/kit/machines/lock_cost.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/machine_thread.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

namespace {

std::uint64_t cost = 0;  // ns

/// The state of all locks that have cost time. Changed by the machine whose turn it is; the mutex is for threads that
/// are not machines.
struct CostlyLocks {
    std::mutex mutex;
    std::map<const void*, std::string> names;
    std::vector<std::uint64_t> free_from{0};  // ns, by number
};
CostlyLocks& costly_locks() {
    static CostlyLocks all;
    return all;
}

std::string name_of(const Lock& lock) {
    const std::scoped_lock guard(costly_locks().mutex);
    const auto found = costly_locks().names.find(&lock);
    return found == costly_locks().names.end() ? "a lock" : found->second;
}

void record_wait(const Lock& lock, std::uint64_t from) {
    if (!trace::recording() || now() == from) return;
    const std::string name = name_of(lock);
    trace::record(from, trace::machine_event(trace::MachineOp::wait), name);
    trace::record(now(), trace::machine_event(trace::MachineOp::take), name);
}

}  // namespace

void choose_lock_cost(std::uint64_t ns) noexcept {
    cost = ns;
    detail::locks_by_turns = ns != 0 || explorer() != nullptr;
    std::ranges::fill(costly_locks().free_from, 0);
}

std::uint64_t lock_cost() noexcept { return cost; }

Machines* costed_machines() noexcept {
    return cost != 0 && by_turns() && explorer() == nullptr ? Machines::of_this_thread() : nullptr;
}

void detail::name_object(const void* object, std::string_view name) {
    if (explorer != nullptr) return explorer->name(object, name);
    const std::scoped_lock guard(costly_locks().mutex);
    costly_locks().names[object] = name;
}

std::uint64_t Machines::free_from(const Lock& lock) {
    const std::scoped_lock guard(costly_locks().mutex);
    return costly_locks().free_from[lock.number_];
}

// The order of machines is decided before one takes the lock. While a machine holds one lock and waits for another,
// others continue and may want the first; the one that came first is the furthest behind, and gets it next.
void Machines::take_at_a_cost(Lock& lock) {
    pass_the_baton();
    const std::uint64_t came = now();
    while (!lock.try_take()) {
        std::unique_lock held(mutex_);
        MachineThread& self = *machines_[thread_state().machine];
        self.wanted = &lock;
        give_turn(held, self);
        self.wanted = nullptr;
    }
    virtual_now() = std::max(came, free_from(lock));
    record_wait(lock, came);
}

bool Machines::try_take_at_a_cost(Lock& lock) {
    pass_the_baton();
    return now() >= free_from(lock) && lock.try_take();
}

void Machines::pay_for(Lock& lock) {
    virtual_now() += cost;
    const std::scoped_lock guard(costly_locks().mutex);
    if (lock.number_ == 0) {
        lock.number_ = static_cast<std::uint32_t>(costly_locks().free_from.size());
        costly_locks().free_from.push_back(0);
    }
    costly_locks().free_from[lock.number_] = now();
}

}  // namespace fiberscope::kit
