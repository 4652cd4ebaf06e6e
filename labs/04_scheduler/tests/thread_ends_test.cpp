// Step 4.4: tasks that live longer than the run of their scheduler.
#include <string>
#include <thread>

#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/testing/child.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

constexpr int kTasks = 300;  // more than a thread keeps stacks and rooms for

struct Counts {
    int& unwound;
    ~Counts() { ++unwound; }
};

/// A variable of the thread, older than all that the kit keeps for it.
Handle& kept_by_thread() {
    thread_local Handle kept;
    return kept;
}

std::string ended_with_tasks() {
    int unwound = 0;
    std::thread([&] {
        kept_by_thread();
        for (int i = 0; i < kTasks; ++i)
            kept_by_thread() = go([&unwound] {
                const Counts local{unwound};
                park("for good");
            });
        try {
            static_cast<void>(Scheduler::of_this_thread().run());
        } catch (const Stuck&) {
        }
    }).join();
    return std::to_string(unwound);
}

}  // namespace

TEST_CASE("4.4 a thread may end while tasks of its own scheduler are parked: they are unwound") {
    INFO("the scheduler that `go` installs lives until the thread ends");
    const kit::ChildAnswer answer = kit::answer_of_child(ended_with_tasks, std::chrono::seconds(5));
    CHECK(answer.is(std::to_string(kTasks)));
}
