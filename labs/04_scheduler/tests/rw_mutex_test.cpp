// Step 4.10: a lock for readers and writers, on the loops of steps 4.4 and 4.5.
#include <stdexcept>

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// A lock, and a log in which each task notes when it acquires and releases it.
struct LockFixture {
    LockFixture() { use_virtual_time(); }
    RWMutex mutex{"table"};
    Log log;

    /// Arrives at `at` µs, logs "+name" when it has the lock, works `lasts` µs, logs "-name" and ends. Cancelled:
    /// "!name".
    Handle comes(const char* name, Mode mode, std::uint64_t at, std::uint64_t lasts) {
        return later(at * kMicrosecond, name, [this, name, mode, lasts] {
            if ((mode == Mode::read ? mutex.rlock() : mutex.wlock()) == Wake::cancelled)
                return log.push_back(std::string("!") + name);
            log.push_back(std::string("+") + name);
            sleep_for(lasts * kMicrosecond);
            log.push_back(std::string("-") + name);
            if (mode == Mode::read)
                mutex.runlock();
            else
                mutex.wunlock();
        });
    }
    Handle reader(const char* name, std::uint64_t at, std::uint64_t lasts) {
        return comes(name, Mode::read, at, lasts);
    }
    Handle writer(const char* name, std::uint64_t at, std::uint64_t lasts) {
        return comes(name, Mode::write, at, lasts);
    }
    static void at(std::uint64_t microseconds, std::function<void()> act) {
        later(microseconds * kMicrosecond, "acts", std::move(act));
    }
    Log run() {
        INFO("the run ends when all tasks have ended, and no task threw");
        CHECK(Scheduler::of_this_thread().run().empty());
        return log;
    }
};

std::optional<kit::MisuseKind> kind_of(const std::function<void()>& act) {
    const auto misuse = misuse_of(act);
    return misuse ? std::optional(misuse->kind()) : std::nullopt;
}

}  // namespace

// ---- together and alone ---------------------------------------------------------------------------------------------

TEST_CASE("4.10 readers hold the lock together") {
    INFO("a reader is let in while only readers hold it and no writer waits");
    LockFixture fixture;
    fixture.reader("r1", 1, 10);
    fixture.reader("r2", 2, 10);
    CHECK(fixture.run() == Log{"+r1", "+r2", "-r1", "-r2"});
}

TEST_CASE("4.10 a writer holds the lock alone: readers and other writers wait for it") {
    INFO("a writer waits for all holders; tasks that come after a waiting writer wait after it");
    LockFixture fixture;
    fixture.writer("w1", 1, 10);
    fixture.reader("r", 2, 10);
    fixture.writer("w2", 3, 10);
    CHECK(fixture.run() == Log{"+w1", "-w1", "+r", "-r", "+w2", "-w2"});
}

TEST_CASE("4.10 a released lock is handed to the first waiter") {
    INFO("give_back lets in the waiters: it calls admit_next after the holder has left");
    RWMutex mutex("table");
    Scheduler sched;
    Wake told = Wake::timeout;
    bool came = false;
    go([&] {
        static_cast<void>(mutex.wlock());
        yield();
        mutex.wunlock();
    });
    const Handle next = go([&] {
        told = mutex.wlock();
        came = true;
        if (told == Wake::event) mutex.wunlock();
    });
    bool in_time = false;
    go([&] {
        for (int i = 0; i < 5; ++i) yield();
        in_time = came;
        if (!came) cancel(next);
    });
    CHECK(sched.run().empty());
    CHECK(in_time);
    CHECK(told == Wake::event);
}

TEST_CASE("4.10 a writer waits until the last reader has gone") {
    INFO("only the last runlock lets a writer in: count the readers");
    LockFixture fixture;
    fixture.reader("r1", 1, 10);
    fixture.reader("r2", 1, 20);
    fixture.writer("w", 2, 5);
    CHECK(fixture.run() == Log{"+r1", "+r2", "-r1", "-r2", "+w", "-w"});
}

// ---- whose turn it is -----------------------------------------------------------------------------------------------

TEST_CASE("4.10 a reader that arrives while a writer waits is queued after it") {
    INFO("a reader checks whether a writer waits, and not only whether one holds the lock");
    LockFixture fixture;
    fixture.reader("r1", 1, 20);
    fixture.writer("w", 2, 5);
    fixture.reader("r2", 3, 5);
    CHECK(fixture.run() == Log{"+r1", "-r1", "+w", "-w", "+r2", "-r2"});
}

TEST_CASE("4.10 consecutive readers in the queue are let in together, up to the next writer") {
    INFO("unlock lets in the first waiter; if it reads, all readers up to the next writer");
    LockFixture fixture;
    fixture.writer("w1", 1, 20);
    fixture.reader("r1", 2, 5);
    fixture.reader("r2", 3, 6);
    fixture.writer("w2", 4, 5);
    fixture.reader("r3", 5, 5);
    CHECK(fixture.run() == Log{"+w1", "-w1", "+r1", "+r2", "-r1", "-r2", "+w2", "-w2", "+r3", "-r3"});
}

TEST_CASE("4.10 all readers queued after a writer are let in together, however many") {
    INFO("all readers before the next writer, not only some of them");
    constexpr int kReaders = 200;
    RWMutex mutex("table");
    Scheduler sched;
    int inside = 0, most = 0;
    go([&] {
        const WriteGuard guard(mutex);
        sleep_for(10 * kMicrosecond);
    });
    for (int i = 0; i < kReaders; ++i)
        go([&] {
            const ReadGuard guard(mutex);
            most = std::max(most, ++inside);
            sleep_for(1000 * kMicrosecond);
            --inside;
        });
    CHECK(sched.run().empty());
    CHECK(most == kReaders);
}

// ---- waits that end early -------------------------------------------------------------------------------------------

TEST_CASE("4.10 a spuriously woken task keeps waiting, at its place") {
    INFO("check again after every wake: a task holds the lock only if unlock has given it");
    LockFixture fixture;
    fixture.writer("w1", 1, 20);
    const Handle woken = fixture.writer("w2", 2, 5);
    fixture.reader("r", 3, 5);
    LockFixture::at(10, [woken] { wake(woken); });
    CHECK(fixture.run() == Log{"+w1", "-w1", "+w2", "-w2", "+r", "-r"});
}

TEST_CASE("4.10 a cancelled task gets Wake::cancelled and not the lock; tasks blocked only by it are let in") {
    INFO("a cancelled task leaves the queue, and the first waiter is let in if possible");
    LockFixture fixture;
    fixture.reader("r1", 1, 20);
    const Handle cancelled = fixture.writer("w", 2, 5);
    fixture.reader("r2", 3, 5);
    LockFixture::at(10, [cancelled] { cancel(cancelled); });
    CHECK(fixture.run() == Log{"+r1", "!w", "+r2", "-r2", "-r1"});
}

TEST_CASE("4.10 a cancel after the lock was handed over has no effect") {
    for (const bool cancelled_first : {false, true}) {
        LockFixture fixture;
        Handle next;
        bool ended_the_wait = false;
        go([&] {
            static_cast<void>(fixture.mutex.wlock());
            sleep_for(10 * kMicrosecond);
            if (cancelled_first) cancel(next);
            fixture.mutex.wunlock();
            if (!cancelled_first) ended_the_wait = cancel(next);
        });
        next = fixture.writer("w", 2, 5);
        INFO("the lock was handed over before the task could run: the task has it, cancelled or not");
        CHECK(fixture.run() == Log{"+w", "-w"});
        CHECK_FALSE(ended_the_wait);
    }
}

// ---- guards, words, misuse ------------------------------------------------------------------------------------------

TEST_CASE("4.10 guards always release the lock, and acquire it even if the task is cancelled meanwhile") {
    INFO("a guard keeps waiting after a cancel, and its destructor unlocks");
    LockFixture fixture;
    go([&] {
        const WriteGuard guard(fixture.mutex);
        sleep_for(10 * kMicrosecond);
        throw std::runtime_error("in the middle");
    });
    const Handle patient = go([&] {
        sleep_for(kMicrosecond);
        const ReadGuard guard(fixture.mutex);
        fixture.log.push_back(kit::now() >= 10 * kMicrosecond ? "after it" : "too early");
    });
    LockFixture::at(5, [patient] { cancel(patient); });
    CHECK(Scheduler::of_this_thread().run().size() == 1);
    CHECK(fixture.log == Log{"after it"});
}

TEST_CASE("4.10 unlocking a lock that the task does not hold, or locking it twice, is a Misuse") {
    INFO("keep which task holds it, and throw a Misuse before anything changes");
    LockFixture fixture;
    std::vector<std::optional<kit::MisuseKind>> kinds;
    const auto tell = [&](const std::function<void()>& act) { kinds.push_back(kind_of(act)); };
    RWMutex& mutex = fixture.mutex;
    go([&] {
        tell([&] { mutex.runlock(); });
        static_cast<void>(mutex.rlock());
        tell([&] { mutex.wunlock(); });
        tell([&] { static_cast<void>(mutex.rlock()); });
        tell([&] { static_cast<void>(mutex.wlock()); });
        go([&] { tell([&] { mutex.runlock(); }); });
        yield();
        yield();
        mutex.runlock();
        tell([&] { mutex.runlock(); });
    });
    fixture.run();
    using kit::MisuseKind;
    const std::vector<std::optional<MisuseKind>> expected = {MisuseKind::not_the_holder, MisuseKind::not_the_holder,
                                                             MisuseKind::holds_already,  MisuseKind::holds_already,
                                                             MisuseKind::not_the_holder, MisuseKind::not_the_holder};
    CHECK(kinds == expected);
    CHECK(kind_of([&] { static_cast<void>(mutex.rlock()); }) == MisuseKind::not_a_task);
    INFO("a refused call changed nothing");
    fixture.writer("w", 1, 1);
    CHECK(fixture.run() == Log{"+w", "-w"});
}

TEST_CASE("4.10 a scheduler may end while tasks hold the lock and wait for it") {
    INFO("an unwound task leaves the queue, or its guard releases the lock");
    RWMutex mutex("table");
    int held = 0;
    {
        Scheduler sched;
        for (int i = 0; i < 3; ++i)
            sched.go([&] {
                const WriteGuard guard(mutex);
                ++held;
                park("nothing");
            });
        CHECK_THROWS_AS(sched.run(), Stuck);
        CHECK(held == 1);
    }
    CHECK(held == 1);
    Scheduler next;
    next.go([&] {
        const WriteGuard guard(mutex);
        ++held;
    });
    CHECK(next.run().empty());
    CHECK(held == 2);
}

// ---- in a trace -----------------------------------------------------------------------------------------------------
