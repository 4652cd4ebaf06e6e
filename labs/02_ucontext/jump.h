// Given: the connection between a Context and the kit. Everything that can be switched to has a Context next to its
// kit::Core, including the thread's own context, and `switch_to` switches from one to another, checked and recorded.
#pragma once

#include <string>

#include "labs/02_ucontext/context.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/run/transfer.h"

namespace fiberscope::lab02 {

/// The context of a coroutine, or of the thread itself.
inline Context& context_of(kit::Core& core) noexcept { return kit::registers_of<Context>(core); }

/// The backend's jump, in the form that kit::transfer expects. If `current` is null, saves nothing and never returns.
struct ContextJump {
    Context* next;
    Context* current;

    void operator()() const { next->swap_to_me(current); }
    /// Passes the registers at the call of swap_to_me to the recorder. By the calling convention they are the same when
    /// it returns, so they are also recorded as loaded when the context is entered again; a new context loads the
    /// registers that makecontext prepared.
    void recorded(const kit::SwitchRecorder& recorder) const;
    /// The registers that entering `next` loads, as described for recorded().
    static RegisterValues loaded_by(const Context& next) noexcept;
};

/// Switches from `from`, the running context, to `to`. See kit::transfer.
inline void switch_to(kit::Core& from, kit::Core& to, const kit::Step& step) {
    kit::transfer(from, to, step, [](kit::Core& f, kit::Core& t) {
        return ContextJump{&context_of(t), &context_of(f)};
    });
}

/// As switch_to, but does not save `from` and never returns, like setcontext.
[[noreturn]] void jump_to(kit::Core& from, kit::Core& to, const kit::Step& step);

/// A context with its own stack but no coroutine.
class RawContext : public kit::Owner<Context> {
  public:
    /// When `entry` returns, control continues in `after` (step 2.3); if `after` is null, the process ends.
    RawContext(std::string name, Entry entry, void* argument, kit::Core* after = nullptr,
               std::size_t stack_size = kit::kDefaultStackSize);

  private:
    static void run_entry(void* self);
    void announce_end();

    Entry entry_;
    void* argument_;
    kit::Core* after_;
};

}  // namespace fiberscope::lab02
