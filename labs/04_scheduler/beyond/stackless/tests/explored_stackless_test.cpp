#include "labs/04_scheduler/beyond/stackless/tests/stackless.h"
#include "labs/04_scheduler/tests/explored.h"
#include "labs/04_scheduler/tests/go.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.18 explored: a chain of frames that yields is stolen, and goes on where it has left") {
    check_all_orders([] {
        std::vector<int> done(4);
        const auto chain = [&done](std::size_t piece) -> Async<void> {
            const int depth = co_await descends(2);
            done.at(piece) += depth == 2 ? 1 : 100;
        };
        Scheduler sched(Settings{.strategy = "go", .machines = 2});
        go([&] {
            for (std::size_t piece = 0; piece < done.size(); ++piece) stackless::go(chain(piece));
        });
        run_all(sched, done);
    });
}

TEST_CASE("4.18 explored: one is woken by another machine at the moment at which it parks") {
    check_all_orders([] {
        kit::Lock lock;
        bool set = false;
        Handle waiter;
        std::vector<int> done(2);
        const auto waits = [&]() KIT_UNCHECKED -> Async<void> {
            lock.lock();
            while (!set) {
                co_await stackless::park("a sign", lock);
                lock.lock();
            }
            lock.unlock();
            ++done[0];
        };
        Scheduler sched(Settings{.strategy = "go", .machines = 2});
        go([&] {
            waiter = stackless::go(waits());
            go([&]() KIT_UNCHECKED {
                lock.lock();
                set = true;
                wake(waiter);
                lock.unlock();
                ++done[1];
            });
        });
        run_all(sched, done);
    });
}
