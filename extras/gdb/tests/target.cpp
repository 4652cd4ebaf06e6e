// The program debugged by check.py: creates a coroutine in each state and on each backend, and then calls stop_here.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/02_ucontext/coroutine.h"
#include "labs/03_shared_stack/coroutine.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/tasks.h"

namespace {
bool dies = false;  // `target abort`, `target many N`: dumps core at the breakpoint
fiberscope::lab04::SleepBy sleeps_by = fiberscope::lab04::SleepBy::tree;  // `target wheel`, `target heap`
}  // namespace

extern "C" [[gnu::noinline]] void stop_here() {
    if (dies) std::abort();
}

namespace {

using namespace fiberscope;

[[gnu::noinline]] void yield_from_a_function(int argument) {
    volatile int local_of_function = argument + 1;
    lab01::yield();
    std::printf("%d\n", local_of_function);
}

[[gnu::noinline]] void yield_by_ucontext(int argument) {
    volatile int local_of_function = argument + 2;
    lab02::yield();
    std::printf("%d\n", local_of_function);
}

[[gnu::noinline]] void yield_on_shared_stack(int argument) {
    volatile int local_of_function = argument + 3;
    lab03::yield();
    std::printf("%d\n", local_of_function);
}

[[gnu::noinline]] void sleep_in_a_function() {
    volatile int local_of_sleeper = 77;
    lab04::sleep_for(1'000'000'000'000);
    std::printf("%d\n", local_of_sleeper);
}

[[gnu::noinline]] void yield_deep_down(int depth) {
    if (depth == 0) return yield_from_a_function(40);
    yield_deep_down(depth - 1);
}

/// Coroutines that have yielded, each with some 200 frames.
std::vector<std::unique_ptr<lab01::Coroutine>> crowd_of(std::size_t count) {
    std::vector<std::unique_ptr<lab01::Coroutine>> crowd;
    for (std::size_t i = 0; i < count; ++i) {
        const lab01::Attributes attributes{.name = {}, .stack_size = std::size_t{16} << 10};
        crowd.push_back(std::make_unique<lab01::Coroutine>([] { yield_deep_down(200); }, attributes));
        crowd.back()->resume();
    }
    return crowd;
}

void run_scheduler() {
    lab04::Scheduler scheduler(lab04::Settings{.sleep_by = sleeps_by});
    const lab04::Handle early = lab04::go([] { lab04::sleep_for(500'000'000'000); }, "early");
    const lab04::Handle sleeper = lab04::go(sleep_in_a_function, "sleeper");
    const lab04::Handle parked = lab04::go([] { lab04::park("a full basket"); }, "parked");
    const lab04::Handle last = lab04::go(
        [&] {
            lab04::yield();
            const lab04::Handle ready = lab04::go([] {}, "ready one");
            stop_here();
            for (const lab04::Handle* handle : {&early, &sleeper, &parked}) lab04::cancel(*handle);
        },
        "the last\x1b[31m");
    (void)scheduler.run();
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view how = argc > 1 ? argv[1] : "";
    dies = how == "abort" || how == "many";
    if (how == "wheel") sleeps_by = lab04::SleepBy::wheel;
    if (how == "heap") sleeps_by = lab04::SleepBy::heap;
    lab01::Coroutine by_asm([] { yield_from_a_function(40); }, {.name = "by asm"});
    lab02::Coroutine by_ucontext([] { yield_by_ucontext(40); }, {.name = "by ucontext"});
    lab01::Coroutine not_started([] {}, {.name = "not started"});
    lab01::Coroutine ended([] {}, {.name = "ended"});
    lab03::SharedStacks stacks(1);
    lab03::Coroutine in_image([] { yield_on_shared_stack(40); }, stacks, "in an image");
    lab03::Coroutine on_stack([] { yield_on_shared_stack(50); }, stacks, "on the stack");
    by_asm.resume();
    by_ucontext.resume();
    ended.resume();
    in_image.resume();
    on_stack.resume();
    const auto crowd = crowd_of(how == "many" ? std::strtoul(argv[2], nullptr, 10) : 0);
    run_scheduler();
    return 0;
}
