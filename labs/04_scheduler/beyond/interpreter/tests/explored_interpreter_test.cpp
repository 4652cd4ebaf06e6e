#include "labs/04_scheduler/beyond/interpreter/interpreter.h"
#include "labs/04_scheduler/tests/explored.h"
#include "labs/04_scheduler/tests/go.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.15 explored: a program that yields is resumed by another machine, where it left off") {
    check_all_orders([] {
        std::vector<int> done(3);
        const Program program(R"(
fn main n
again: load n
  native do
  yield
  push 1
  sub
  store n
  load n
  jump_if again
  load n
  native do
  ret
)",
                              {{"do", [&](Interpreter&, Number piece) {
                                    ++done.at(static_cast<std::size_t>(piece));
                                    return piece;
                                }}});
        Scheduler sched(Settings{.strategy = "go", .machines = 2});
        go([&] {
            go_interpreted(program, "main", 2);
            for (int native = 0; native < 2; ++native) go([] { yield(); }, "native");
        });
        run_all(sched, done);
    });
}
