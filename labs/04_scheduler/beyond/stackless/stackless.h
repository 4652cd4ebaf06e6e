// Step 4.18: C++20's coroutines as tasks. The compiler turns each function with a co_await into a state machine, with a
// frame on the heap for each call; there is no native stack. As in cppcoro's task, a call begins when it is awaited,
// and control passes from frame to frame by symmetric transfer (Lewis Baker, P0913).
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/run/coroutine.h"

namespace fiberscope::lab04::stackless {

struct Frame;

/// One task's coroutine: the frames of a chain of calls, each of which awaits the next.
class Coroutine : public kit::Core {
  public:
    Coroutine(kit::Body&& body, Attributes&& attributes);
    ~Coroutine();

    // ---- what the student writes ------------------------------------------------------------

    /// Resumes the innermost frame on the machine's stack. Returns when the coroutine has left (then `innermost` is the
    /// frame to continue) or when its first function has ended (then it is null).
    void go_on();
    /// Destroys all frames of a coroutine that will never continue, innermost first.
    void free_frames() noexcept;

    // ---- what is given ----------------------------------------------------------------------

    /// While the coroutine is suspended: the frame that has left, or the first one if it has not begun. Null while it
    /// runs, and when it has ended. This is all that another machine needs.
    Frame* innermost = nullptr;
    Frame* first = nullptr;
    std::exception_ptr failure;  ///< failure of its first function, or null
    kit::Body body;              ///< called when its first function has ended
};

// ---- called by the compiler ----------------------------------------------------------------------------------------
// -----------------------------------------------------------------------------------------

/// Awaited before the first line of a function.
struct Begin {
    /// Student. False: the function begins when its caller awaits it. True would begin immediately.
    bool await_ready() const noexcept;
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

/// The final awaiter: the result, or the exception, is in the promise.
struct End {
    Frame& frame;

    /// Student. False: the frame is kept, so that its caller can take the result. True would destroy it now.
    bool await_ready() const noexcept;
    /// Student. Returns the coroutine to continue with (symmetric transfer): the caller; or, at the end of a task's
    /// first function, std::noop_coroutine(), which returns control to the machine.
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept;
    void await_resume() const noexcept {}
};

/// One call of an async function: its promise. The compiler places it in the frame, before the parameters, the locals
/// and the number of the co_await at which the function is suspended.
struct Frame {
    std::coroutine_handle<> handle;  ///< resume() continues the function; destroy() destroys its locals and the frame
    Frame* caller = nullptr;         ///< the frame that awaits this one; null for a task's first frame
    std::exception_ptr failure;      ///< its failure, or null
    const char* function = "";       ///< its name
    unsigned line = 0;               ///< line of the co_await at which it is suspended; 0: not begun

    Begin initial_suspend() noexcept { return {}; }
    End final_suspend() noexcept { return {*this}; }
    /// Student. Called in a catch block for an exception that escapes the function: stores it for the caller.
    void unhandled_exception() noexcept;
};

/// Awaiter of `co_await visit(3)`: the call of another async function.
struct Call {
    Frame& callee;

    /// Student. Called when `caller` awaits the callee: returns the coroutine to continue with.
    std::coroutine_handle<> enter(Frame& caller) const noexcept;
    /// Student. Called when the callee has ended: rethrows its failure, if any. Its frame is destroyed afterwards.
    void finish() const;
};

/// Awaiter of `co_await yield()`, sleep_for() and park(): the whole chain leaves its machine.
class Leave {
  public:
    Leave(State as, std::uint64_t ns, const char* reason, kit::Lock* lock) noexcept
        : as_(as), ns_(ns), reason_(reason), lock_(lock) {}

    /// Student. `frame` is the innermost frame and contains its whole state. Control returns to the machine next, which
    /// publishes the task to other machines: they must find the frame in `co`.
    static void suspend(Coroutine& co, Frame& frame) noexcept;

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> frame) {
        leave(frame.promise());
    }
    /// How it was woken.
    Wake await_resume() const;

  private:
    friend struct Backend;
    void leave(Frame& frame);

    State as_;
    std::uint64_t ns_;
    const char* reason_;
    kit::Lock* lock_;
};

extern const kit::CoroutineBackend backend;

}  // namespace fiberscope::lab04::stackless
