// Step 4.18: C++20's coroutines as tasks. The compiler makes a state machine of each function that says co_await, and a
// frame in the heap for each of its calls; there is no native stack. As in cppcoro's task: a call begins when it is
// awaited, and control goes from frame to frame by symmetric transfer (Lewis Baker, P0913).
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

    /// A machine goes on with the innermost frame, on its own stack, and is back when the coroutine has left (then
    /// `innermost` says where it goes on) or when its first function has ended (then it is null).
    void go_on();
    /// It will never go on: destroys the frames that it has, the innermost first, and has none then.
    void free_frames() noexcept;

    // ---- what is given ----------------------------------------------------------------------

    /// While it does not run: the frame that has left, or the first one, which has not begun. Null while it runs, and
    /// when it has ended. All that another machine needs.
    Frame* innermost = nullptr;
    Frame* first = nullptr;
    std::exception_ptr failure;  ///< by what its first function failed; null if it did not
    kit::Body body;              ///< what is left to do when its first function has ended
};

// ---- what the compiler calls ----------------------------------------------------------------------------------------

/// What it awaits before the first line of a function.
struct Begin {
    /// Student. False: the frame stays as it is until its caller awaits it. True would begin at once.
    bool await_ready() const noexcept;
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

/// What it awaits behind the last line: the result, or the failure, is in the promise.
struct End {
    Frame& frame;

    /// Student. False: the frame stays, so that its caller can take the result. True would destroy it now.
    bool await_ready() const noexcept;
    /// Student. Returns where control goes on, and the compiler jumps there (symmetric transfer): in the caller; or, at
    /// the end of a task's first function, std::noop_coroutine(), by which control comes back to the machine.
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept;
    void await_resume() const noexcept {}
};

/// One call of an async function: its promise. The compiler puts it into the frame, before the parameters, the locals
/// and the number of the co_await at which the function has stopped.
struct Frame {
    std::coroutine_handle<> handle;  ///< resume() goes on with the function; destroy() ends its locals, and the frame
    Frame* caller = nullptr;         ///< the frame that awaits this one; null: it is a task's first
    std::exception_ptr failure;      ///< by what it failed; null if it did not
    const char* function = "";       ///< its name
    unsigned line = 0;               ///< of the co_await at which it has stopped; 0: it has not begun

    Begin initial_suspend() noexcept { return {}; }
    End final_suspend() noexcept { return {*this}; }
    /// Student. Called in a catch of all that the function has let escape: keeps it for the caller.
    void unhandled_exception() noexcept;
};

/// What `co_await visit(3)` awaits: the call of another async function.
struct Call {
    Frame& callee;

    /// Student. `caller` awaits the callee, which then begins: returns where control goes on.
    std::coroutine_handle<> enter(Frame& caller) const noexcept;
    /// Student. The callee has ended: throws what it failed by, if it failed. Its frame is destroyed afterwards.
    void finish() const;
};

/// What `co_await yield()`, sleep_for() and park() await: the whole chain leaves its machine.
class Leave {
  public:
    Leave(State as, std::uint64_t ns, const char* reason, kit::Lock* lock) noexcept
        : as_(as), ns_(ns), reason_(reason), lock_(lock) {}

    /// Student. `frame` is the innermost one, and all that it needs is in it. Control goes back to the machine next,
    /// which puts the task where another machine may find it: that one must find the frame in `co`.
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
