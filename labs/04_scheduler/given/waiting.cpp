#include "labs/04_scheduler/given/waiting.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/fault/fault.h"
#include "labs/kit/report/report.h"
#include "labs/kit/report/signal_text.h"

namespace fiberscope::lab04 {
namespace {

struct Schedulers {
    std::mutex mutex;
    std::vector<SchedulerBase*> all;
};

// Never destroyed: a thread's scheduler may end after main.
Schedulers& schedulers() {
    static auto* const made = new Schedulers;
    return *made;
}

/// Asks the kernel for the descriptor's readiness; by the raw system call, because `poll` may be hooked.
std::string_view fact_about(const Task& task) noexcept {
    constexpr timespec kOnlyLook{};
    pollfd asked{task.fd, static_cast<short>(task.want == Want::write ? POLLOUT : POLLIN), 0};
    if (::syscall(SYS_ppoll, &asked, 1, &kOnlyLook, nullptr, 0) < 0) return "";
    if ((asked.revents & POLLNVAL) != 0) return "closed";
    if ((asked.revents & (POLLHUP | POLLERR)) != 0) return "gone";
    return asked.revents != 0 ? "ready" : "quiet";
}

void tell(const Task& task) noexcept {
    kit::SignalText name;
    if (task.core().given_name().empty())
        name << mark("coroutine {0}").english << "\t" << task.core().id();
    else
        name << task.core().given_name();
    kit::WaitingReport report{.name = name.view(), .state = trace::word(task.status())};
    if (task.waits_for_descriptor()) {
        report.fd = task.fd;
        report.want = task.want == Want::write ? "write" : "read";
        report.fact = fact_about(task);
    } else if (task.reason != nullptr) {
        report.reason = task.reason;
    }
    kit::report_waiting(report);
}

void tell_all() noexcept {
    Schedulers& known = schedulers();
    if (!known.mutex.try_lock()) return;  // never unlocked: the program ends here
    unsigned left = 6;                    // a few are enough
    for (const SchedulerBase* one : known.all)
        for (const Task* task = one->oldest(); task != nullptr && left > 0; task = task->behind, --left) tell(*task);
}

}  // namespace

void register_stuck_report(SchedulerBase& scheduler) {
    Schedulers& known = schedulers();
    const std::lock_guard lock(known.mutex);
    if (known.all.empty()) kit::set_waiting_teller(&tell_all);
    known.all.push_back(&scheduler);
}

void unregister_stuck_report(SchedulerBase& scheduler) noexcept {
    Schedulers& known = schedulers();
    const std::lock_guard lock(known.mutex);
    std::erase(known.all, &scheduler);
}

}  // namespace fiberscope::lab04
