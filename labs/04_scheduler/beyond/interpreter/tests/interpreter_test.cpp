// Step 4.15: coroutines of an interpreter: calls, yields, and several machines.
#include "labs/04_scheduler/beyond/interpreter/tests/interpreter.h"

#include <stdexcept>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/fault/expected.h"
#include "traces/read/printable.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

constexpr std::string_view kCountDown = R"(
fn main n
again: load n
  native log
  drop
  yield
  load n
  push 1
  sub
  store n
  load n
  jump_if again
  push 0
  ret
)";

}  // namespace

TEST_CASE("4.15 a function begins with its argument, and its other locals are 0") {
    INFO("call puts the argument on the operands, and a 0 for each other local, and goes to the first instruction");
    Written one(R"(
fn main n other
  load n
  native log
  load other
  native log
  ret
)");
    CHECK(one.run(7).empty());
    CHECK(one.log == Log{"a 7", "a 0"});
}

TEST_CASE("4.15 a call goes on behind itself, with the result, and the caller has its own locals") {
    EXPECTS(
        "call keeps return_to in the new frame; leave_frame goes on there, with the operands as they were and the "
        "result on top");
    Written one(R"(
fn main n
  push 100
  push 5
  call twice
  add
  native log
  load n
  native log
  ret
fn twice n spare
  push 3
  store spare
  push 9
  load n
  load n
  add
  ret
)");
    CHECK(one.run(1).empty());
    CHECK(one.log == Log{"a 110", "a 1"});
}

TEST_CASE("4.15 a program that yields goes on behind the yield") {
    EXPECTS("yield saves pc + 1: with pc it would yield again and again");
    Written one(kCountDown);
    CHECK(one.run(3).empty());
    CHECK(one.log == Log{"a 3", "a 2", "a 1"});
}

TEST_CASE("4.15 two programs take turns on one machine, each at its own place") {
    EXPECTS("enter takes pc from the coroutine that is resumed, and yield leaves it there");
    Written one(kCountDown);
    go([&] {
        go_interpreted(one.program, "main", 3, {.name = "a"});
        go_interpreted(one.program, "main", 2, {.name = "b"});
    });
    CHECK(one.sched.run().empty());
    CHECK(one.log == Log{"a 3", "b 2", "a 2", "b 1", "a 1"});
}

TEST_CASE("4.15 a program yields from any depth of its own calls") {
    EXPECTS("the frames stay in the coroutine: a yield leaves the loop, and touches no frame");
    Written one(R"(
fn main n
  load n
  call down
  native log
  ret
fn down n
  load n
  jump_if deeper
  yield
  push 0
  ret
deeper: load n
  push 1
  sub
  call down
  push 1
  add
  ret
)");
    CHECK(one.run(50).empty());
    CHECK(one.log == Log{"a 50"});
}

TEST_CASE("4.15 a program sleeps and parks as tasks do, beside native ones") {
    EXPECTS("leave_loop is told how the program leaves, and that alone");
    Written one(R"(
fn main n
  push 5000
  sleep
  load n
  native log
  park a sign
  native log
  ret
)");
    const Handle a = go_interpreted(one.program, "main", 1, {.name = "a"});
    later(20 * kMicrosecond, "native", [&] {
        one.log.emplace_back(english_of(why_not_running(a.task())));
        wake(a);
        join(a);
        one.log.emplace_back("joined");
    });
    CHECK(one.sched.run().empty());
    CHECK(one.log == Log{"a 1", "waits for a sign", "a 1", "joined"});
}

TEST_CASE("4.15 a program goes on where its coroutine says, also where it ran here last") {
    EXPECTS(
        "enter takes pc from the coroutine each time: another machine may have gone on with it since it has left this "
        "one");
    Programs programs;
    InterpretedCoroutine* left = nullptr;
    auto natives = programs.natives();
    natives["leaves"] = [&left](Interpreter& interpreter, Number value) {
        left = interpreter.co;
        return value;
    };
    const Program program(R"(
fn main n
  load n
  native leaves
  park another machine
  push 1
  native log
  ret
  push 2
  native log
  ret
)",
                          std::move(natives));
    const Handle a = go_interpreted(program, "main", 0, {.name = "a"});
    go([&] {
        while (left == nullptr || a.task().status() != kit::State::waiting) yield();
        left->resume_pc += 3;  // as if it had been carried out elsewhere
        wake(a);
    });
    CHECK(programs.sched.run().empty());
    CHECK(programs.log == Log{"a 2"});
}

// ---- on several machines --------------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kVisits = R"(
fn main n
again: push 3000
  work
  load n
  call visit
  store n
  load n
  jump_if again
  load n
  ret
fn visit n
  push 0
  defer closes
  yield
  load n
  push 1
  sub
  ret
fn closes n
  load n
  ret
)";

}  // namespace

TEST_CASE("4.15 in the trace: machines steal interpreted coroutines, and their frames are recorded") {
    EXPECTS("the trace of a run on two machines must keep all invariants");
    const trace::Trace recorded = trace_of("interpreter", [] {
        Written one(kVisits, 2);
        go([&] {
            for (const char* name : {"a", "b", "c", "d"}) go_interpreted(one.program, "main", 3, {.name = name});
        });
        static_cast<void>(one.sched.run());
    });
    std::size_t steals = 0, spawned = 0;
    Log told;
    for (std::size_t n = 0; n < recorded.size(); ++n) {
        const trace::Event e = recorded[n];
        steals += e.kind == trace::Kind::machine && e.first<trace::MachineOp>() == trace::MachineOp::steal ? 1U : 0U;
        spawned += e.kind == trace::Kind::spawn && e.second<trace::Backend>() == trace::Backend::interpreter ? 1U : 0U;
        if (e.kind == trace::Kind::frame && recorded.name(e.co) == "a")
            told.push_back(std::string(trace::word(e.first<trace::FrameOp>())) + ": " +
                           trace::printable(recorded.text(e.text)));
    }
    CHECK(steals > 0);
    CHECK(spawned == 4);
    told.resize(6);
    CHECK(told == Log{"call: main+0 n=3", "call: visit+0 n=3; main+4 n=3", "at: visit+3 n=3; main+4 n=3",
                      "call: closes+0 n=0; visit+6 n=3; main+4 n=3", "return: main+4 n=3",
                      "call: visit+0 n=2; main+4 n=2"});
}

TEST_CASE("4.15 very many programs on two machines, each to its end") {
    EXPECTS("nothing of a coroutine may stay in the machine that it has left");
    record_nothing();
    Written one(kCountDown, 2);
    go([&] {
        for (int i = 0; i < 300; ++i) go_interpreted(one.program, "main", 5, {.name = "p"});
    });
    CHECK(one.sched.run().empty());
    CHECK(one.log.size() == 1500);
}

// ---- given: the text ------------------------------------------------------------------------------------------------

TEST_CASE("4.15 a program that is right runs; one that is wrong is refused, with the line") {
    EXPECTS("enter, yield, call and ret, as the tests before have them");
    Written right(kCountDown);
    CHECK(right.run(1).empty());
    CHECK(right.log == Log{"a 1"});
    const auto refusal = [](std::string_view text) -> std::string {
        try {
            const Program program(text);
            return {};
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
    };
    INFO("given: each of these sentences names the line and what is wrong in it");
    CHECK(refusal("push 1") ==
          "line 1 of the program: an instruction belongs to a function: begin with 'fn NAME ARGUMENT'");
    CHECK(refusal("fn main\n") == "line 1 of the program: 'main' needs an argument");
    CHECK(refusal("fn main n\n\n leap\n") == "line 3 of the program: 'leap' is no instruction");
    CHECK(refusal("fn main n\n push\n ret\n") == "line 2 of the program: an operand is missing");
    CHECK(refusal("fn main n\n load m\n ret\n") == "line 2 of the program: there is no local 'm' in this function");
    CHECK(refusal("fn main n\n jump x\n") == "line 2 of the program: there is no label 'x' in this function");
    CHECK(refusal("fn main n\n call f\n ret\n") == "line 2 of the program: there is no function 'f'");
    CHECK(refusal("fn main n\n native f\n ret\n") == "line 2 of the program: there is no native function 'f'");
    CHECK(refusal("fn main n\n load n\n").find("'main' runs over its end") != std::string::npos);
}

TEST_CASE("4.15 only the M:G scheduler runs programs, and only functions that they have") {
    INFO("given: go_interpreted refuses what cannot be begun");
    {
        Written one(kCountDown);
        CHECK_THROWS_AS(go_interpreted(one.program, "other", 0), std::invalid_argument);
        CHECK(one.run(1).empty());
        CHECK(one.log == Log{"a 1"});
    }
    const Program program(R"(
fn main n
  load n
  ret
)");
    Scheduler sched;
    CHECK_THROWS_AS(go_interpreted(program, "main", 0), std::logic_error);
}
