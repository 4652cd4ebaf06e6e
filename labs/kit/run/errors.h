// Typed errors of misuse: the coroutine, the requested operation, and why it is not possible.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "languages/spoken_error.h"
#include "traces/schema/schema.h"

namespace fiberscope::kit {

class Core;

enum class MisuseKind : std::uint8_t {
    resume_of_dead,     ///< it has returned from its function
    resume_of_running,  ///< it runs, or waits for one that it resumed, so it is on a caller stack
    yield_outside,      ///< the thread's original context has no resumer to yield to
    nesting_too_deep,   ///< more than kMostNested nested coroutines
    illegal_step,       ///< a transition that trace::legal_step rejects
    bound_to_thread,    ///< it belongs to the thread that created it, and is used on another one
    stack_too_deep,     ///< more of its stack is live than a shared stack or an image can hold
    child_resumes,      ///< a fiber resumed another where only the thread or its scheduler may (sylar's rule)
    not_a_task,         ///< only a scheduler's task may sleep, wait, join or yield
    holds_already,      ///< a lock that is not recursive, and the task has it
    not_the_holder,     ///< only the task that holds a lock may release it
    switch_to_itself,   ///< the coroutine to leave is the one to enter
    native_below,       ///< a coroutine without a native stack would leave the frame of a native function
};

/// A coroutine as a message names it: "coroutine 3 'reader'".
Value quoted(const Core& coroutine);
/// Its name alone: "reader", or "coroutine 3" if it has none.
Value name_value(const Core& coroutine);

/// Thrown before anything has changed, so the caller may continue. `what()` names the coroutine, its state and the
/// rule.
class Misuse : public Spoken<std::logic_error> {
  public:
    /// `detail`, a message, is appended: sizes, for example.
    Misuse(MisuseKind kind, const Core& coroutine, const std::string& detail = {});
    /// An illegal transition of `coroutine` to state `wanted`.
    Misuse(const Core& coroutine, trace::State wanted);

    MisuseKind kind() const noexcept { return kind_; }
    std::uint32_t id() const noexcept { return id_; }
    const std::string& name() const noexcept { return name_; }
    trace::State state() const noexcept { return state_; }

  private:
    MisuseKind kind_;
    std::uint32_t id_;
    std::string name_;
    trace::State state_;
};

/// Throws Misuse. Out of line, so that callers need no stack frame for the error path.
[[noreturn, gnu::cold, gnu::noinline]] void refuse(MisuseKind kind, const Core& coroutine);
[[noreturn, gnu::cold, gnu::noinline]] void refuse(MisuseKind kind, const Core& coroutine, const std::string& detail);
/// Throws Misuse of kind yield_outside, about this thread's original context.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_yield();

}  // namespace fiberscope::kit
