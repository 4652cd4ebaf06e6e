// Step 4.14: select, on the loops of steps 4.4 and 4.5.
#include <array>

#include "labs/04_scheduler/beyond/channels/select.h"
#include "labs/04_scheduler/beyond/channels/tests/channels.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Two channels of numbers, and tasks that select from both.
struct TwoChannels : Port {
    Channel<int> a{"a"}, b{"b"};

    /// Logs "s a 1": it has received 1 from a; "s a closed", "s cancelled".
    Handle selects(const std::string& name, std::uint64_t when) {
        return at(
            when, [this, name] { select_once(name); }, name);
    }
    void select_once(const std::string& name) {
        std::optional<int> from_a, from_b;
        const Selected done = lab04::select(from(a, from_a), from(b, from_b));
        if (done.index == Selected::kNone) return log.push_back(name + " cancelled");
        const std::optional<int>& value = done.index == 0 ? from_a : from_b;
        log.push_back(name + (done.index == 0 ? " a " : " b ") + (value ? std::to_string(*value) : "closed"));
    }
};

/// Returns how often each of three cases is chosen by `times` selects, where a and c are ready, and b is not.
std::array<int, 3> chosen_among(int times, std::uint64_t seed) {
    use_virtual_time();
    std::array<int, 3> chosen{};
    Scheduler sched(Settings{.seed = seed});
    Channel<int> a("a", 1), b("b", 1), c("c", 1);
    sched.go([&] {
        for (int i = 0; i < times; ++i) {
            std::optional<int> one, two;
            if (i == 0) CHECK(a.send(i) == Outcome::done);
            const Selected done = lab04::select(from(a, one), from(b, two), to(c, i));
            ++chosen.at(static_cast<std::size_t>(done.index));
            if (done.index == 0) CHECK(a.send(i) == Outcome::done);
            if (done.index == 2) CHECK(c.receive().has_value());
        }
    });
    CHECK(sched.run().empty());
    return chosen;
}

/// Returns how often each of five cases, which are all ready, is chosen by `times` selects.
std::array<int, 5> chosen_of_five(int times) {
    use_virtual_time();
    std::array<int, 5> chosen{};
    Scheduler sched;
    const auto room = static_cast<std::size_t>(times);
    Channel<int> a("a", room), b("b", room), c("c", room), d("d", room), e("e", room);
    sched.go([&] {
        for (int i = 0; i < times; ++i) {
            const Selected done = lab04::select(to(a, i), to(b, i), to(c, i), to(d, i), to(e, i));
            ++chosen.at(static_cast<std::size_t>(done.index));
        }
    });
    CHECK(sched.run().empty());
    return chosen;
}

/// Returns the order in which a hundred selects choose between two ready cases.
std::vector<int> choices(std::uint64_t seed) {
    use_virtual_time();
    std::vector<int> all;
    Scheduler sched(Settings{.seed = seed});
    Channel<int> a("a", 100), b("b", 100);
    sched.go([&] {
        for (int i = 0; i < 100; ++i) all.push_back(lab04::select(to(a, i), to(b, i)).index);
    });
    CHECK(sched.run().empty());
    return all;
}

}  // namespace

// ---- a single select ------------------------------------------------------------------------------------------------

TEST_CASE("4.14 of several cases, the ready one is performed") {
    EXPECTS("try_cases continues until a case need not wait, and choose then also unlocks all channels");
    Port port;
    Channel<int> a("a", 1), b("b", 1), full("full");
    port.at(1, [&] {
        CHECK(b.send(7) == Outcome::done);
        std::optional<int> one, two;
        Selected done = lab04::select(from(a, one), from(b, two), to(full, 1));
        CHECK(done.index == 1);
        CHECK(two == 7);
        CHECK_FALSE(one.has_value());
        done = lab04::select(to(full, 1), from(b, two), to(a, 8));
        CHECK(done.index == 2);
        CHECK(done.outcome == Outcome::done);
        CHECK(*a.receive() == 8);
    });
    static_cast<void>(port.run());
}

TEST_CASE("4.14 the default is taken only if no case is ready") {
    INFO("with `may_wait` false, choose returns null at once if try_cases does");
    Port port;
    Channel<int> a("a", 1), b("b");
    port.at(1, [&] {
        std::optional<int> one;
        CHECK(select_or_default(from(a, one), to(b, 1)).index == Selected::kNone);
        CHECK(a.send(7) == Outcome::done);
        CHECK(select_or_default(from(a, one), to(b, 1)).index == 0);
        CHECK(one == 7);
    });
    static_cast<void>(port.run());
}

TEST_CASE("4.14 if no case is ready, the task waits for the first one") {
    INFO("it is in the queues of all its channels");
    TwoChannels port;
    port.selects("s", 1);
    port.sends("on b", port.b, 2, 5);
    CHECK(port.run() == Log{"on b sent 2", "s b 2"});
    port.selects("s", 1);
    port.sends("on a", port.a, 3, 5);
    CHECK(port.run() == Log{"on a sent 3", "s a 3"});
}

TEST_CASE("4.14 a task that was chosen at one channel leaves the queues of all others") {
    EXPECTS("remove_waiter for every case, whichever was claimed");
    const auto run = [](Channel<int> TwoChannels::*chosen, Channel<int> TwoChannels::*other) {
        TwoChannels port;
        port.selects("s", 1);
        port.sends("chosen", port.*chosen, 2, 5);
        port.sends("other", port.*other, 3, 7);
        port.receives("r", port.*other, 9);
        return port.run();
    };
    CHECK(run(&TwoChannels::b, &TwoChannels::a) == Log{"chosen sent 2", "s b 2", "r has 3", "other sent 3"});
    CHECK(run(&TwoChannels::a, &TwoChannels::b) == Log{"chosen sent 2", "s a 2", "r has 3", "other sent 3"});
}

TEST_CASE("4.14 a select that waits is claimed once, although both its channels have a sender before it runs") {
    EXPECTS("claim_first skips a waiter that was claimed at another channel");
    TwoChannels port;
    port.selects("s", 1);
    port.at(5, [&] {
        port.send("on a", port.a, 1);
        go([&] { port.receive("r", port.b); });
        port.send("on b", port.b, 2);
    });
    CHECK(port.run() == Log{"on a sent 1", "s a 1", "r has 2", "on b sent 2"});
}

TEST_CASE("4.14 a select that was claimed at another channel is skipped, whatever is queued after it") {
    INFO("the next task in the queue still waits: claim_first continues with it");
    TwoChannels port;
    port.selects("s", 1);
    port.receives("r", port.b, 2);
    port.at(5, [&] {
        port.send("on a", port.a, 1);
        port.send("on b", port.b, 2);
    });
    CHECK(port.run() == Log{"on a sent 1", "on b sent 2", "s a 1", "r has 2"});
    INFO("no other task is queued: the value goes into the buffer, as if the queue had been empty");
    Channel<int> buffered("buffered", 1);
    port.at(1, [&] {
        std::optional<int> one, two;
        CHECK(lab04::select(from(port.a, one), from(buffered, two)).index == 0);
    });
    port.at(5, [&] {
        port.send("on a", port.a, 1);
        port.send("s", buffered, 2);
        port.receive("r", buffered);
    });
    CHECK(port.run() == Log{"on a sent 1", "s sent 2", "r has 2"});
}

TEST_CASE("4.14 several cases may use one channel, and a select does not match itself") {
    EXPECTS(
        "lock each channel once; look for another task before you enter a queue yourself, not while you are in one");
    Port port;
    Channel<int> a("a");
    const Handle woken = port.at(1, [&] {
        std::optional<int> one, two;
        const Selected done = lab04::select(from(a, one), to(a, 1), from(a, two));
        port.log.push_back(done.index == 1 ? "sent" : "received");
    });
    port.at(3, [woken] { wake(woken); });
    port.sends("s", a, 5, 4);
    CHECK(port.run() == Log{"s sent 5", "received"});
    INFO("it is in both queues of that channel, so a receiver finds it there, too");
    Channel<int> b("b"), c("c");
    port.at(1, [&] {
        std::optional<int> one, two;
        const Selected done = lab04::select(from(b, one), from(c, two), to(b, 1));
        port.log.push_back(done.index == 2 ? "sent" : "received");
    });
    port.receives("r", b, 5);
    CHECK(port.run() == Log{"r has 1", "sent"});
}

// ---- fair -----------------------------------------------------------------------------------------------------------

TEST_CASE("4.14 all ready cases are chosen equally often") {
    INFO("every order of the cases is equally likely: not the first one, and not the first one after a random place");
    const std::array<int, 3> chosen = chosen_among(2000, 1);
    CHECK(chosen[1] == 0);
    CHECK(chosen[0] > 900);
    CHECK(chosen[2] > 900);
    INFO("the next case is any of those not tried yet: draw among these, not among all, nor only from two orders");
    for (const int times : chosen_of_five(10'000)) CHECK((times > 1800 && times < 2200));
}

TEST_CASE("4.14 the same seed gives the same choices, and another seed gives others") {
    INFO("take all random numbers from random_below");
    const std::vector<int> first = choices(1);
    CHECK(first == choices(1));
    CHECK(first != choices(2));
}

// ---- closing --------------------------------------------------------------------------------------------------------

TEST_CASE("4.14 a closed channel is ready: a receive reports closed, a send is refused") {
    INFO("Outcome::closed is not must_wait");
    Port port;
    Channel<int> a("a"), b("b");
    port.at(1, [&] {
        a.close();
        std::optional<int> one, two;
        const Selected done = lab04::select(from(a, one), from(b, two));
        CHECK(done.index == 0);
        CHECK(done.outcome == Outcome::closed);
        CHECK_THROWS_AS(static_cast<void>(lab04::select(to(a, 1), from(b, two))), ClosedChannel);
        port.log.push_back(select_or_default(from(b, two)).index == Selected::kNone ? "unlocked" : "ready");
    });
    CHECK(port.run() == Log{"unlocked"});
}

TEST_CASE("4.14 a select that waits is woken when one of its channels is closed") {
    INFO("a case claimed by close has the outcome closed");
    TwoChannels port;
    port.selects("s", 1);
    port.at(5, [&] { port.b.close(); });
    CHECK(port.run() == Log{"s b closed"});
}

// ---- waits that end early -------------------------------------------------------------------------------------------

TEST_CASE("4.14 a spuriously woken select keeps waiting, at its places") {
    INFO("check again after every wake: the wait is over only if one case was claimed; until then it keeps its places");
    TwoChannels port;
    const Handle woken = port.selects("s1", 1);
    port.selects("s2", 2);
    port.at(4, [woken] { wake(woken); });
    port.sends("on b", port.b, 2, 6);
    port.sends("on a", port.a, 3, 7);
    CHECK(port.run() == Log{"on b sent 2", "s1 b 2", "on a sent 3", "s2 a 3"});
}

TEST_CASE("4.14 a cancelled select is in no queue, and has done nothing") {
    INFO("remove_waiter for every case, even if none was claimed");
    TwoChannels port;
    const Handle cancelled = port.selects("s", 1);
    port.at(3, [&] { port.log.push_back("3 µs"); });
    port.at(4, [cancelled] { cancel(cancelled); });
    port.sends("on a", port.a, 1, 6);
    port.receives("r", port.a, 9);
    CHECK(port.run() == Log{"3 µs", "s cancelled", "r has 1", "on a sent 1"});
}

TEST_CASE("4.14 a cancel after a select was claimed has no effect") {
    INFO("a claimed operation is done, cancelled or not");
    TwoChannels port;
    const Handle selects = port.selects("s", 1);
    port.at(5, [&] {
        cancel(selects);
        port.send("on a", port.a, 1);
    });
    CHECK(port.run() == Log{"on a sent 1", "s a 1"});
}

// ---- words, and in a trace ------------------------------------------------------------------------------------------

TEST_CASE("4.14 a select without cases waits until it is cancelled, with that reason") {
    Scheduler sched;
    std::string words;
    const Handle selects = go([] { static_cast<void>(lab04::select()); });
    go([&] {
        words = english_of(why_not_running(selects.task()));
        cancel(selects);
    });
    CHECK(sched.run().empty());
    INFO("no case can be chosen, so only a cancel ends it");
    CHECK(words == "waits for a select that has no cases");
}

TEST_CASE("4.14 a scheduler may end while a select waits") {
    INFO("given: an unwound task leaves all queues");
    Channel<int> a("a"), b("b");
    {
        Scheduler sched;
        sched.go([&] {
            std::optional<int> one, two;
            static_cast<void>(lab04::select(from(a, one), from(b, two)));
        });
        CHECK_THROWS_AS(sched.run(), Stuck);
    }
    Scheduler next;
    std::optional<int> value;
    next.go([&] { CHECK(b.send(5) == Outcome::done); });
    next.go([&] { value = *b.receive(); });
    CHECK(next.run().empty());
    CHECK(value == 5);
}

TEST_CASE("4.14 in the trace a select is in every queue under its case, and leaves every one") {
    INFO("insert_waiter and remove_waiter for each case");
    for (const char* strategy : {"producer_consumer", "multi_state"}) {
        const trace::Trace recorded = trace_of("select", [strategy] {
            kit::choose_clock(kit::clock_kind());
            Scheduler sched(Settings{.strategy = strategy});
            Channel<int> a("a"), b("b");
            sched.go([&] {
                std::optional<int> one, two;
                static_cast<void>(lab04::select(from(a, one), from(b, two), to(a, 1)));
            });
            sched.go([&] { static_cast<void>(b.send(1)); });
            static_cast<void>(sched.run());
        });
        for (const char* set : {"receivers of 'a'", "receivers of 'b'", "senders of 'a'"}) {
            CHECK(count(recorded, trace::Kind::insert, set) == 1);
            CHECK(count(recorded, trace::Kind::remove, set) == 1);
        }
    }
}
