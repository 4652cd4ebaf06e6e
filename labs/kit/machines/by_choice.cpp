// Machines whose turns an explorer decides: which can continue at a choice point, and the checks when one sleeps.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

#include "labs/kit/machines/atomic.h"
#include "labs/kit/machines/choice.h"
#include "labs/kit/machines/explore_main.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/lock_cost.h"
#include "labs/kit/machines/machine_thread.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/exactly.h"
#include "languages/message.h"

namespace fiberscope::kit {

namespace detail {
Explorer* explorer = nullptr;
bool locks_by_turns = false;
ExploreMain explore_main = nullptr;

void fence_by_choice(std::memory_order order) {
    choice(Act::fence);
    const int machine = explored_machine();
    if (machine >= 0 && order == std::memory_order_seq_cst) explorer->drain(static_cast<unsigned>(machine));
}
}  // namespace detail

void set_explorer(Explorer* explorer) noexcept {
    detail::explorer = explorer;
    detail::locks_by_turns = explorer != nullptr || lock_cost() != 0;
}

int explored_machine() noexcept {
    if (explorer() == nullptr || clock_kind() != ClockKind::virtual_ || Machines::of_this_thread() == nullptr)
        return -1;
    return static_cast<int>(thread_state().machine);
}

void detail::come_to(Act act, const void* object) {
    if (explored_machine() >= 0) Machines::of_this_thread()->come_to(act, object);
}

// ---- turns ---------------------------------------------------------------------------------------------------------

void Machines::come_to(Act act, const void* object) {
    if (count() == 1) return;
    std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[thread_state().machine];
    self.clock = now();
    self.act = act;
    self.object = object;
    if (act == Act::resume || act == Act::work) check_sleepers();
    give_turn(lock, self);
}

unsigned Machines::next_turn() {
    const bool explored = explorer() != nullptr && clock_kind() == ClockKind::virtual_ && count() > 1;
    return explored ? chosen_turn() : furthest_behind();
}

bool Machines::can_go_on(unsigned i) const {
    const MachineThread& one = *machines_[i];
    if (!one.takes_part() || one.waits_for_lock()) return false;
    return stopped_ || !one.waits_for_ever();
}

// The first is the default: the running machine or, if it cannot continue or time has passed, the one furthest behind,
// as without an explorer. Machines that wait for a time come last.
std::vector<std::uint8_t> Machines::options() const {
    std::vector<std::uint8_t> all;
    for (unsigned i = 0; i < count(); ++i)
        if (can_go_on(i)) all.push_back(static_cast<std::uint8_t>(i));
    const MachineThread& current = *machines_[turn_];
    const bool stays = can_go_on(turn_) && current.doing == MachineThread::Doing::running && current.act != Act::work &&
                       current.act != Act::retry;
    const auto usual = [&](unsigned i) { return std::tuple(!(stays && i == turn_), machines_[i]->next_step(), i); };
    std::ranges::sort(all, {}, usual);
    const auto later = [&](unsigned i) { return std::tuple(machines_[i]->sleeps(), usual(i)); };
    if (!all.empty()) std::ranges::sort(all.begin() + 1, all.end(), {}, later);
    return all;
}

// If the machine cannot continue, no other choice is a preemption, except one whose time is yet to come.
unsigned Machines::chosen_turn() {
    const std::vector<std::uint8_t> all = options();
    const MachineThread& current = *machines_[turn_];
    if (all.empty()) {
        if (std::ranges::any_of(machines_, [](const auto& one) { return one->wanted != nullptr; })) fail_as_deadlock();
        return turn_;
    }
    if (stopped_) return all.front();
    const bool stays = can_go_on(turn_) && current.doing == MachineThread::Doing::running;
    std::size_t free = 1;
    while (!stays && free < all.size() && !machines_[all[free]]->sleeps()) ++free;
    const ChoicePoint point{
        .machine = turn_, .act = current.act, .object = current.object, .options = all, .free = free, .stays = stays};
    const unsigned chosen = all[explorer()->choose(point)];
    check_deadline(chosen);
    return chosen;
}

// ---- what must hold ------------------------------------------------------------------------------------------------

// Called when each machine sleeps or runs a task, and none is in the middle of waking another one.
void Machines::check_sleepers() const {
    if (watch_ == nullptr || stopped_) return;
    const auto rests = [](const auto& one) {
        return !one->takes_part() || one->sleeps() ||
               (one->doing == MachineThread::Doing::running && (one->act == Act::resume || one->act == Act::work));
    };
    if (!std::ranges::all_of(machines_, rests)) return;
    for (unsigned i = 0; i < count(); ++i) {
        if (!machines_[i]->sleeps()) continue;
        if (const std::string work = watch_->work_for(i); !work.empty())
            explorer()->fail(message("machine {0} sleeps although there is work: {1}", i, Value::of(work)));
    }
}

void Machines::check_deadline(unsigned chosen) const {
    const MachineThread& wakes = *machines_[chosen];
    if (watch_ == nullptr || !wakes.sleeps()) return;
    if (std::ranges::any_of(machines_, [](const auto& one) { return one->takes_part() && !one->sleeps(); })) return;
    const std::uint64_t first = watch_->first_deadline();
    for (const auto& one : machines_)
        if (one->sleeps() && one->until <= first) return;
    explorer()->fail(message("all machines sleep, until {0} at the earliest, but a task must be woken at {1}",
                             exactly(wakes.until), exactly(first)));
}

void Machines::fail_as_deadlock() const {
    std::string those;
    for (unsigned i = 0; i < count(); ++i)
        if (machines_[i]->wanted != nullptr) those += (those.empty() ? "" : ", ") + std::to_string(i);
    explorer()->fail(
        message("deadlock: every machine waits, and no lock that the machines {0} wait for will be released", those));
    std::abort();  // fail() has ended the process
}

// ---- locks ---------------------------------------------------------------------------------------------------------

void Machines::take(Lock& wanted) {
    come_to(Act::lock, &wanted);
    std::unique_lock lock(mutex_);
    const unsigned index = thread_state().machine;
    MachineThread& self = *machines_[index];
    if (explorer()->holds(&wanted, index))
        explorer()->fail(message("machine {0} waits for a lock that it holds itself", index));
    while (!wanted.try_take()) {
        self.wanted = &wanted;
        if (count() == 1) fail_as_deadlock();
        give_turn(lock, self);
        self.wanted = nullptr;
    }
    explorer()->took(&wanted, index);
}

void Machines::give_back(const Lock& lock) {
    come_to(Act::unlock, &lock);
    explorer()->released(&lock, thread_state().machine);
}

void Lock::lock_by_turns() noexcept KIT_UNCHECKED {
    if (explored_machine() >= 0) return Machines::of_this_thread()->take(*this);
    if (Machines* all = costed_machines(); all != nullptr) return all->take_at_a_cost(*this);
    while (!try_take()) state_.wait(kHeld, std::memory_order_relaxed);
}

// Waits until the lock is free or its holder has continued: a machine whose attempt fails would retry forever.
bool Lock::try_lock_by_turns() noexcept KIT_UNCHECKED {
    if (Machines* all = costed_machines(); all != nullptr) return all->try_take_at_a_cost(*this);
    if (explored_machine() < 0) return try_take();
    choice(is_free() ? Act::lock : Act::retry, this);
    if (!try_take()) return false;
    explorer()->took(this, thread_state().machine);
    return true;
}

void Lock::unlock_by_turns() noexcept KIT_UNCHECKED {
    if (explored_machine() >= 0) Machines::of_this_thread()->give_back(*this);
    if (Machines* all = costed_machines(); all != nullptr) all->pay_for(*this);
    state_.store(kFree, std::memory_order_release);
    state_.notify_one();
}

}  // namespace fiberscope::kit
