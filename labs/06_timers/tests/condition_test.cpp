// Step 6.6: the condition variable.
#include "labs/06_timers/condition.h"

#include "labs/06_timers/heap_store.h"
#include "labs/06_timers/loop.h"
#include "labs/06_timers/tests/support.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;
using lab04::Wake;

namespace {

struct Stage {
    Stage() { use_virtual_time(); }

    HeapStore store;
    TimerManager manager{store};
    TimerService service{manager};
    Condition condition{manager, "a sign"};
    lab04::Scheduler sched;
    Log log;

    /// Waits once, and logs the result.
    lab04::Handle go_waiter(const char* name, std::uint64_t limit = kNever) {
        return lab04::go(
            [this, name, limit] {
                const Wake woken = condition.wait(limit);
                const char* how = woken == Wake::event     ? " signalled"
                                  : woken == Wake::timeout ? " timed out"
                                                           : " cancelled";
                log.push_back(name + std::string(how));
            },
            name);
    }
    /// Calls `act` after `ns`.
    void after(std::uint64_t ns, Callback act) {
        lab04::go([ns, act] {
            lab04::sleep_for(ns);
            act();
        });
    }
};

}  // namespace

TEST_CASE("6.6 a signal wakes the task that has waited longest, a broadcast all others") {
    Stage stage;
    for (const char* name : {"a", "b", "c"}) stage.go_waiter(name);
    std::vector<std::size_t> counts;
    stage.after(kMillisecond, [&] {
        counts.push_back(stage.condition.waiting());
        counts.push_back(stage.condition.signal() ? 1 : 0);
        lab04::sleep_for(kMillisecond);
        counts.push_back(stage.condition.waiting());
        counts.push_back(stage.condition.broadcast());
    });
    INFO("a signal wakes the first in line, a broadcast all others");
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"a signalled", "b signalled", "c signalled"});
    CHECK(counts == std::vector<std::size_t>{3, 1, 2, 2});
}

TEST_CASE("6.6 a signal that no task waits for is lost") {
    Stage stage;
    INFO("a signal without a waiter is lost; a wait that ends by its limit returns Wake::timeout");
    CHECK_FALSE(stage.condition.signal());
    CHECK(stage.condition.broadcast() == 0);
    stage.go_waiter("a", kMillisecond);
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"a timed out"});
}

TEST_CASE("6.6 a wait with a limit ends at the limit, not before, and leaves the line") {
    Stage stage;
    std::uint64_t ended = 0;
    lab04::go([&] {
        stage.condition.wait(3 * kMillisecond);
        ended = kit::now();
    });
    bool signalled = true;
    stage.after(5 * kMillisecond, [&] { signalled = stage.condition.signal(); });
    INFO("an alarm ends the wait at its limit");
    CHECK(stage.sched.run().empty());
    CHECK(ended >= 3 * kMillisecond);
    CHECK(ended < 4 * kMillisecond);
    INFO("a waiter that has timed out must leave the line: otherwise it would take a signal from the others");
    CHECK_FALSE(signalled);
}

TEST_CASE("6.6 a signal cancels the limit") {
    Stage stage;
    stage.go_waiter("a", kDay);
    bool woke_it = false;
    stage.after(kMillisecond, [&] { woke_it = stage.condition.signal(); });
    INFO("a signalled waiter cancels its alarm");
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"a signalled"});
    CHECK(woke_it);
    CHECK(kit::now() < kSecond);
    CHECK(stage.manager.size() == 0);
}

TEST_CASE("6.6 signal and timeout at the same time: the first counts, and no signal is lost") {
    Stage stage;
    // While the hog works both become due: first the signal, and when the alarm is called, a is already ready.
    bool last = false;
    stage.after(2 * kMillisecond, [&] { stage.condition.signal(); });
    stage.go_waiter("a", 2 * kMillisecond);
    stage.go_waiter("b");
    stage.after(kMillisecond, [&] { kit::work(5 * kMillisecond); });
    stage.after(10 * kMillisecond, [&] { last = stage.condition.signal(); });
    INFO("the first of the two removes the waiter from the line and wakes it; the other finds it gone");
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"a signalled", "b signalled"});
    INFO("b was still in the line");
    CHECK(last);
}

TEST_CASE("6.6 a signal is not spent on a task that was cancelled and has not run yet") {
    Stage stage;
    const lab04::Handle a = stage.go_waiter("a");
    stage.go_waiter("b");
    stage.after(kMillisecond, [&] {
        lab04::cancel(a);
        stage.condition.signal();
    });
    INFO("lab04::wake returns false for a task that was already woken: the signal goes to the next in line");
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"a cancelled", "b signalled"});
}

TEST_CASE("6.6 producer and consumer, as in libco's example: every item arrives, in order") {
    Stage stage;
    std::deque<int> basket;
    std::vector<int> consumed;
    int waits_in_vain = 0;
    lab04::go([&] {
        for (int i = 0; i < 20; ++i) {
            basket.push_back(i);
            stage.condition.signal();
            stage.service.sleep_for(static_cast<std::uint64_t>(i % 4) * kMillisecond);
        }
    });
    lab04::go([&] {
        while (consumed.size() < 20) {
            while (basket.empty()) waits_in_vain += stage.condition.wait(2 * kMillisecond) == Wake::timeout ? 1 : 0;
            consumed.push_back(basket.front());
            basket.pop_front();
        }
    });
    INFO("every item arrives once, in order; some waits end by their limit, and the consumer waits again");
    CHECK(stage.sched.run().empty());
    REQUIRE(consumed.size() == 20);
    for (int i = 0; i < 20; ++i) CHECK(consumed[static_cast<std::size_t>(i)] == i);
    CHECK(waits_in_vain > 0);
}

TEST_CASE("6.6 the destructor of a scheduler removes its waiters from the line") {
    HeapStore store;
    TimerManager manager(store);
    TimerService service(manager);
    Condition condition(manager, "a sign");
    INFO("the Waiter is on the stack of its task: its destructor removes it from the line and cancels its alarm");
    {
        lab04::Scheduler sched;
        lab04::go([&] { condition.wait(); });
        lab04::go([&] { condition.wait(kDay); });
        for (int i = 0; i < 2; ++i) sched.resume(*sched.ready().pop());
        CHECK(condition.waiting() == 2);
        CHECK(manager.size() == 1);
    }
    CHECK(condition.waiting() == 0);
    CHECK(manager.size() == 0);
}

TEST_CASE("6.6 waiting outside of a task is a typed error") {
    INFO("wait parks the running task: outside of a task it throws Misuse and changes nothing");
    HeapStore store;
    TimerManager manager(store);
    Condition condition(manager, "a sign");
    const auto misuse = misuse_of([&] { condition.wait(); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == kit::MisuseKind::not_a_task);
    INFO("a task may wait afterwards");
    lab04::Scheduler sched;
    lab04::go([&] { condition.wait(); });
    sched.resume(*sched.ready().pop());
    CHECK(condition.waiting() == 1);
}

TEST_CASE("6.6 the trace shows which task waits, signals and times out") {
    const trace::Trace recorded = trace_of("condition", [] {
        Stage stage;
        stage.go_waiter("a");
        stage.go_waiter("b", 2 * kMillisecond);
        stage.after(kMillisecond, [&] { stage.condition.signal(); });
        static_cast<void>(stage.sched.run());
    });
    std::vector<std::string> words, reasons;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i].kind == trace::Kind::switch_ && recorded[i].second<kit::State>() == kit::State::waiting)
            reasons.emplace_back(recorded.text(recorded[i].text).bytes());
        if (recorded[i].kind == trace::Kind::lock)
            words.push_back(recorded.name(recorded[i].co) + " " +
                            std::string(word(recorded[i].first<trace::LockOp>())));
    }
    {
        INFO("park with the name of the condition, which is the reason in the trace and in reports");
        CHECK(reasons == std::vector<std::string>{"a sign", "a sign"});
    }
    INFO("the waits of a and b, the signal for a, the timeout of b");
    REQUIRE(words.size() == 4);
    CHECK(words[0] == "a wait");
    CHECK(words[1] == "b wait");
    CHECK(words[2].ends_with(" signal"));
    CHECK(words[3] == "b timeout");
}

TEST_CASE("6.6 in the trace a task leaves the line at the right time, and a signal names the task that it wakes") {
    const trace::Trace recorded = trace_of("line", [] {
        Stage stage;
        const lab04::Handle cancelled = stage.go_waiter("a");
        stage.go_waiter("b");
        stage.go_waiter("c", 2 * kMillisecond);
        stage.after(kMillisecond, [&] {
            lab04::cancel(cancelled);
            stage.condition.signal();
        });
        static_cast<void>(stage.sched.run());
    });
    std::vector<std::string> words;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const std::string name = recorded.name(recorded[i].co);
        if (recorded[i].kind == trace::Kind::lock && recorded[i].first<trace::LockOp>() == trace::LockOp::signal)
            words.emplace_back("signal");
        else if (recorded[i].kind == trace::Kind::lock)
            words.push_back(name + " " + std::string(word(recorded[i].first<trace::LockOp>())));
        else if (recorded[i].kind == trace::Kind::state && recorded[i].first<kit::State>() == kit::State::waiting)
            if (name.size() == 1) words.push_back(name + " woken");
    }
    INFO(
        "a was cancelled: the signal finds it in the line, and continues with b; c leaves the line before it is woken");
    CHECK(words == std::vector<std::string>{"a wait", "b wait", "c wait", "a woken", "a timeout", "signal", "b woken",
                                            "c timeout", "c woken"});
}

TEST_CASE("6.6 a broadcast wakes all waiters, however many there are") {
    record_nothing();
    Stage stage;
    constexpr std::size_t kMany = 300;
    std::size_t woken = 0;
    for (std::size_t i = 0; i < kMany; ++i) stage.go_waiter("w");
    stage.after(kMillisecond, [&] { woken = stage.condition.broadcast(); });
    INFO("a broadcast wakes all: a task left in the line would wait for a signal that has already been given");
    CHECK(stage.sched.run().empty());
    CHECK(woken == kMany);
    CHECK(stage.log.size() == kMany);
}

TEST_CASE("6.6 a broadcast counts only the tasks that it has woken") {
    INFO("a broadcast makes the waiting tasks ready, and counts those for which make_ready or wake returned true");
    Stage stage;
    const lab04::Handle a = stage.go_waiter("a");
    stage.go_waiter("b");
    std::size_t woken = 0;
    stage.after(kMillisecond, [&] {
        lab04::cancel(a);
        woken = stage.condition.broadcast();
    });
    CHECK(stage.sched.run().empty());
    INFO("a was cancelled and has not run yet: it is still in the line, but is not woken by the broadcast");
    CHECK(woken == 1);
    CHECK(stage.log == Log{"a cancelled", "b signalled"});
}

TEST_CASE("6.6 a limit that passes after a cancel has not ended the wait") {
    INFO("the first wake-up decides the result of wait");
    Stage stage;
    const lab04::Handle a = stage.go_waiter("a", 3 * kMillisecond);
    stage.after(2 * kMillisecond, [&] {
        lab04::cancel(a);
        kit::work(5 * kMillisecond);
        stage.manager.run_expired();
    });
    CHECK(stage.sched.run().empty());
    INFO("the alarm did not wake the task, so the wait has not timed out");
    CHECK(stage.log == Log{"a cancelled"});
}

TEST_CASE("6.6 a wait whose limit has passed is out of the line at once, before its task runs") {
    Stage stage;
    std::uint64_t ended = 0;
    stage.go_waiter("a", 2 * kMillisecond);
    lab04::go([&] {
        stage.condition.wait(2 * kMillisecond);
        ended = kit::now();
    });
    AlarmHandle counting;
    std::size_t left = 9;
    lab04::go([&] { counting = stage.manager.add(2 * kMillisecond, [&] { left = stage.condition.waiting(); }); });
    INFO("whatever ends a wait removes the waiter from the line at once, not when its task runs");
    CHECK(stage.sched.run().empty());
    CHECK(left == 0);
    CHECK(stage.log == Log{"a timed out"});
    CHECK(ended >= 2 * kMillisecond);
}

TEST_CASE("6.6 a timeout ends one wait and no other") {
    INFO("the other one stays in line until it is signalled");
    Stage stage;
    std::uint64_t ended = 0;
    lab04::go([&] {
        stage.condition.wait();
        ended = kit::now();
    });
    stage.go_waiter("a", 2 * kMillisecond);
    stage.after(5 * kMillisecond, [&] { stage.condition.signal(); });
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"a timed out"});
    CHECK(ended >= 5 * kMillisecond);
}

TEST_CASE("6.6 a wait with a limit of 0 lets the others run before it ends") {
    INFO("a limit of 0 ends the wait at the next look: until then the tasks that are ready run");
    Stage stage;
    stage.go_waiter("a", 0);
    lab04::go([&] { stage.log.emplace_back("another"); });
    CHECK(stage.sched.run().empty());
    CHECK(stage.log == Log{"another", "a timed out"});
}
