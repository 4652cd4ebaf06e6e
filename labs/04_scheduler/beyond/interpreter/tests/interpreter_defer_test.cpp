// Step 4.15: deferred calls of frames, and native functions that call programs.
#include "labs/04_scheduler/beyond/interpreter/tests/interpreter.h"

#include <stdexcept>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

// ---- deferred calls -------------------------------------------------------------------------------------------------

TEST_CASE("4.15 deferred calls of a frame are made when it returns, the last one first") {
    EXPECTS("a defer belongs to the top frame, and leave_frame makes its deferred calls before it removes it");
    Written one(R"(
fn main n
  push 0
  call visit
  native log
  ret
fn visit n
  push 1
  defer closes
  push 2
  defer closes
  push 3
  native log
  ret
fn closes n
  load n
  native log
  ret
)");
    CHECK(one.run().empty());
    INFO("the call's result is the function's, not that of a deferred call");
    CHECK(one.log == Log{"a 3", "a 2", "a 1", "a 3"});
}

TEST_CASE("4.15 deferred calls of a frame that fails are made, and those of the frames below it") {
    EXPECTS("a frame that fails leaves like one that returns, and makes the frame below fail");
    Written one(R"(
fn main n
  push 1
  defer closes
  push 0
  call visit
  native log
  ret
fn visit n
  push 2
  defer closes
  push 3
  defer closes
  fail no such page
fn closes n
  load n
  yield
  native log
  ret
)");
    const std::vector<Failure> failures = one.run();
    CHECK(one.log == Log{"a 3", "a 2", "a 1"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what == "no such page");
}

TEST_CASE("4.15 a failure of a deferred call replaces the earlier failure, and the others are called") {
    EXPECTS("the frame below a deferred call that fails has the new failure, and continues with its other calls");
    Written one(R"(
fn main n
  push 1
  defer closes
  push 0
  defer breaks
  fail the first failure
fn breaks n
  fail the second failure
fn closes n
  load n
  native log
  ret
)");
    const std::vector<Failure> failures = one.run();
    CHECK(one.log == Log{"a 1"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what == "the second failure");
}

TEST_CASE("4.15 defer by frame and defer by task: the task's calls are made when all frames are gone") {
    EXPECTS("when no frame is left the loop ends, and then the deferred calls of native functions (step 4.8) are made");
    Programs programs;
    auto natives = programs.natives();
    natives["by_task"] = [&](Interpreter&, Number value) {
        lab04::defer([&programs, value] { programs.log.push_back("task " + std::to_string(value)); });
        return value;
    };
    const Program program(R"(
fn main n
  push 1
  call visit
  push 2
  call visit
  ret
fn visit n
  load n
  defer closes
  load n
  native by_task
  ret
fn closes n
  load n
  native log
  ret
)",
                          std::move(natives));
    CHECK(programs.run(program).empty());
    CHECK(programs.log == Log{"a 1", "a 2", "task 2", "task 1"});
}

// ---- native functions -----------------------------------------------------------------------------------------------

namespace {

/// `twice` calls `back` two times, as a sort calls its comparison.
struct WithTwice : Programs {
    explicit WithTwice(std::string_view text) : program(text, with_twice()) {}
    std::map<std::string, Native, std::less<>> with_twice() {
        auto all = natives();
        all["twice"] = [](Interpreter& interpreter, Number value) {
            const Number first = interpreter.call_back("back", value);
            return first + interpreter.call_back("back", value + 1);
        };
        return all;
    }
    std::vector<Failure> run() { return Programs::run(program); }

    Program program;
};

}  // namespace

TEST_CASE("4.15 a native function calls back, and gets the results") {
    EXPECTS("a loop started by a native function ends when its frames, those above the floor, are gone");
    WithTwice one(R"(
fn main n
  push 4
  native twice
  native log
  ret
fn back n
  push 0
  defer closes
  load n
  load n
  add
  ret
fn closes n
  push -1
  native log
  ret
)");
    CHECK(one.run().empty());
    CHECK(one.log == Log{"a -1", "a -1", "a 18"});
}

TEST_CASE("4.15 a yield across a native function is refused, and the frames' deferred calls are made") {
    EXPECTS("yield checks the floor first: a native frame is on the thread's stack and cannot be saved");
    WithTwice one(R"(
fn main n
  push 1
  defer closes
  push 4
  native twice
  ret
fn back n
  push 2
  defer closes
  yield
  load n
  ret
fn closes n
  load n
  native log
  ret
)");
    const std::vector<Failure> failures = one.run();
    CHECK(one.log == Log{"a 2", "a 1"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what.find("cannot yield across a native function") != std::string::npos);
}

namespace {

/// `try` calls `back`, and returns -1 if that fails.
auto with_try(Programs& programs) {
    auto all = programs.natives();
    all["try"] = [&programs](Interpreter& interpreter, Number value) -> Number {
        try {
            return interpreter.call_back("back", value);
        } catch (const std::runtime_error& error) {
            programs.log.emplace_back(error.what());
            return -1;
        }
    };
    return all;
}

}  // namespace

TEST_CASE("4.15 a native function may catch the failure of a program that it called back") {
    EXPECTS("at the floor the failure goes to the native function (co->failure), and not to the frame below it");
    Programs programs;
    const Program program(R"(
fn main n
  push 4
  native try
  native log
  yield
  native log
  ret
fn back n
  fail it is broken
)",
                          with_try(programs));
    CHECK(programs.run(program).empty());
    CHECK(programs.log == Log{"it is broken", "a -1", "a -1"});
}

TEST_CASE("4.15 a frame that fails leaves no operands, as the code that catches the failure continues with them") {
    EXPECTS("a frame that fails also removes its operands, and leaves no result in their place");
    Programs programs;
    const Program program(R"(
fn main n
  push 100
  push 4
  native try
  add
  native log
  ret
fn back n spare
  push 7
  fail it is broken
)",
                          with_try(programs));
    CHECK(programs.run(program).empty());
    CHECK(programs.log == Log{"it is broken", "a 99"});
}
