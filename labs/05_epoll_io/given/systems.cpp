#include "labs/05_epoll_io/systems.h"
#include "languages/spoken_error.h"

#include <stdexcept>
#include <string>

namespace fiberscope::lab05 {

namespace {

using lab04::SleepBy;

constexpr System kSystems[] = {
    {"ntyco", "multi_state", "per_connection", false, SleepBy::tree, TimeBy::timeout,
     "one thread, the multi-state loop", "one", "the sleep tree; epoll's time-out", "a task on this thread"},
    {"libco", "libco", "libco", false, SleepBy::wheel, TimeBy::timeout, "one thread, the event loop of step 4.9",
     "one; poll items, added and taken out at each wait", "a wheel of 60,000 slots; epoll's time-out",
     "a worker of the pool; the acceptor sleeps while none is free"},
    {"sylar", "sylar", "sylar", true, SleepBy::tree, TimeBy::timeout,
     "a list that all threads share, a scheduler and an idle coroutine on each", "one IO manager, for all",
     "in the IO manager: the idle task waits until the first", "on any thread, from turn to turn"},
    {"netco", "netco", "per_connection", true, SleepBy::heap, TimeBy::descriptor,
     "a processor a thread, with sets of its own", "one for each processor", "a heap and a timerfd for each processor",
     "on the processor that had the fewest tasks when it came"},
    {"go", "go", "per_connection", true, SleepBy::tree, TimeBy::timeout, "local queues, a global one, stealing",
     "one, for all", "the sleep tree; epoll's time-out", "on any machine, from turn to turn"},
};

}  // namespace

std::span<const System> systems() noexcept { return kSystems; }

const System& system_named(std::string_view name) {
    std::string known;
    for (const System& one : kSystems) {
        if (name == one.name) return one;
        known += (known.empty() ? "" : ", ") + std::string(one.name);
    }
    throw Spoken<std::invalid_argument>(message("--as takes one of {0}, not '{1}'", known, name));
}

lab04::Settings settings_of(const System& system, EpollSource& source, unsigned machines) {
    return {.strategy = system.strategy, .source = &source, .machines = machines, .sleep_by = system.sleep_by};
}

}  // namespace fiberscope::lab05
