// Steps 4.6, 4.7, 4.8, 4.10, 4.13 and 4.14 on small programs, in every order of their machines' steps that a bounded
// search comes to. See docs/explore.md. FIBERSCOPE_EXPLORE=full searches until all schedules with two preemptions are
// tried.
#include <cstdlib>
#include <stdexcept>

#include "extras/explore/search.h"
#include "labs/04_scheduler/beyond/select.h"
#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/sylar.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/usual_turns.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

bool in_full() { return std::getenv("FIBERSCOPE_EXPLORE") != nullptr; }

/// Schedules that are tried where there is little time: by ./lab check, in each build.
constexpr std::uint64_t kBounded = kit::kUnderSanitizer ? 60 : 1500;

/// Searches, and fails with the story of what it has found.
/// `missing`: what is to be thought of first, if all that is found needs it.
void check_all_orders(const explore::Body& program, bool weak = false, const char* missing = nullptr) {
    INFO("the program breaks a rule in one order of its machines' steps");
    if (kit::explorer() != nullptr) {  // ./lab explore 04 "TEST" searches itself, by its options
        REQUIRE_NOTHROW(program());
        return;
    }
    record_nothing();
    explore::Options options;
    options.preemptions = 2;
    options.weak = weak;
    options.seconds = in_full() ? 600 : 0.8;
    options.schedules = in_full() ? 0 : kBounded;
    const explore::Report report = explore::explore(options, program);
    if (in_full()) std::printf("%s\n", words(report).c_str());
    if (missing != nullptr) {
        INFO(missing);
        CHECK_FALSE(report.failure.has_value());
    }
    const std::string test = Catch::getResultCapture().getCurrentTestName();
    const std::string what = "04 \"" + test + (weak ? "\" --weak" : "\"");
    const std::string found = report.failure ? report.failure->what : "";
    INFO("in one order of the machines' steps (./lab explore " << what << " shows each step): " << found);
    CHECK_FALSE(report.failure.has_value());
    if (in_full()) CHECK(report.bound == 2);
}

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::runtime_error(otherwise);
}

/// Runs all, and demands that no task has failed and that each piece of work was done once.
void run_all(Scheduler& sched, const std::vector<int>& done) {
    const std::vector<Failure> failures = sched.run();
    if (!failures.empty()) throw std::runtime_error(failures.front().what);
    for (const int times : done) require(times == 1, "a task has not run once");
}

/// A task that begins others, each of which yields once, and joins them.
void begin_and_join(std::vector<int>& done) {
    std::vector<Handle> children;
    for (std::size_t i = 0; i < done.size(); ++i)
        children.push_back(go(
            [&done, i] {
                kit::work(kMicrosecond);
                yield();
                ++done[i];
            },
            "child " + std::to_string(i)));
    for (const Handle& child : children) join(child);
}

void run_by(const char* strategy, std::size_t children) {
    std::vector<int> done(children);
    Scheduler sched(Settings{.strategy = strategy, .machines = 2});
    go([&] { begin_and_join(done); }, "root");
    run_all(sched, done);
}

void sleepers_by(const char* strategy) {
    std::vector<int> done(3);
    Scheduler sched(Settings{.strategy = strategy, .machines = 2});
    for (std::size_t i = 0; i < done.size(); ++i)
        go(
            [&done, i] {
                kit::work((i + 1) * kMicrosecond);
                sleep_for((4 - i) * kMicrosecond);
                ++done[i];
            },
            "sleeper " + std::to_string(i));
    run_all(sched, done);
}

}  // namespace

TEST_CASE("4.6 explored: tasks begin others and join them, in every order of two machines' steps") {
    check_all_orders([] { run_by("sylar", 2); });
}

TEST_CASE("4.6 explored: pinned tasks, and a stop while all machines wait") {
    check_all_orders([] {
        std::vector<int> done(2);
        Scheduler sched(Settings{.strategy = "sylar", .machines = 2, .use_caller = false});
        const auto meanwhile = [&] {
            schedule([&] { ++done[0]; }, 2);
            kit::work(kMicrosecond);
            schedule([&] { ++done[1]; }, 1);
        };
        require(start_and_stop(sched, meanwhile).empty(), "a task has failed");
        for (const int times : done) require(times == 1, "a task has not run once");
    });
}

TEST_CASE("4.6 explored: sleepers are woken when it is time, whichever machine waits for them") {
    check_all_orders([] { sleepers_by("sylar"); });
}

TEST_CASE("4.7 explored: tasks given to another processor, in every order of two processors' steps") {
    check_all_orders([] { run_by("netco", 2); });
}

TEST_CASE("4.7 explored: sleepers are woken when it is time, each by its processor") {
    check_all_orders([] { sleepers_by("netco"); });
}

TEST_CASE("4.8 explored: Gs begin others and join them, in every order of two machines' steps") {
    check_all_orders([] { run_by("go", 3); });
}

namespace {

/// Machine 0 puts two Gs into its queue, while machine 1 parks. What park.pml is the model of. `late`: if nothing is
/// chosen, machine 1 goes first.
explore::Body push_beside_a_parking_machine(bool late) {
    return [late] {
        Queues queues(2);
        queues.fill(0, 2);
        Task* const two[] = {queues.gs.local(0).runnable.pop(), queues.gs.local(0).runnable.pop()};
        queues.run([&](Machine& machine) {
            if (machine.index == 1) return queues.gs.park(queues.shared, machine);
            if (late) kit::work(1);
            for (Task* g : two) queues.gs.push_local(queues.shared, machine, *g);
        });
        require(queues.names_in(0).size() == 2, "push_local has put no G into the queue");
    };
}

Attributes named(const char* name) { return {.name = name, .stack_size = kit::kDefaultStackSize}; }

/// A table that some read and some write, by netco's processors.
class Room {
  public:
    /// False: it was cancelled.
    bool read() {
        if (table.rlock() == Wake::cancelled) return false;
        ++readers_;
        look();
        yield();
        --readers_;
        table.runlock();
        return true;
    }
    bool write() {
        if (table.wlock() == Wake::cancelled) return false;
        ++writers_;
        look();
        kit::work(kMicrosecond);
        --writers_;
        table.wunlock();
        return true;
    }
    void run() {
        const std::vector<Failure> failures = sched.run();
        if (!failures.empty()) throw std::runtime_error(failures.front().what);
    }

    Scheduler sched{Settings{.strategy = "netco", .machines = 2}};
    RWMutex table{"table"};

  private:
    void look() const { require(writers_ == 0 || (writers_ == 1 && readers_ == 0), "a writer is not alone"); }
    int readers_ = 0, writers_ = 0;
};

}  // namespace

TEST_CASE("4.8 explored: a machine that parks, while another one fills its queue") {
    for (const bool late : {false, true}) check_all_orders(push_beside_a_parking_machine(late));
}

TEST_CASE("4.8 explored: with store buffers, in which a store waits while its machine reads on") {
    const char* const fences =
        "two fences: in park between the announcement and the last look, in push_local between the push and the look";
    for (const bool late : {false, true}) check_all_orders(push_beside_a_parking_machine(late), true, fences);
}

TEST_CASE("4.10 explored: readers, and a writer that is woken for nothing while it waits") {
    check_all_orders([] {
        Room room;
        int came = 0;
        go_on(
            0, [&] { came += room.read() ? 1 : 0; }, named("reader 0"));
        go_on(
            1, [&] { came += room.read() ? 1 : 0; }, named("reader 1"));
        const Handle writer =
            room.sched.go([&] { came += room.write() ? 1 : 0; }, named("writer"), TaskOptions{.pinned = 0});
        go_on(
            1, [&] { wake(writer); }, named("waker"));
        room.run();
        require(came == 3, "one has not had the lock, though none was cancelled");
    });
}

TEST_CASE("4.10 explored: a reader stands behind a writer that is cancelled") {
    check_all_orders([] {
        Room room;
        go([&] {
            require(room.table.rlock() == Wake::event, "the first reader must wait");
            const Handle writer = go([&] { room.write(); }, "writer");
            const Handle reader = go([&] { room.read(); }, "reader");
            while (!writer.done() && !cancel(writer)) {
                kit::work(kMicrosecond);  // so that the other machine goes first
                yield();
            }
            join(reader);
            room.table.runlock();
        });
        room.run();
    });
}

TEST_CASE("4.10 explored: a cancel that comes when the lock is being handed over") {
    check_all_orders([] {
        Room room;
        const auto on = [](int machine) { return TaskOptions{.pinned = machine}; };
        const Handle reader = room.sched.go([&] { room.read(); }, named("reader"), on(0));
        const Handle writer = room.sched.go([&] { room.write(); }, named("writer"), on(1));
        go_on(
            0, [&] { cancel(writer); }, named("canceller"));
        go_on(
            1,
            [&] {
                join(reader);
                join(writer);
                require(room.write(), "the last one was not cancelled");
            },
            named("last"));
        room.run();
    });
}

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
        const Handle receiver = harbour.on(0, "receiver", [&] { received = harbour.a.receive().value_or(-1); });
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
