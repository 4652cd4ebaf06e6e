// Step 4.10 on several machines, with a small loop of the tests, so that no strategy for several is needed.
#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/tests/strategies/small_machines.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/shrink_failures.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// A table that tasks write alone or read together; counts violations.
struct Table {
    RWMutex mutex{"table"};
    std::array<std::uint64_t, 2> cells{};
    std::atomic<int> readers{0}, most_readers{0}, faults{0}, cancelled{0};

    void read() {
        if (mutex.rlock() == Wake::cancelled) return void(++cancelled);
        const int together = ++readers;
        for (int most = most_readers; most < together && !most_readers.compare_exchange_weak(most, together);) {
        }
        const std::uint64_t first = cells[0];
        yield();
        if (cells[1] != first || cells[0] != first) ++faults;
        --readers;
        mutex.runlock();
    }
    void write() {
        if (mutex.wlock() == Wake::cancelled) return void(++cancelled);
        if (readers != 0) ++faults;
        ++cells[0];
        yield();
        ++cells[1];
        mutex.wunlock();
    }
};

/// Wakes or cancels one of the readers and writers for no reason.
struct Nudge {
    unsigned which;
    bool cancels;

    std::string in_words() const { return message(cancels ? mark("cancel task {0}") : mark("wake task {0}"), which); }
};
using Nudges = std::vector<Nudge>;

constexpr unsigned kTasks = 12;

Nudges random_nudges() {
    std::minstd_rand random(5);
    Nudges all;
    for (int i = 0; i < 1000; ++i) {
        const auto which = static_cast<unsigned>(random() % kTasks);
        all.push_back({which, random() % 4 == 0});
    }
    return all;
}

/// Readers and writers, and a task that wakes and cancels them for no reason, on several machines.
void crowd(unsigned machines, Table& table, const Nudges& nudges) {
    constexpr int kTimes = 25;
    Scheduler sched(Settings{.machines = machines});
    std::vector<Handle> all;
    for (unsigned i = 0; i < kTasks; ++i)
        all.push_back(sched.go([&table, i] {
            for (int n = 0; n < kTimes; ++n) {
                if (i % 3 == 0)
                    table.write();
                else
                    table.read();
                kit::work(100);
            }
        }));
    sched.go([&] {
        for (const Nudge& nudge : nudges) {
            if (std::all_of(all.begin(), all.end(), [](const Handle& one) { return one.done(); })) return;
            if (nudge.cancels)
                cancel(all[nudge.which]);
            else
                wake(all[nudge.which]);
            yield();
        }
    });
    run_on_machines(sched);
}

/// Returns the rule that is broken on three machines with these nudges, or "".
std::string rule_broken_by(const Nudges& nudges) {
    Table table;
    try {
        crowd(3, table, nudges);
    } catch (const Stuck&) {
        return "every task that waits gets the lock, or is cancelled";
    }
    return table.faults == 0 ? "" : "no task reads while another one writes";
}

}  // namespace

TEST_CASE("4.10 on several machines, with random wake-ups and cancels, the trace keeps every rule") {
    INFO("readers_, writer_ and queue_ are accessed with the lock's own lock_ held, on any machine");
    const Nudges all = random_nudges(), few = kit::testing::shrink_failures(all, rule_broken_by);
    INFO(kit::told(message(
        few.empty() ? mark("with random wake-ups and cancels no task reads while another one writes; look at the trace")
                    : mark("found with random wake-ups and cancels, and shortened: {0}"),
        Value::of(kit::testing::list_in_words(few, [](const Nudge& one) { return one.in_words(); })))));
    const trace::Trace recorded = trace_of("crowd", [&] {
        if (const std::string rule = rule_broken_by(few.empty() ? all : few); !rule.empty())
            throw std::runtime_error(rule);
    });
    CHECK(few.empty());
    CHECK(recorded.machines() == 3);
    CHECK(count(recorded, trace::Kind::lock) > 200);
}

TEST_CASE("4.10 on real threads readers read together, and writers write alone") {
    INFO("readers_, writer_ and queue_ are accessed with the lock's own lock_ held, on any machine");
    kit::end_trace();
    kit::choose_clock(kit::ClockKind::monotonic);
    for (const unsigned machines : {2U, 4U}) {
        Table table;
        crowd(machines, table, random_nudges());
        CHECK(table.faults == 0);
        CHECK(table.cells[0] == table.cells[1]);
        CHECK(table.cells[0] + static_cast<std::uint64_t>(table.cancelled) >= 100);
        CHECK(table.most_readers > 1);
    }
}
