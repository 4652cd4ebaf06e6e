// Step 4.18: symmetric transfer. Compilers usually turn it into a jump only when they optimise: so this file is
// optimised (CMakeLists.txt), and a probe checks whether that was enough.
#include "labs/04_scheduler/beyond/stackless/tests/stackless.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/left_out.h"

namespace fiberscope::lab04::testing {  // so that CMake compiles this file separately

namespace {

/// Returns the growth of the stack in bytes, between the lowest and the highest of the recorded addresses.
class Depth {
  public:
    [[gnu::noinline]] void note() {
        const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        least_ = std::min(least_, here);
        most_ = std::max(most_, here);
    }
    std::uintptr_t bytes() const { return most_ - least_; }

  private:
    std::uintptr_t least_ = UINTPTR_MAX, most_ = 0;
};

/// Two frames that pass control to each other, only by symmetric transfer.
struct PingPong {
    struct promise_type {
        PingPong get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept {}
    };
    struct Pass {
        std::coroutine_handle<>& other;
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return other; }
        void await_resume() const noexcept {}
    };
    std::coroutine_handle<promise_type> handle;
};

PingPong passes(Depth& depth, std::coroutine_handle<>& other, int times) {
    for (int i = 0; i < times; ++i) {
        depth.note();
        co_await PingPong::Pass{other};
    }
}

constexpr int kTimes = 1000;
constexpr std::uintptr_t kLittle = 4096;  // bytes: a few functions

bool transfers_in_place() {
    Depth depth;
    std::coroutine_handle<> a, b;
    const PingPong one = passes(depth, b, kTimes), two = passes(depth, a, kTimes);
    a = one.handle;
    b = two.handle;
    a.resume();
    a.destroy();
    b.destroy();
    return depth.bytes() < kLittle;
}

Async<int> notes(Depth& depth) {
    depth.note();
    co_return 1;
}

Async<int> notes_at(Depth& depth, int below) {
    depth.note();
    const int deeper = below == 0 ? 0 : co_await notes_at(depth, below - 1);
    depth.note();
    co_return 1 + deeper;
}

Async<void> calls_one_after_the_other(Depth& depth, int& sum) {
    for (int i = 0; i < kTimes; ++i) sum += co_await notes(depth);
}

Async<void> calls_deep(Depth& depth, int& sum) { sum = co_await notes_at(depth, kTimes - 1); }

template <class Function>
void check_in_place(Function function) {
    if (!transfers_in_place())
        return kit::testing::leave_out("this build does not turn symmetric transfer into a jump");
    use_virtual_time();
    Depth depth;
    int sum = 0;
    Scheduler sched;
    EXPECTS("await_suspend returns the frame that runs next, and resumes none");
    stackless::go(function(depth, sum));
    CHECK(sched.run().empty());
    CHECK(sum == kTimes);
    INFO(kit::told(message(
        "await_suspend returns the frame that runs next: if it resumes the frame itself, it stays on the native "
        "stack until everything after it ends; the stack has grown by {0} bytes",
        depth.bytes())));
    CHECK(depth.bytes() < kLittle);
}

}  // namespace

TEST_CASE("4.18 nested calls need no more native stack than one") { check_in_place(calls_deep); }

TEST_CASE("4.18 consecutive calls need no more native stack than one") { check_in_place(calls_one_after_the_other); }

}  // namespace fiberscope::lab04::testing
