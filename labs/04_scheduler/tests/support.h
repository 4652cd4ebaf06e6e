// Shared by the tests of this lab: virtual time, small loops that need no strategy, and traces of child processes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/04_scheduler/tests/running.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/held.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

namespace fiberscope::lab04::testing {

using namespace kit::testing;
using Log = std::vector<std::string>;

/// Checks that two long lists are equal; otherwise reports the first entry that differs.
template <class Entry>
void check_same(const std::vector<Entry>& got, const std::vector<Entry>& expected) {
    const auto [is, should_be] = std::ranges::mismatch(got, expected);
    const bool the_same = is == got.end() && should_be == expected.end();
    const auto in_words = [](const std::vector<Entry>& all, auto at) {
        std::ostringstream words;
        if (at == all.end()) return std::string("the end");
        words << *at;
        return words.str();
    };
    INFO(kit::told(message("entry {0} is '{1}', and should be '{2}'", is - got.begin() + 1, in_words(got, is),
                           in_words(expected, should_be))));
    CHECK(the_same);
}

/// Returns the events that have occurred; if none is ready, waits for one until the first deadline. Step 4.4 builds it.
inline std::span<Event> events_of(Scheduler& sched) {
    const Task* first = sched.sleeping().first();
    const std::uint64_t until = !sched.ready().empty() ? 0 : first == nullptr ? kNever : first->deadline;
    const std::span<Event> events = sched.source().wait(until);
    for (Event& event : events) event.order = sched.next_order();
    return events;
}

/// Runs the ready tasks, and those that become ready, until the queue is empty.
inline void run_ready(Scheduler& sched) {
    while (!sched.ready().empty()) sched.resume(*sched.ready().pop());
}

/// The same with sleepers: wakes them on time. Gives up if `expired` misses one.
inline void run_sleepers(Scheduler& sched) {
    while (sched.alive() > 0) {
        while (Task* task = sched.expired(kit::now())) {
            sched.remove(*task, Wake::timeout);
            sched.make_ready(*task, Cause::deadline);
        }
        if (!sched.ready().empty())
            sched.resume(*sched.ready().pop());
        else if (const Task* first = sched.sleeping().first()) {
            const std::uint64_t deadline = first->deadline;
            kit::idle_until(deadline);
            if (kit::now() >= deadline && sched.expired(kit::now()) == nullptr) return;
        } else
            return;
    }
}

/// The same with tasks that wait for events; returns when none is alive.
inline void run_waiters(Scheduler& sched) {
    while (sched.alive() > 0) {
        while (Task* task = sched.expired(kit::now())) {
            sched.remove(*task, Wake::timeout);
            sched.make_ready(*task, Cause::deadline);
        }
        for (const Event& event : events_of(sched))
            while (Task* task = sched.waiter(event)) {
                sched.remove(*task, Wake::event);
                sched.make_ready(*task, Cause::event);
            }
        if (!sched.ready().empty()) sched.resume(*sched.ready().pop());
    }
}

/// Returns whether a workload is short and needs nothing that is built after the strategies.
inline bool suits(const Workload& workload) {
    const std::string_view name = workload.name;
    return name != "storm" && name != "readers_writers";
}

}  // namespace fiberscope::lab04::testing
