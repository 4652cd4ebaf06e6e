// Step 2.2: what a coroutine does with its function, and which one may be resumed, for this lab and those above it.
#pragma once

#include <exception>
#include <utility>

#include "labs/kit/run/coroutine.h"

namespace fiberscope::lab02 {

/// Step 2.2. Throws Misuse if `coroutine` cannot be resumed now: it is dead, it is on a stack of callers already, or
/// kit::kMostNested are nested. The checks of your step 1.3, in their order; lab 03 calls this too.
void require_resumable(const kit::Core& coroutine, const kit::CallerStack& callers);

/// The function of a coroutine, and how it ended. Labs 02 and 03 have one in each coroutine.
class Job {
  public:
    explicit Job(kit::Body body) : body_(std::move(body)) {}

    /// Step 2.2. Calls the function, on the coroutine's own stack; keeps in failure_ what it lets escape. Of one that
    /// is being unwound nothing is kept: no resumer asks for it.
    void run() noexcept;
    /// Throws again what the function let escape, if anything; on the resumer's stack, after the end. Once.
    void rethrow_failure() {
        if (failure_) [[unlikely]]
            rethrow();
    }
    /// From now on every yield throws Unwind when control comes back to it.
    void begin_unwinding() noexcept { unwinding_ = true; }
    /// What comes after the switch in a yield.
    void stop_if_unwinding() const {
        if (unwinding_) [[unlikely]]
            throw kit::Unwind{};
    }

  private:
    /// Step 2.2. Throws what failure_ holds, which is empty from then on.
    [[noreturn]] void rethrow();

    kit::Body body_;
    std::exception_ptr failure_;
    bool unwinding_ = false;
};

}  // namespace fiberscope::lab02
