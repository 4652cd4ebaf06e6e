// Step 4.18: symmetric transfer. A compiler makes a jump of it, as a rule only where it optimises: so this file is
// optimised (CMakeLists.txt), and a probe looks whether that was enough.
#include "labs/04_scheduler/beyond/stackless/tests/stackless.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/left_out.h"

namespace fiberscope::lab04::testing {  // so that CMake builds this file by itself

namespace {

/// How far the stack has grown, in bytes, between the least and the most of the places that were noted.
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

/// Two frames that pass control to each other, by symmetric transfer and nothing else.
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
constexpr std::uintptr_t kLittle = 4096;  // bytes: of a few functions

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
        return kit::testing::leave_out("this build does not make a jump of a symmetric transfer");
    use_virtual_time();
    Depth depth;
    int sum = 0;
    Scheduler sched;
    EXPECTS("await_suspend returns the frame with which control goes on, and resumes none");
    stackless::go(function(depth, sum));
    CHECK(sched.run().empty());
    CHECK(sum == kTimes);
    INFO(
        kit::told(message("await_suspend returns the frame with which control goes on: one that resumes it by itself "
                          "waits, on the native stack, for all that comes after; the stack has grown by {0} bytes",
                          depth.bytes())));
    CHECK(depth.bytes() < kLittle);
}

}  // namespace

TEST_CASE("4.18 calls one inside the other need no more of the native stack than one") { check_in_place(calls_deep); }

TEST_CASE("4.18 calls one after the other need no more of the native stack than one") {
    check_in_place(calls_one_after_the_other);
}

}  // namespace fiberscope::lab04::testing
