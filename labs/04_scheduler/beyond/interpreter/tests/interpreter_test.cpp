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

TEST_CASE("4.15 a function starts with its argument, and its other locals are 0") {
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

TEST_CASE("4.15 after a call the caller continues with the result and its own locals") {
    EXPECTS(
        "call keeps return_to in the new frame; leave_frame continues there, with the operands as they were and "
        "the result on top");
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

TEST_CASE("4.15 a program that yields continues after the yield") {
    EXPECTS("yield saves pc + 1: with pc it would yield again and again");
    Written one(kCountDown);
    CHECK(one.run(3).empty());
    CHECK(one.log == Log{"a 3", "a 2", "a 1"});
}

TEST_CASE("4.15 two programs take turns on one machine, each at its own position") {
    EXPECTS("enter takes pc from the coroutine that is resumed, and yield leaves it there");
    Written one(kCountDown);
    go([&] {
        go_interpreted(one.program, "main", 3, {.name = "a"});
        go_interpreted(one.program, "main", 2, {.name = "b"});
    });
    CHECK(one.sched.run().empty());
    CHECK(one.log == Log{"a 3", "b 2", "a 2", "b 1", "a 1"});
}

TEST_CASE("4.15 a program continues where its coroutine says, even if it ran elsewhere in between") {
    EXPECTS(
        "enter takes pc from the coroutine each time: another machine may have continued it since it left this one");
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
        left->resume_pc += 3;  // as if another machine had executed it
        wake(a);
    });
    CHECK(programs.sched.run().empty());
    CHECK(programs.log == Log{"a 2"});
}

// ---- given: the parser ----------------------------------------------------------------------------------------------

TEST_CASE("4.15 a correct program runs; an incorrect one is refused, with the line") {
    EXPECTS("enter, yield, call and ret, as tested by the previous tests");
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
    INFO("given: each message names the line and the error");
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
