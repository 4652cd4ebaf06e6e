#include "labs/05_epoll_io/given/wake_timer.h"

#include <fcntl.h>
#include <sys/timerfd.h>

#include <cerrno>
#include <system_error>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

namespace {

int make_timer() noexcept { return system_calls().timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

}  // namespace

WakeTimer::WakeTimer() : fd_(-1) {
    constexpr int kLowest = 64;
    const int made = make_timer();
    if (made >= 0) fd_ = system_calls().fcntl(made, F_DUPFD_CLOEXEC, kLowest);
    const int error = last_error();
    if (made >= 0) system_calls().close(made);
    if (fd_ < 0) throw std::system_error(error, std::generic_category(), "cannot make a timer descriptor");
}

WakeTimer::~WakeTimer() { system_calls().close(fd_); }

void WakeTimer::tell_kernel(std::uint64_t until) noexcept {
    constexpr std::uint64_t kInASecond = 1'000'000'000;
    const std::uint64_t now = until == kit::kNever ? 0 : kit::now();
    const std::uint64_t ns = until == kit::kNever ? 0 : until > now ? until - now : 1;  // 0: not at all
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(ns / kInASecond);
    when.it_value.tv_nsec = static_cast<long>(ns % kInASecond);
    times_set_.fetch_add(1, std::memory_order_relaxed);
    timerfd_settime(fd_, 0, &when, nullptr);
}

// A call that comes before the kernel is told is overwritten, and seen here; one that comes later overwrites.
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

// The call is forgotten before it is read: one that comes in between is noted, and read the next time.
void WakeTimer::drain() noexcept {
    const bool called = called_.exchange(false);
    if (!called && (set_for_ == kit::kNever || kit::now() < set_for_)) return;
    std::uint64_t times;
    if (system_calls().read(fd_, &times, sizeof times) == static_cast<ssize_t>(sizeof times))
        set_for_ = kit::kNever;
    else if (called)
        called_.store(true);  // the kernel has not been told yet
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
