#include "labs/04_scheduler/programs/demos.h"

#include <string>

#include "labs/04_scheduler/beyond/interpreter/interpreter.h"
#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::lab04 {

namespace {

constexpr std::string_view kProgram = R"(
fn tour rooms
again: load rooms
  call visit
  store rooms
  load rooms
  jump_if again
  load rooms
  ret

fn visit room
  load room
  say enters room
  load room
  defer leave
  push 4000
  work
  yield
  load room
  push 1
  sub
  ret

fn leave room
  load room
  say leaves room
  load room
  ret

fn sorts n
  load n
  defer leave
  push 2000
  work
  load n
  native sort
  ret

fn compare n
  push 1000
  work
  yield
  load n
  ret
)";

/// The same as the programs, as a native G with step 4.8's defer.
void tour_by_task() {
    for (int room = 3; room > 0; --room) {
        kit::note("enters room {0}", room);
        defer([room] { kit::note("leaves room {0}", room); });
        kit::work(4000);
        yield();
    }
}

void interpreter(const kit::DemoOptions& options) {
    const Program program(
        kProgram, {{"sort", [](Interpreter& interpreter, Number n) { return interpreter.call_back("compare", n); }}});
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    go(
        [&] {
            for (const char* name : {"a", "b", "c"}) go_interpreted(program, "tour", 3, {.name = name});
            go(tour_by_task, "native, by task");
            go_interpreted(program, "sorts", 9, {.name = "sorts"});
        },
        "root");
    static_cast<void>(scheduler.run());
}

constexpr kit::CodeRow kCode[] = {{"program", "", "4.15", "beyond/interpreter/exercise/interpreter.cpp"}};
const kit::KnownCode code("04_scheduler", kCode, {.only = "interpreter"});
const kit::MoreDemos known({
    {"interpreter", "an interpreter's coroutines on two machines: defer by frame, alongside one that defers by task",
     interpreter, kGoNames, kGo, kOfGo},
});

}  // namespace

}  // namespace fiberscope::lab04
