// Step 2.2: the function of a coroutine and the checks of resume, for this lab and higher ones.
#pragma once

#include <exception>
#include <utility>

#include "labs/kit/run/coroutine.h"

namespace fiberscope::lab02 {

/// Step 2.2. Throws Misuse if `coroutine` is dead, is already on a stack of callers, or if kit::kMostNested coroutines
/// are nested: the checks of step 1.3, in this order. Lab 03 calls this too.
void require_resumable(const kit::Core& coroutine, const kit::CallerStack& callers);

/// The function of a coroutine and the exception that escaped it. Part of each coroutine of labs 02 and 03.
class Job {
  public:
    explicit Job(kit::Body body) : body_(std::move(body)) {}

    /// Step 2.2. Calls the function, on the coroutine's own stack; stores an escaping exception in failure_, unless the
    /// coroutine is being unwound, when no resumer would rethrow it.
    void run() noexcept;
    /// Rethrows the exception that escaped the function, if any, once. Called on the resumer's stack after the end.
    void rethrow_failure() {
        if (failure_) [[unlikely]]
            rethrow();
    }
    /// Makes every yield throw Unwind from now on when control comes back to it.
    void begin_unwinding() noexcept { unwinding_ = true; }
    /// Called by yield after its switch. Throws Unwind if the coroutine is being unwound.
    void stop_if_unwinding() const {
        if (unwinding_) [[unlikely]]
            throw kit::Unwind{};
    }

  private:
    /// Step 2.2. Clears failure_ and throws its exception.
    [[noreturn]] void rethrow();

    kit::Body body_;
    std::exception_ptr failure_;
    bool unwinding_ = false;
};

}  // namespace fiberscope::lab02
