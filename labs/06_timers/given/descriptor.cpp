// Given part of step 6.4: the kernel's descriptor.
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "labs/06_timers/descriptor.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab06 {

ClockDescriptor::ClockDescriptor() : fd_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make a timer descriptor");
}

ClockDescriptor::~ClockDescriptor() { close(fd_); }

void ClockDescriptor::set(std::uint64_t deadline) {
    const std::uint64_t ns = std::max<std::uint64_t>(kit::time_left(deadline), 1);  // 0 would disarm it
    itimerspec when{};
    when.it_value = kit::timespec_of(ns);
    ++times_set_;
    if (timerfd_settime(fd_, 0, &when, nullptr) < 0)
        throw std::system_error(errno, std::generic_category(), "cannot set a timer descriptor");
}

bool ClockDescriptor::drain() {
    std::uint64_t expirations = 0;
    return read(fd_, &expirations, sizeof expirations) == static_cast<ssize_t>(sizeof expirations);
}

}  // namespace fiberscope::lab06
