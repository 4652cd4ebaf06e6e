// Step 4.10 on several machines: on a small loop that stands here, so that no strategy of several is needed.
#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <stdexcept>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Machines that look again and again, and park for a moment only.
void run_on_machines(Scheduler& sched) {
    SharedLoop& shared = sched.shared();
    shared.run_on_machines(sched.settings().machines, [&](Machine& machine) {
        Held held(shared);
        while (sched.alive() > 0) {
            shared.wake_due();
            if (Task* task = sched.ready().pop()) {
                shared.resume_unlocked(held, machine, *task);
                continue;
            }
            held.unlock();
            kit::idle_until(kit::now() + 500);
            held.lock();
        }
    });
}

/// What tasks do to a table that is theirs alone, or that they read together; counts what must not be.
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

/// Readers and writers, and a task that wakes and cancels them for nothing, on so many machines.
void crowd(unsigned machines, Table& table) {
    constexpr int kTimes = 25;
    Scheduler sched(Settings{.machines = machines});
    std::vector<Handle> all;
    for (unsigned i = 0; i < 12; ++i)
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
        std::minstd_rand random(5);
        while (!std::all_of(all.begin(), all.end(), [](const Handle& one) { return one.done(); })) {
            const Handle& one = all[random() % all.size()];
            if (random() % 4 == 0)
                cancel(one);
            else
                wake(one);
            yield();
        }
    });
    run_on_machines(sched);
}

}  // namespace

TEST_CASE("4.10 on several machines, with tasks woken and cancelled for nothing, the trace keeps every rule") {
    INFO("the lock's own state is touched under the scheduler's lock, on whichever machine");
    const trace::Trace recorded = trace_of("crowd", [] {
        Table table;
        crowd(3, table);
        if (table.faults != 0) throw std::runtime_error("a task read while another one wrote");
    });
    CHECK(recorded.machines() == 3);
    CHECK(count(recorded, trace::Kind::lock) > 200);
}

TEST_CASE("4.10 on real threads readers read together, and writers write alone") {
    INFO("the lock's own state is touched under the scheduler's lock, on whichever machine");
    kit::end_trace();
    kit::choose_clock(kit::ClockKind::monotonic);
    for (const unsigned machines : {2U, 4U}) {
        Table table;
        crowd(machines, table);
        CHECK(table.faults == 0);
        CHECK(table.cells[0] == table.cells[1]);
        CHECK(table.cells[0] + static_cast<std::uint64_t>(table.cancelled) >= 100);
        CHECK(table.most_readers > 1);
    }
}

TEST_CASE("4.10 on real threads the trace keeps every rule") {
    for (int i = 0; i < 5; ++i)
        trace_of("crowd", [] {
            kit::choose_clock(kit::ClockKind::monotonic);
            Table table;
            crowd(4, table);
        });
}
