// Step 5.5: replacements for the locks of threads.
#include "labs/05_epoll_io/mutex.h"

#include <mutex>
#include <optional>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.5 third: a TaskMutex is held across calls that wait, and handed over first come, first served") {
    INFO("unlock hands the mutex to the task that has waited longest");
    Stand stand;
    TaskMutex mutex("a mutex");
    Log log;
    for (const char* name : {"a", "b", "c"})
        go(
            [&, name] {
                const std::lock_guard held(mutex);
                log.push_back(std::string(name) + " in");
                sleep_for(kMillisecond);
                log.push_back(std::string(name) + " out");
            },
            name);
    CHECK(stand.run() == "");
    CHECK(log == Log{"a in", "a out", "b in", "b out", "c in", "c out"});
}

TEST_CASE("5.5 third: a TaskMutex refuses recursive locks and foreign unlocks; a cancel does not end the wait") {
    INFO("the mutex knows its holder; a wait continues after a wake or a cancel that does not come from unlock");
    Stand stand;
    TaskMutex mutex("a mutex");
    std::optional<kit::MisuseKind> again, not_mine, outside;
    Log log;
    go(
        [&] {
            mutex.lock();
            if (const auto misuse = misuse_of([&] { mutex.lock(); })) again = misuse->kind();
            sleep_for(2 * kMillisecond);
            log.emplace_back("unlock");
            mutex.unlock();
        },
        "holder");
    const Handle second = go(
        [&] {
            if (const auto misuse = misuse_of([&] { mutex.unlock(); })) not_mine = misuse->kind();
            if (!mutex.try_lock()) log.emplace_back("taken");
            mutex.lock();
            log.emplace_back("second");
            mutex.unlock();
        },
        "second");
    go(
        [&] {
            sleep_for(kMillisecond);
            lab04::cancel(second);
            lab04::wake(second);
        },
        "cancels");
    CHECK(stand.run() == "");
    CHECK(again == kit::MisuseKind::holds_already);
    CHECK(not_mine == kit::MisuseKind::not_the_holder);
    CHECK(log == Log{"taken", "unlock", "second"});
    if (const auto misuse = misuse_of([&] { mutex.lock(); })) outside = misuse->kind();
    CHECK(outside == kit::MisuseKind::not_a_task);
}

TEST_CASE("5.5 third: a TaskMutex skips a task that is unwound while it waits") {
    INFO("an unwound task leaves the queue: unlock must not hand the mutex to it");
    TaskMutex mutex("a mutex");
    {
        Stand stand;
        go(
            [&] {
                const std::lock_guard held(mutex);
                lab04::park("nothing");
            },
            "holder");
        go([&] { const std::lock_guard held(mutex); }, "waits");
        CHECK_THROWS_AS(stand.run(), lab04::Stuck);
    }
    Stand stand;
    bool got = false;
    go([&] { got = mutex.try_lock(); }, "later");
    CHECK(stand.run() == "");
    CHECK(got);
}

namespace {
/// A buffer with one slot between producers and consumers; returns the sum of the consumed items.
struct OnePlace {
    TaskMutex mutex{"a mutex"};
    TaskCondition changed{"a change"};
    std::optional<int> place;
    long sum = 0;

    void produce(int items) {
        for (int i = 1; i <= items; ++i) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this] { return !place.has_value(); });
            place = i;
            changed.notify_all();
        }
    }
    void consume(int items) {
        for (int i = 0; i < items; ++i) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this] { return place.has_value(); });
            sum += *place;
            place.reset();
            changed.notify_all();
        }
    }
};

long produced_and_consumed(lab04::Settings settings, int items) {
    EpollSource source;
    settings.source = &source;
    lab04::Scheduler sched(settings);
    OnePlace buffer;
    for (int i = 0; i < 3; ++i) {
        go([&] { buffer.produce(items); }, "produces");
        go([&] { buffer.consume(items); }, "consumes");
    }
    return sched.run().empty() ? buffer.sum : -1;
}
}  // namespace

TEST_CASE("5.5 third: TaskMutex and TaskCondition deliver every item, on one machine, on three, and on shared stacks") {
    INFO("notify and wait must not miss each other between the unlock and the park");
    constexpr int kItems = 60;
    constexpr long kSum = 3L * kItems * (kItems + 1) / 2;
    record_nothing();
    CHECK(produced_and_consumed({.strategy = "producer_consumer"}, kItems) == kSum);
    CHECK(produced_and_consumed({.strategy = "producer_consumer", .backend = &kit::shared_backend}, kItems) == kSum);
    CHECK(produced_and_consumed({.strategy = "sylar", .machines = 3}, kItems) == kSum);
    use_real_time();
    CHECK(produced_and_consumed({.strategy = "sylar", .machines = 3}, kItems) == kSum);
}

TEST_CASE("5.5 third: a wait of a TaskCondition ends by notify, limit or cancel, and then holds the mutex") {
    INFO("wait returns the reason, and acquires the mutex again before it returns");
    Stand stand;
    TaskMutex mutex("a mutex");
    TaskCondition condition("a change");
    std::vector<lab04::Wake> ends;
    int held = 0;
    const auto wait = [&](std::uint64_t limit) {
        std::unique_lock lock(mutex);
        ends.push_back(condition.wait(lock, limit));
        if (misuse_of([&] { mutex.lock(); }).has_value()) ++held;
    };
    const Handle waits = go(
        [&] {
            wait(kNever);
            wait(kMillisecond);
            wait(kNever);
        },
        "waits");
    go(
        [&] {
            sleep_for(kMillisecond);
            condition.notify_one();
            sleep_for(5 * kMillisecond);
            lab04::wake(waits);  // spurious: it keeps waiting
            sleep_for(kMillisecond);
            lab04::cancel(waits);
        },
        "ends them");
    CHECK(stand.run() == "");
    CHECK(ends == std::vector{lab04::Wake::event, lab04::Wake::timeout, lab04::Wake::cancelled});
    CHECK(held == 3);
}

TEST_CASE("5.5 third: notify_one wakes the task that has waited longest, and is not lost on a task that has left") {
    INFO("given: the first waiter is woken first, and a waiter whose limit has passed has left the queue");
    Stand stand;
    TaskMutex mutex("a mutex");
    TaskCondition condition("a change");
    Log log;
    for (const char* name : {"a", "b", "c"})
        go(
            [&, name] {
                std::unique_lock lock(mutex);
                const bool told = condition.wait(lock, *name == 'a' ? kMillisecond : kSecond) == Wake::event;
                log.push_back(name + std::string(told ? " told" : " gone"));
            },
            name);
    go(
        [&] {
            sleep_for(2 * kMillisecond);
            condition.notify_one();
            sleep_for(kMillisecond);
            condition.notify_all();
        },
        "tells");
    CHECK(stand.run() == "");
    CHECK(log == Log{"a gone", "b told", "c told"});
}

TEST_CASE("5.5 third: the traces of a TaskMutex and a TaskCondition keep every rule, on one machine and on three") {
    INFO("given: hand-overs are recorded in the order of the lock, whichever machine does them");
    for (const unsigned machines : {1U, 3U}) {
        const trace::Trace recorded = trace_of("one_place", [=] {
            kit::choose_clock(kit::clock_kind());
            produced_and_consumed({.strategy = "sylar", .machines = machines}, 20);
        });
        CHECK(count(recorded, trace::Kind::lock) > 120);
    }
}
