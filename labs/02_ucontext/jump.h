// Given: what ties a Context to the kit. Everything that is switched has a Context behind its kit::Core, the thread's
// own context included, and `switch_to` is the recorded, checked way from one to another.
#pragma once

#include <string>

#include "labs/02_ucontext/context.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/run/transfer.h"

namespace fiberscope::lab02 {

/// The context of a coroutine, or of the thread itself.
inline Context& context_of(kit::Core& core) noexcept { return kit::registers_of<Context>(core); }

/// The backend's jump, as kit::transfer wants it. With no `current` nothing is saved, and it never returns.
struct ContextJump {
    Context* next;
    Context* current;

    void operator()() const { next->swap_to_me(current); }
    /// Shows the recorder the registers as they are at the call of swap_to_me. By the calling convention they are the
    /// same when it returns, so that is what a context that was left here before is shown to load; a new one loads what
    /// makecontext has prepared.
    void recorded(const kit::SwitchRecorder& recorder) const;
    /// The registers that entering `next` loads, in that sense.
    static RegisterValues loaded_by(const Context& next) noexcept;
};

/// Leaves `from`, which runs here, for `to`. See kit::transfer.
inline void switch_to(kit::Core& from, kit::Core& to, const kit::Step& step) {
    kit::transfer(from, to, step, [](kit::Core& f, kit::Core& t) {
        return ContextJump{&context_of(t), &context_of(f)};
    });
}

/// The same without saving `from`, as setcontext does: this call never returns.
[[noreturn]] void jump_to(kit::Core& from, kit::Core& to, const kit::Step& step);

/// A context with a stack of its own and no coroutine around it.
class RawContext : public kit::Owner<Context> {
  public:
    /// When `entry` returns, control goes on in `after` (step 2.3), and without one the process ends.
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
