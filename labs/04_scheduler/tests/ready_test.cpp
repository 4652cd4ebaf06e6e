// Step 4.1: the runnable, the scheduler, the ready queue.
#include <map>
#include <stdexcept>
#include <thread>

#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

const Attributes kSmall{.name = {}, .stack_size = 16 * 1024};

auto write(Log& log, const char* word) {
    return [&log, word] { log.emplace_back(word); };
}

}  // namespace

TEST_CASE("4.1 the scheduler of a thread is created at its first use, one per thread") {
    INFO("here() only looks up, of_this_thread() creates: keep one pointer per thread");
    const Scheduler* before = Scheduler::here();
    Scheduler& first = Scheduler::of_this_thread();
    Scheduler& second = Scheduler::of_this_thread();
    const Scheduler* of_other = nullptr;
    std::thread other([&] { of_other = &Scheduler::of_this_thread(); });
    other.join();
    CHECK(before == nullptr);
    INFO("a second create must find the scheduler of the first");
    CHECK(&first == &second);
    CHECK(Scheduler::here() == &first);
    CHECK(of_other != &first);
}

TEST_CASE("4.1 the first go creates the scheduler, and an existing one is used") {
    EXPECTS("go uses the existing scheduler and creates one only if there is none; keep none from an earlier call");
    Log log;
    {
        Scheduler mine;
        const Handle handle = go(write(log, "mine"), "a");
        CHECK(handle.task().sched == &mine);
        run_ready(mine);
    }
    const Handle handle = go(write(log, "made"), "b");
    REQUIRE(Scheduler::here() != nullptr);
    CHECK(handle.task().sched == Scheduler::here());
    run_ready(*Scheduler::here());
    CHECK(log == Log{"mine", "made"});
}

TEST_CASE("4.1 a new task is ready, has its number, name and creation time, and has not run") {
    INFO("a new task is in the ready queue and has not run");
    kit::work(700);
    Scheduler sched;
    bool ran = false;
    const Handle a = sched.go([&] { ran = true; }, {.name = "a"});
    const Handle b = sched.go([] {}, {.name = "b"});
    CHECK_FALSE(ran);
    CHECK(a.task().status() == State::ready);
    CHECK(a.name() == "a");
    CHECK(a.id() != b.id());
    CHECK(a.task().birth == 700);
    CHECK(sched.alive() == 2);
    CHECK(sched.ready().size() == 2);
    CHECK(english_of(why_not_running(a.task())) == "is ready and waits for its turn");
    run_ready(sched);
    CHECK(ran);
    INFO("insert_by_state passes a dead task to handle_exit: otherwise it counts as alive forever");
    CHECK(a.done());
    CHECK(sched.alive() == 0);
}

TEST_CASE("4.1 tasks run first in, first out, and a task that yields goes to the end") {
    INFO("the ready queue is first in, first out; a task that yields goes to its end");
    Scheduler sched;
    Log log;
    for (const char* name : {"a", "b", "c"})
        sched.go([&log, name] {
            for (int i = 0; i < 3; ++i) {
                log.emplace_back(name);
                yield();
            }
        });
    run_ready(sched);
    CHECK(log == Log{"a", "b", "c", "a", "b", "c", "a", "b", "c"});
}

TEST_CASE("4.1 make_ready does nothing for a task that is ready, running or dead") {
    EXPECTS("a task that is queued twice would be resumed twice");
    Scheduler sched;
    Log log;
    bool while_running = true;
    Task* self = nullptr;
    const Handle handle = sched.go([&] {
        log.emplace_back("ran");
        while_running = sched.make_ready(*self, Cause::signal);
        sched.ready().pop();
    });
    self = &handle.task();
    const bool while_ready = sched.make_ready(*self, Cause::signal);
    const std::size_t queued = sched.ready().size();
    run_ready(sched);
    CHECK_FALSE(sched.make_ready(*self, Cause::signal));
    CHECK_FALSE(while_ready);
    CHECK(queued == 1);
    INFO("a task that runs is in no set, and needs no wake: make_ready returns false, and leaves it running");
    CHECK_FALSE(while_running);
    CHECK(sched.ready().empty());
    CHECK(log == Log{"ran"});
}

TEST_CASE("4.1 make_ready does nothing for a task that waits for a coroutine of its own") {
    INFO("a task that has resumed a coroutine is in the middle of its turn: its state is normal, and it is in no set");
    Scheduler sched;
    bool made_ready = true;
    Task* self = nullptr;
    const Handle handle = sched.go([&] {
        alignas(16) std::byte room[1024];
        const auto& backend = kit::asm_backend;
        kit::Core& own = backend.create(room, [&] { made_ready = sched.make_ready(*self, Cause::signal); }, {});
        kit::resume(backend, own);
        backend.destroy(own);
    });
    self = &handle.task();
    run_ready(sched);
    CHECK_FALSE(made_ready);
    CHECK(handle.done());
}

TEST_CASE("4.1 a parked task is in no set, and continues when it is made ready") {
    INFO("a parked task is in no set, not even the ready queue, until make_ready puts it there");
    Scheduler sched;
    Log log;
    const Handle handle = sched.go([&] {
        park("a sign");
        log.emplace_back("woken");
    });
    run_ready(sched);
    CHECK(handle.task().status() == State::waiting);
    CHECK(sched.waiting().empty());
    CHECK(english_of(why_not_running(handle.task())) == "waits for a sign");
    CHECK(sched.alive() == 1);
    CHECK(log.empty());
    CHECK(sched.make_ready(handle.task(), Cause::signal));
    run_ready(sched);
    CHECK(log == Log{"woken"});
}

TEST_CASE("4.1 a task that has ended is not alive, and its stack is released") {
    INFO("insert_by_state passes a dead task to handle_exit");
    const std::size_t stacks = kit::stacks_in_use();
    Scheduler sched;
    const Handle kept = sched.go([] {}, kSmall);
    sched.go([] {}, kSmall);
    CHECK(kit::stacks_in_use() == stacks + 2);
    run_ready(sched);
    CHECK(sched.alive() == 0);
    CHECK(kit::stacks_in_use() == stacks);
    CHECK(kept.done());
    CHECK(english_of(why_not_running(kept.task())) == "has ended");
}

TEST_CASE("4.1 yield outside of tasks, and in a coroutine that a task resumed itself, throws a typed error") {
    INFO("only a task may yield to the scheduler");
    Scheduler sched;
    const auto outside = misuse_of([] { yield(); });
    std::optional<kit::Misuse> nested;
    sched.go([&] {
        alignas(16) std::byte room[1024];
        const auto& backend = kit::asm_backend;
        kit::Core& inner = backend.create(room, [&] { nested = misuse_of([] { yield(); }); }, {.name = "inner"});
        kit::resume(backend, inner);
        backend.destroy(inner);
    });
    run_ready(sched);
    REQUIRE(outside.has_value());
    CHECK(outside->kind() == kit::MisuseKind::not_a_task);
    REQUIRE(nested.has_value());
    CHECK(nested->kind() == kit::MisuseKind::not_a_task);
    CHECK(nested->name() == "inner");
}

TEST_CASE("4.1 destroying the scheduler unwinds the tasks that are alive, and those that never ran") {
    INFO("the destructor releases every task: a suspended one is unwound, a new one is only destroyed");
    struct Counted {
        int& alive;
        explicit Counted(int& n) : alive(n) { ++alive; }
        ~Counted() { --alive; }
    };
    int alive = 0, ran = 0;
    Handle kept;
    {
        Scheduler sched;
        kept = sched.go([&] {
            const Counted local(alive);
            park("nothing");
            alive = -100;
        });
        sched.go([&] {
            const Counted local(alive);
            for (;;) yield();
        });
        for (int i = 0; i < 2; ++i) sched.resume(*sched.ready().pop());
        sched.go([&] { ++ran; });
        CHECK(alive == 2);
    }
    CHECK(alive == 0);
    CHECK(ran == 0);
    INFO("a handle outlives the scheduler");
    CHECK(kept.done());
}

TEST_CASE("4.1 a second scheduler on one thread is refused") {
    INFO("a thread has one scheduler");
    Scheduler first;
    CHECK_THROWS_AS(Scheduler(), std::logic_error);
    CHECK(&Scheduler::of_this_thread() == &first);
}

TEST_CASE("4.1 a task is ready before it goes into the ready queue, in the trace too") {
    INFO("set the state first, and then push: a task in the ready queue must be ready");
    const trace::Trace recorded = trace_of("ready_first", [] {
        Scheduler sched;
        const Handle parked = go([] { park("a friend"); }, "parked");
        go([] { yield(); }, "yields");
        run_ready(sched);
        sched.make_ready(parked.task(), Cause::signal);
        run_ready(sched);
    });
    std::map<std::uint32_t, State> states;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const trace::Event& e = recorded[i];
        if (e.kind == trace::Kind::state || e.kind == trace::Kind::switch_) states[e.co] = e.second<State>();
        if (e.kind == trace::Kind::switch_) states[e.other] = State::running;
        if (e.kind != trace::Kind::insert || recorded.set_name(e.set) != "ready") continue;
        CHECK(states[e.co] == State::ready);
    }
    INFO("a task that yields leaves its turn and goes into the queue, even if no other task is ready");
    CHECK(count(recorded, trace::Kind::insert, "ready") == 4);
}

TEST_CASE("4.1 make_ready records its cause in the trace") {
    INFO("pass the cause of make_ready to set_state");
    const trace::Trace recorded = trace_of("ready_by", [] {
        Scheduler sched;
        const Handle parked = go([] {
            for (int i = 0; i < 3; ++i) park("a friend");
        });
        run_ready(sched);
        for (const Cause cause : {Cause::event, Cause::deadline, Cause::signal}) {
            sched.make_ready(parked.task(), cause);
            run_ready(sched);
        }
    });
    std::vector<Cause> causes;
    for (const trace::Event& e : all_of(recorded, trace::Kind::state)) causes.push_back(e.third<Cause>());
    CHECK(causes == std::vector{Cause::spawned, Cause::event, Cause::deadline, Cause::signal});
}

TEST_CASE("4.1 a task that leaves suspended is in no set until it is made ready") {
    INFO("suspended names no set: insert_by_state leaves such a task alone");
    Scheduler sched;
    const Handle handle = go([] { running_task().backend->yield(State::suspended, trace::kAbsent, nullptr); });
    run_ready(sched);
    CHECK_FALSE(handle.done());
    CHECK(sched.make_ready(handle.task(), Cause::event));
    run_ready(sched);
    CHECK(handle.done());
}
