#include "labs/04_scheduler/beyond/stackless/tests/stackless.h"
#include "labs/04_scheduler/tests/explored.h"
#include "labs/04_scheduler/tests/go.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.18 explored: a task is woken by another machine at the moment at which it parks") {
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
