// What lab 05 gives of signals: which of the hooked calls of a thread a handler ends.
#include "labs/05_epoll_io/parts/signals.h"

#include <atomic>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

constexpr unsigned kAnyHandler = 1, kHandlerWithoutRestart = 2;

/// Task::io as a number. Another machine reads it when it asks which tasks a signal is for.
std::uintptr_t mark_of(const lab04::Task& task) noexcept {
    return reinterpret_cast<std::uintptr_t>(std::atomic_ref(const_cast<void*&>(task.io)).load());
}
void set_mark(lab04::Task& task, std::uintptr_t mark) noexcept {
    std::atomic_ref(task.io).store(reinterpret_cast<void*>(mark));  // NOLINT: an address and its free bits
}

bool is_for(const lab04::Task& task, unsigned signals) noexcept {
    const std::uintptr_t bits = mark_of(task) & mark::kAll;
    if ((bits & mark::kWaits) == 0 || (bits & (mark::kOff | mark::kSignalled)) != 0) return false;
    return (signals & kHandlerWithoutRestart) != 0 || (bits & mark::kRestarts) == 0;
}

}  // namespace

// A signal that came before this call began is not for it, so what has come is handed out first.
SignalWait::SignalWait(bool restarts) noexcept {
    if (HookScope::here() == nullptr) return;
    if (EpollSource* source = EpollSource::here()) source->hand_out_signals();
    task_ = &lab04::running_task();
    const std::uintptr_t bits = mark_of(*task_);
    outermost_ = (bits & mark::kWaits) == 0;
    if (outermost_) set_mark(*task_, bits | mark::kWaits | (restarts ? mark::kRestarts : 0));
}

SignalWait::~SignalWait() {
    if (outermost_) set_mark(*task_, mark_of(*task_) & ~(mark::kWaits | mark::kRestarts | mark::kSignalled));
}

bool SignalWait::came() const noexcept { return task_ != nullptr && (mark_of(*task_) & mark::kSignalled) != 0; }

void note_signal(bool restarts) noexcept {
    const int error = last_error();
    if (EpollSource* source = EpollSource::here()) source->note_signal(restarts);
    set_last_error(error);
}

void EpollSource::note_signal(bool restarts) noexcept {
    signals_.fetch_or(restarts ? kAnyHandler : kAnyHandler | kHandlerWithoutRestart);
    wake();
}

void EpollSource::hand_out_signals() noexcept {
    if (signals_.load(std::memory_order_relaxed) == 0) return;
    const HeldHere held;
    hand_out_signals_held();
}

void EpollSource::hand_out_signals_held() noexcept KIT_UNCHECKED {
    const unsigned signals = signals_.exchange(0);
    lab04::Scheduler* scheduler = signals == 0 ? nullptr : lab04::Scheduler::here();
    if (scheduler == nullptr) return;
    for (Task* task = scheduler->oldest(); task != nullptr; task = task->behind)
        if (is_for(*task, signals) && scheduler->shared().wake_and_tell(*task, Wake::event, lab04::Cause::signal))
            set_mark(*task, mark_of(*task) | mark::kSignalled);
}

}  // namespace fiberscope::lab05
