// Steps 4.13 to 4.16 and 4.18 on small programs, explored. Step 4.19: explored_deque_test.cpp.
#include "labs/04_scheduler/tests/explored.h"
#include "labs/04_scheduler/beyond/interpreter.h"
#include "labs/04_scheduler/beyond/select.h"
#include "labs/04_scheduler/tests/beyond/go_processors.h"
#include "labs/04_scheduler/tests/beyond/stackless.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Tasks pinned to one of netco's two processors, and channels between them.
class Harbour {
  public:
    Handle on(int machine, const char* name, Body body) {
        return sched.go(std::move(body), named(name), TaskOptions{.pinned = machine});
    }
    void run() {
        const std::vector<Failure> failures = sched.run();
        if (!failures.empty()) throw std::runtime_error(failures.front().what);
    }
    /// A task that selects from both channels.
    Handle selects(int machine, const char* name, int& got) {
        return on(machine, name, [this, &got] {
            std::optional<int> one, two;
            const Selected done = lab04::select(from(a, one), from(b, two));
            require(done.outcome == Outcome::done, "a select was told what has not happened");
            got = one ? *one : *two;
        });
    }

    Scheduler sched{Settings{.strategy = "netco", .machines = 2}};
    Channel<int> a{"a"}, b{"b"};
};

}  // namespace

TEST_CASE("4.13 explored: a sender, and a receiver that is woken for nothing while it waits") {
    check_all_orders([] {
        Harbour harbour;
        int got = 0;
        const Handle receiver = harbour.on(0, "receiver", [&] { got = harbour.a.receive().value_or(-1); });
        harbour.on(1, "waker", [receiver] { wake(receiver); });
        harbour.on(1, "sender", [&] { require(harbour.a.send(7) == Outcome::done, "the value was not sent"); });
        harbour.run();
        require(got == 7, "the receiver does not have the value");
    });
}

TEST_CASE("4.13 explored: a sender, a receiver that is cancelled, and close") {
    check_all_orders([] {
        Harbour harbour;
        bool sent = false, refused = false;
        int received = -1;
        const Handle receiver = harbour.on(0, "receiver", [&] {
            const auto value = harbour.a.receive();
            require(value.outcome != Outcome::closed, "a receiver was told closed before the channel was closed");
            received = value.value_or(-1);
        });
        harbour.on(1, "sender", [&] {
            try {
                sent = harbour.a.send(7) == Outcome::done;
            } catch (const ClosedChannel&) {
                refused = true;
            }
        });
        harbour.on(1, "canceller", [receiver] { cancel(receiver); });
        harbour.on(0, "closer", [&] {
            join(receiver);
            harbour.a.close();
        });
        harbour.run();
        require(sent != refused, "a sender must be told one thing");
        require(sent == (received == 7), "the value was sent, but not received, or the other way round");
    });
}

TEST_CASE("4.14 explored: two selects that wait for two channels, and one sender at each") {
    check_all_orders([] {
        Harbour harbour;
        int first = 0, second = 0;
        harbour.selects(0, "first", first);
        harbour.selects(1, "second", second);
        harbour.on(0, "to a", [&] { require(harbour.a.send(1) == Outcome::done, "a value was not sent"); });
        harbour.on(1, "to b", [&] { require(harbour.b.send(2) == Outcome::done, "a value was not sent"); });
        harbour.run();
        require(first + second == 3 && first * second == 2, "each select must have one of the two values");
    });
}

TEST_CASE("4.14 explored: a select that sends meets one that receives, each with the channels in another order") {
    check_all_orders([] {
        Harbour harbour;
        int got = 0, sent = -1;
        harbour.selects(0, "receives", got);
        harbour.on(1, "sends", [&] {
            const Selected done = lab04::select(to(harbour.b, 2), to(harbour.a, 1));
            require(done.outcome == Outcome::done, "a select was told what has not happened");
            sent = done.index == 0 ? 2 : 1;
        });
        harbour.run();
        require(got == sent, "the value that was sent is not the one that was received");
    });
}

TEST_CASE("4.15 explored: a program that yields is resumed by another machine, where it has left") {
    check_all_orders([] {
        std::vector<int> done(3);
        const Program program(R"(
fn main n
again: load n
  native do
  yield
  push 1
  sub
  store n
  load n
  jump_if again
  load n
  native do
  ret
)",
                              {{"do", [&](Interpreter&, Number piece) {
                                    ++done.at(static_cast<std::size_t>(piece));
                                    return piece;
                                }}});
        Scheduler sched(Settings{.strategy = "go", .machines = 2});
        go([&] {
            go_interpreted(program, "main", 2);
            for (int native = 0; native < 2; ++native) go([] { yield(); }, "native");
        });
        run_all(sched, done);
    });
}

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

namespace {

/// One P: whatever the order, no two Gs run at the same time outside of their calls, and each comes to its end.
void one_at_a_time(CallLength length, std::uint64_t ns) {
    int inside = 0, done = 0;
    const auto work_alone = [&] {
        require(++inside == 1, "two Gs run at the same time, and there is one P");
        kit::work(kMicrosecond);
        --inside;
    };
    Scheduler sched(with_ps(1, 1));
    GoProcessors& ps = dynamic_cast<GoProcessors&>(sched.strategy());
    go([&] {
        go([&] {
            work_alone();
            ++done;
        });
        const GoProcessor& p = ps.processor_of(machine_here()->index);
        const auto call = [&] {
            require(p.since.load() != 0, "the P does not say since when its machine is in a call");
            block_thread_for(ns);
        };
        blocking(call, length);
        work_alone();
        ++done;
    });
    const std::vector<Failure> failures = sched.run();
    if (!failures.empty()) throw std::runtime_error(failures.front().what);
    require(done == 2, "a G has not come to its end");
}

}  // namespace

TEST_CASE("4.16 explored: a machine comes back at the moment at which the monitor takes its P") {
    constexpr std::uint64_t kPeriod = GoProcessors::kMonitorPeriod;
    for (const std::uint64_t ns : {kPeriod - 1, kPeriod, kPeriod + 1})
        check_all_orders([ns] { one_at_a_time(CallLength::unknown, ns); });
}

TEST_CASE("4.16 explored: a call that is surely long, and short all the same") {
    check_all_orders([] { one_at_a_time(CallLength::surely_long, kMicrosecond); });
}

TEST_CASE("4.16 explored: a monitor that looks while a machine enters a call, after a long time without one") {
    constexpr unsigned kMonitor = 2;
    check_all_orders([] {
        WithPs with(1, 1);
        with.waits_for_a_p(1);
        with.run([&](Machine& machine) {
            if (machine.index == 1) return;
            kit::work(2 * GoProcessors::kMonitorPeriod);
            if (machine.index == kMonitor) return static_cast<void>(with.retake());
            with.ps.enter_blocking(with.shared, machine, CallLength::unknown);
            require(with.ps.has_processor(0),
                    "a call that has just begun has lost its P: `since` must be true "
                    "before the P may be taken");
            require(with.ps.processor_of(0).caller.load() == 0, "the P does not say that its machine is in a call");
            static_cast<void>(with.ps.leave_blocking(with.shared, machine));
        });
    });
}

TEST_CASE("4.16 explored: a monitor that goes to sleep while a machine enters a call, with store buffers") {
    const char* const order = "caller.store before the look at monitor_sleeps(), both in one order for all machines";
    const auto one_call = [] {
        Scheduler sched(with_ps(1, 0));
        const GoProcessor& p = dynamic_cast<GoProcessors&>(sched.strategy()).processor_of(0);
        go([&] {
            blocking([&] {
                require(p.since.load() != 0, "the P does not say since when its machine is in a call");
                block_thread_for(kMicrosecond);
            });
        });
        require(sched.run().empty(), "the G has failed");
    };
    check_all_orders(one_call, true, order);
}
