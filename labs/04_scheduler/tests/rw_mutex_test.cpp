// Step 4.10: a lock for readers and writers, on the loops of steps 4.4 and 4.5.
#include <stdexcept>

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// A lock, and a book in which each task writes when it has it and when it goes.
struct LockFixture {
    LockFixture() { use_virtual_time(); }
    RWMutex mutex{"table"};
    Log log;

    /// Comes at `at` µs, says "+name" when it has it, works `lasts` µs, says "-name" and goes. Cancelled: "!name".
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
        INFO("the run ends when all tasks have ended, none of them by an exception");
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

TEST_CASE("4.10 readers hold it together") {
    INFO("a reader is let in while only readers hold it and no writer waits");
    LockFixture fixture;
    fixture.reader("r1", 1, 10);
    fixture.reader("r2", 2, 10);
    CHECK(fixture.run() == Log{"+r1", "+r2", "-r1", "-r2"});
}

TEST_CASE("4.10 a writer holds it alone: readers wait for it, and other writers") {
    INFO("a writer waits for all that hold it; what comes after a waiting writer waits behind it");
    LockFixture fixture;
    fixture.writer("w1", 1, 10);
    fixture.reader("r", 2, 10);
    fixture.writer("w2", 3, 10);
    CHECK(fixture.run() == Log{"+w1", "-w1", "+r", "-r", "+w2", "-w2"});
}

TEST_CASE("4.10 what is given back is handed to the first task that waits") {
    INFO("give_back lets in what waits now: it calls admit_next when the holder has gone");
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

TEST_CASE("4.10 a reader that comes while a writer waits, waits behind it") {
    INFO("a reader asks whether a writer waits, and not only whether one holds it");
    LockFixture fixture;
    fixture.reader("r1", 1, 20);
    fixture.writer("w", 2, 5);
    fixture.reader("r2", 3, 5);
    CHECK(fixture.run() == Log{"+r1", "-r1", "+w", "-w", "+r2", "-r2"});
}

TEST_CASE("4.10 readers that wait next to each other are let in together, and none of those behind a writer") {
    INFO("unlock lets in the first that waits; if that reads, all readers up to the next writer");
    LockFixture fixture;
    fixture.writer("w1", 1, 20);
    fixture.reader("r1", 2, 5);
    fixture.reader("r2", 3, 6);
    fixture.writer("w2", 4, 5);
    fixture.reader("r3", 5, 5);
    CHECK(fixture.run() == Log{"+w1", "-w1", "+r1", "+r2", "-r1", "-r2", "+w2", "-w2", "+r3", "-r3"});
}

TEST_CASE("4.10 however many readers wait behind a writer, all are let in together") {
    INFO("all readers before the next writer, and not some of them");
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

// ---- waiting that ends early ----------------------------------------------------------------------------------------

TEST_CASE("4.10 a task that is woken for nothing waits on, at its place") {
    INFO("ask again after every wake: it holds the lock only if unlock has given it");
    LockFixture fixture;
    fixture.writer("w1", 1, 20);
    const Handle woken = fixture.writer("w2", 2, 5);
    fixture.reader("r", 3, 5);
    LockFixture::at(10, [woken] { wake(woken); });
    CHECK(fixture.run() == Log{"+w1", "-w1", "+w2", "-w2", "+r", "-r"});
}

TEST_CASE("4.10 a cancelled task is told so and does not hold it; a task that stood only behind it is let in") {
    INFO("a cancelled task leaves the line, and what is first then is let in if it may");
    LockFixture fixture;
    fixture.reader("r1", 1, 20);
    const Handle cancelled = fixture.writer("w", 2, 5);
    fixture.reader("r2", 3, 5);
    LockFixture::at(10, [cancelled] { cancel(cancelled); });
    CHECK(fixture.run() == Log{"+r1", "!w", "+r2", "-r2", "-r1"});
}

TEST_CASE("4.10 a cancel comes too late for a task that has been handed the lock") {
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
        INFO("it has been handed over before the task could run: the task has it, cancelled or not");
        CHECK(fixture.run() == Log{"+w", "-w"});
        CHECK_FALSE(ended_the_wait);
    }
}

// ---- guards, words, misuse ------------------------------------------------------------------------------------------

TEST_CASE("4.10 guards let go of it whatever happens, and have it even if one cancels them meanwhile") {
    INFO("a guard waits on after a cancel, and its destructor unlocks");
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

TEST_CASE("4.10 a task that unlocks what it does not hold, or locks what it holds, is told so") {
    INFO("keep which task holds it, and refuse with a Misuse before anything changes");
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
    INFO("what was refused changed nothing");
    fixture.writer("w", 1, 1);
    CHECK(fixture.run() == Log{"+w", "-w"});
}

TEST_CASE("4.10 a scheduler may end while tasks hold it and wait for it") {
    INFO("a task that is unwound leaves the line, or the lock, by its guard");
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
