#include "labs/05_epoll_io/parts/wake_timer.h"

#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/run/numbered.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

int make_timer() noexcept { return system_calls().timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

}  // namespace

WakeTimer::WakeTimer() : fd_(make_timer()) {
    constexpr int kLowest = 64;
    if (fd_ < 0) throw std::system_error(last_error(), std::generic_category(), "cannot make a timer descriptor");
    fd_ = kit::numbered_from(kLowest, fd_);
}

WakeTimer::~WakeTimer() { system_calls().close(fd_); }

void WakeTimer::tell_kernel(std::uint64_t until) noexcept {
    const std::uint64_t ns =
        until == kit::kNever ? 0 : std::max<std::uint64_t>(kit::time_left(until), 1);  // 0 would disarm it
    itimerspec when{};
    when.it_value = kit::timespec_of(ns);
    times_set_.fetch_add(1, std::memory_order_relaxed);
    timerfd_settime(fd_, 0, &when, nullptr);
}

// A call made before the timer is set would be overwritten, so it is checked here; a later one overwrites the time.
void WakeTimer::set(std::uint64_t until) noexcept {
    if (until == set_for_) return;
    tell_kernel(until);
    set_for_ = until;
    if (called_.load()) tell_kernel(0);
}

void WakeTimer::call() noexcept {
    called_.store(true);
    tell_kernel(0);
}

// Clears `called_` before the read: a call in between is noted, and read the next time.
void WakeTimer::drain() noexcept {
    const bool called = called_.exchange(false);
    if (!called && (set_for_ == kit::kNever || kit::now() < set_for_)) return;
    std::uint64_t times;
    if (system_calls().read(fd_, &times, sizeof times) == static_cast<ssize_t>(sizeof times))
        set_for_ = kit::kNever;
    else if (called)
        called_.store(true);  // the system call has not been made yet
}

void WakeTimer::replace_after_fork() noexcept {
    const int fresh = make_timer();
    if (fresh < 0) return;
    system_calls().dup3(fresh, fd_, O_CLOEXEC);
    system_calls().close(fresh);
    called_.store(false);
    set_for_ = kit::kNever;
}

}  // namespace fiberscope::lab05
