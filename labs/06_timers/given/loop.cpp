// Given parts of the loop: epoll as an event source, and the task that serves a manager.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "labs/06_timers/loop.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/say.h"

namespace fiberscope::lab06 {

using lab04::Event;
using lab04::Want;

namespace {
[[noreturn]] void fail(const std::string& tried) {
    throw std::system_error(errno, std::generic_category(), "cannot " + tried);
}
}  // namespace

TimedSource::TimedSource() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) fail("make an epoll descriptor");
}

TimedSource::~TimedSource() { close(epoll_); }

std::uint32_t TimedSource::wanted(int fd) const {
    const std::uint32_t in = watchers_.contains({fd, Want::read}) ? std::uint32_t{EPOLLIN} : 0;
    const std::uint32_t out = watchers_.contains({fd, Want::write}) ? std::uint32_t{EPOLLOUT} : 0;
    return in | out;
}

void TimedSource::tell_epoll(int fd, std::uint32_t before) {
    epoll_event event{};
    event.events = wanted(fd);
    event.data.fd = fd;
    if (event.events == before) return;
    const int operation = before == 0 ? EPOLL_CTL_ADD : event.events == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
    const bool forgotten_already = operation == EPOLL_CTL_DEL;  // a closed descriptor leaves epoll automatically
    if (epoll_ctl(epoll_, operation, fd, &event) < 0 && !forgotten_already)
        fail("watch descriptor " + std::to_string(fd));
}

void TimedSource::watch(int fd, Want want) {
    const std::uint32_t before = wanted(fd);
    ++watchers_[{fd, want}];
    try {
        tell_epoll(fd, before);
    } catch (...) {
        forget(fd, want);
        throw;
    }
}

bool TimedSource::forget(int fd, Want want) {
    const auto watched = watchers_.find({fd, want});
    if (watched == watchers_.end() || --watched->second > 0) return false;
    watchers_.erase(watched);
    return true;
}

void TimedSource::unwatch(int fd, Want want) {
    const std::uint32_t before = wanted(fd);
    if (forget(fd, want)) tell_epoll(fd, before);
}

void TimedSource::add_events(const epoll_event& event) {
    const bool broken = (event.events & (EPOLLERR | EPOLLHUP)) != 0;  // then both reads and writes return the error
    const int fd = event.data.fd;
    if ((event.events & EPOLLIN) != 0 || broken) events_.push_back({fd, Want::read});
    if ((event.events & EPOLLOUT) != 0 || broken) events_.push_back({fd, Want::write});
}

std::span<Event> TimedSource::look(int timeout, std::uint64_t until) {
    std::array<epoll_event, 64> found;
    const bool jumps = kit::clock_kind() == kit::ClockKind::virtual_;
    ++looks_;
    const int n = epoll_wait(epoll_, found.data(), static_cast<int>(found.size()), jumps ? 0 : timeout);
    if (n < 0 && errno != EINTR) fail("wait for events");
    events_.clear();
    for (int i = 0; i < n; ++i) add_events(found[static_cast<std::size_t>(i)]);
    if (jumps && n == 0 && timeout > 0)
        kit::idle_until(std::min(until, kit::plus(kit::now(), kit::ns_of(timeout, kit::kMillisecond))));
    return events_;
}

// ---- a manager within a scheduler -----------------------------------------------------------------------------------

void TimerService::begin() {
    task_ = lab04::go(
        [this] {
            try {
                serve();
            } catch (const kit::Unwind&) {
                throw;  // the scheduler ends
            } catch (...) {
                begin();
                throw;
            }
        },
        "alarm service");
}

lab04::Wake TimerService::sleep_for(std::uint64_t ns) {
    struct Cancels {
        TimerManager& manager;
        AlarmHandle alarm;
        ~Cancels() { manager.cancel(alarm); }
    };
    bool rang = false;
    const lab04::Handle self(lab04::running_task());
    const Cancels guard{manager_, manager_.add(ns, [&rang, self] {
                            rang = true;
                            lab04::wake(self);
                        })};
    const lab04::Wake woken = lab04::park(mark("a timer").english.data());
    return rang ? lab04::Wake::timeout : woken;
}

}  // namespace fiberscope::lab06
