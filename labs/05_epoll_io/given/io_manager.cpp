#include <fcntl.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/run/numbered.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/message.h"

namespace fiberscope::lab05 {

namespace {

constexpr Text kReported = fiberscope::mark("the IO manager to report fd {0}");

/// Creates an eventfd whose number is the same on every run, if possible, for reproducible traces; -1 with errno.
int numbered_eventfd() noexcept {
    constexpr int kLowest = 64;
    const int made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return made < 0 ? made : kit::numbered_from(kLowest, made);
}

}  // namespace

IOManager::IOManager(EpollSource& source)
    : source_(source), scheduler_(lab04::Scheduler::of_this_thread()), tickle_fd_(numbered_eventfd()) {
    if (tickle_fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot create the tickle descriptor");
    const lab04::SchedulerLock held(scheduler_.shared());
    begin_idle();
}

void IOManager::begin_idle() {
    idles_ = true;
    begin([this] { idle(); }, "idle");
}

IOManager::~IOManager() KIT_UNCHECKED {  // no machine runs any more
    for (auto& [fd, both] : contexts_)
        for (EventContext* one : {&both.read, &both.write})
            if (one->added) unwatch(*one);
    source_.forget(tickle_fd_);
    system_calls().close(tickle_fd_);
}

std::size_t IOManager::pending() {
    const lab04::SchedulerLock held(scheduler_.shared());
    return pending_;
}

TimerKey IOManager::add_timer(std::uint64_t ns, Callback callback) {
    const std::uint64_t now = kit::now();
    const lab04::SchedulerLock held(scheduler_.shared());
    const std::lock_guard lock(mutex_);
    const std::uint64_t first = timers_.first();
    const TimerKey key = timers_.add(kit::plus(now, ns), std::move(callback));
    if (!idles_)
        begin_idle();
    else if (key.deadline < first)
        tickle();
    return key;
}

bool IOManager::cancel_timer(const TimerKey& timer) {
    const std::lock_guard lock(mutex_);
    const bool was_set = timers_.cancel(timer);
    if (was_set && timers_.empty() && stopping_) tickle();
    return was_set;
}

std::uint64_t IOManager::until_first_timer() {
    const std::lock_guard lock(mutex_);
    return kit::time_left(timers_.first());
}

IOManager::EventContext& IOManager::context(int fd, Want event) {
    FdContext& both = contexts_[fd];
    return event == Want::read ? both.read : both.write;
}

void IOManager::watch(EventContext& context, int fd, Want event) {
    context.manager = this;
    context.fd = fd;
    context.events = event == Want::read ? EPOLLIN : EPOLLOUT;
    context.reason = message(kReported, fd);
    context.woken_by = lab04::Cause::signal;
    context.fired = [](PollItem& item, lab04::Cause cause) KIT_UNCHECKED {  // the source holds the lock
        auto& fired = static_cast<EventContext&>(item);
        fired.woken_by = cause;
        fired.manager->trigger(fired);
    };
    if (!source_.watch_held(context)) trigger(context);
    if (!idles_) begin_idle();
}

void IOManager::wake_owner(EventContext& context) {
    if (context.owner && context.awaited)
        scheduler_.shared().wake_and_tell(context.owner.task(), Wake::event, context.woken_by);
}

Wake IOManager::park_owner(EventContext& context, lab04::SchedulerLock& held) KIT_UNCHECKED {  // the loop releases it
    context.awaited = true;
    const std::string reason = context.reason;
    if (!held.owns_lock()) return lab04::park(reason.c_str());  // with one machine, no other can check
    held.release();
    const Wake woken = lab04::park(reason.c_str(), scheduler_.shared().lock());
    held.lock();
    return woken;
}

namespace {

constexpr kit::CodeRow kIoManagerCode[] = {
    {"program", "", "5.4", "exercise/io_manager.cpp", "", "", "io_manager"},
    {"waiting", kReported.english, "5.4", "exercise/io_manager.cpp", "Wake IOManager::wait_event("},
};
const kit::KnownCode io_manager_code("05_epoll_io", kIoManagerCode);

}  // namespace

}  // namespace fiberscope::lab05
