// Steps 4.6, 4.7, 4.8 and 4.10: exhaustive exploration of small programs.
#include "labs/04_scheduler/tests/explored.h"
#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/sylar.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Spawns tasks, each of which yields once, and joins them.
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

TEST_CASE("4.6 explored: tasks spawn others and join them, in every order of two machines' steps") {
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
        for (const int times : done) require(times == 1, "a task did not run exactly once");
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

TEST_CASE("4.8 explored: Gs spawn others and join them, in every order of two machines' steps") {
    check_all_orders([] { run_by("go", 3); });
}

namespace {

/// Machine 0 pushes two Gs to its queue while machine 1 parks; park.pml models this. `late`: by default machine 1 goes
/// first.
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
        require(queues.names_in(0).size() == 2, "push_local has not pushed the Gs to the queue");
    };
}

/// A table that some tasks read and some write, on netco's processors.
class Room {
  public:
    /// Returns false if it was cancelled.
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

TEST_CASE("4.8 explored: a machine parks while another one fills its queue") {
    for (const bool late : {false, true}) check_all_orders(push_beside_a_parking_machine(late));
}

TEST_CASE("4.8 explored: with store buffers, where a store may be delayed past the machine's later loads") {
    const char* const fences =
        "two fences: in park between the announcement and the last look, in push_local between the push and the look";
    for (const bool late : {false, true}) check_all_orders(push_beside_a_parking_machine(late), true, fences);
}

TEST_CASE("4.10 explored: readers, and a spurious wake-up of a waiting writer") {
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
        require(came == 3, "a task did not get the lock, though none was cancelled");
    });
}

TEST_CASE("4.10 explored: a reader queued after a writer that is cancelled") {
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

TEST_CASE("4.10 explored: a cancel while the lock is being handed over") {
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
