// The switch of this lab. What is copied on whose stack is step 3.3; the rest is given. `switch_to` is the checked,
// recorded way from one coroutine to another, with the copying that a plan asks for between the two.
//
//     control stands elsewhere            control stands on the stack that changes hands
//     (thread's stack, another stack)
//
//       previous ── copies ──▶ next           previous ──▶ copier, on a small stack of its own ── copies ──▶ next
//
// A function must not copy the stack that it stands on. To overwrite it is deadly: the bytes that come in would lie on
// the frames of that function. To save it is merely delicate: what the compiler writes into those frames between the
// copy and the switch would be lost. libco does both on the spot, and lives by knowing what its compiler does.
#pragma once

#include "labs/01_switch_asm/jump.h"
#include "labs/03_shared_stack/move.h"
#include "labs/kit/run/transfer.h"

namespace fiberscope::lab03 {

/// Copies for others, on a small stack of its own. One for each thread and backend.
class Copier {
  public:
    explicit Copier(const ContextBackend& backend);
    ~Copier();
    /// This thread's; it must have been readied.
    static Copier& of(const ContextBackend& backend) noexcept;
    /// Makes this thread's, if it has none yet. Throws std::system_error. Before the first coroutine on a shared stack.
    static void ready(const ContextBackend& backend);

    /// From now on its registers, when entered, carry out `move` and go on with those of `onward`.
    void* registers_for(const Move& move, void* onward) noexcept;

  private:
    /// Step 3.3. What runs on the copier's stack, for as long as the thread lives: carries out `move_` and goes on with
    /// the registers `onward_`. When the copier is entered again, both are new.
    [[noreturn]] static void serve(void* self);
    void* own_registers() noexcept { return registers_.get(backend_.kind); }

    const ContextBackend& backend_;
    kit::Stack stack_;
    Registers registers_;
    bool has_context_ = false;
    Move move_;
    void* onward_ = nullptr;
};

/// Step 3.3. Leave, copy, go on: on whose stack may `move` be carried out? `left` is the shared stack that control
/// stands on and is about to leave; null if it stands on no shared stack. Where the copying can be done from here, does
/// it, and returns `next`: the registers to swap to. Else returns the registers of this thread's copier for `backend`,
/// which does it when they are entered and goes on with `next`; nothing is copied yet.
void* leave_copy_go_on(const Move& move, const SharedStack* left, const ContextBackend& backend, void* next) noexcept;

/// Records what `move` copies, and what owns the stack then.
void announce(const Move& move) noexcept;
/// Clears what a sanitizer knows about frames on the stack: they are about to lie elsewhere, and others there.
inline void forget_frames(const SharedStack& stack) noexcept {
    kit::forget_frames(stack.bounds().bottom, stack.bounds().size);
}

/// The jump of kit::transfer.
class MovingSwitch {
  public:
    MovingSwitch(kit::Core& from, kit::Core& to, Plan plan) noexcept
        : from_(from), to_(to), plan_(plan), backend_(backend_between(from, to)) {}

    // The swap is the last act, and no address of a local is given away before it: so it can be a jump (lab 01 says
    // why).
    [[gnu::always_inline]] void operator()() const {
        count_live();
        const Way way = way_to_current(from_, plan_);
        swap_registers(way.backend, way.registers, registers_in(from_));
    }

    [[gnu::always_inline]] void recorded(const kit::SwitchRecorder& recorder) const {
        count_live();
        swap_recorded(move_and_choose(from_, to_, plan_, true), recorder);
    }

  private:
    struct Way {
        void* registers;
        const ContextBackend& backend;
    };
    // The next one is the current one by now. It is asked for there, so that this frame need not keep it: a frame lies
    // in the image of each coroutine that is left.
    [[gnu::noinline]] static Way way_to_current(kit::Core& from, Plan plan);
    // Here, in the frame that calls the swap, the live bytes are counted: nothing that must survive lies below.
    [[gnu::always_inline]] void count_live() const {
        const SharedStack* stack = shared_stack_of(from_);
        if (stack == nullptr) return;
        auto& previous = static_cast<SharedStackCoroutine&>(from_);
        previous.live = static_cast<std::uint32_t>(live_bytes(previous, stack->bounds()));
    }
    // Asks the plan, and has everything moved that can be moved from here. Returns the registers to swap to: those of
    // `to`, or of the copier. With `recorded` the move is recorded first.
    static void* move_and_choose(kit::Core& from, kit::Core& to, Plan plan, bool recorded);
    [[gnu::always_inline]] void swap_recorded(void* next, const kit::SwitchRecorder& recorder) const {
        void* const current = registers_in(from_);
        const Observed observed{recorder, registers_in(to_)};
        if (backend_.kind == ContextBackend::Kind::asm_)
            return lab01::fiberscope_recorded_switch(static_cast<lab01::Context*>(next),
                                                     static_cast<lab01::Context*>(current), &lab01::_switch,
                                                     &record_asm, &observed);
        // swapcontext takes what it saves first, so the two change places here. (That the types say otherwise does not
        // matter to the assembly, which jumps to it with both in their registers.)
        const auto swap = reinterpret_cast<lab01::SwitchFunction>(reinterpret_cast<void (*)()>(&swapcontext));
        lab01::fiberscope_recorded_switch(
            reinterpret_cast<lab01::Context*>(&static_cast<lab02::Context*>(current)->raw()),
            reinterpret_cast<lab01::Context*>(&static_cast<lab02::Context*>(next)->raw()), swap, &record_ucontext,
            &observed);
    }

    static const ContextBackend& backend_between(kit::Core& from, kit::Core& to) noexcept {
        return static_cast<SharedStackCoroutine&>(to.kind() == trace::CoKind::thread ? from : to).backend();
    }

    /// The registers that are loaded are those of the next coroutine, also when the copier comes between.
    struct Observed {
        const kit::SwitchRecorder& recorder;
        const void* loaded;
    };
    static void record_asm(const void* observed, const lab01::Context* saved, const lab01::Context* next);
    static void record_ucontext(const void* observed, const lab01::Context* saved, const lab01::Context* next);

    kit::Core& from_;
    kit::Core& to_;
    Plan plan_;
    const ContextBackend& backend_;
};

/// switch_to for a yield by plan_lazily. Apart: what the function that yields keeps on its stack is gone by then, and
/// not in the image of each coroutine that is parked. All parameters fit into registers, so the compiler can jump here.
[[gnu::noinline]] void yield_lazily(kit::Core& from, kit::Core& to, kit::State left, std::int64_t until,
                                    const char* reason);

/// Leaves `from`, which runs here, for `to`. See kit::transfer; the copying is that of `plan`.
[[gnu::always_inline]] inline void switch_to(kit::Core& from, kit::Core& to, const kit::Step& step, Plan plan) {
    if (step.why == trace::Why::yield && plan == &plan_lazily)
        return yield_lazily(from, to, step.left, step.until, step.reason);
    kit::transfer(from, to, step, [plan](kit::Core& f, kit::Core& t) { return MovingSwitch(f, t, plan); });
}

/// Throws Misuse if `next` cannot be resumed now by the one that runs here: what lab02::require_resumable refuses; on a
/// thread that is not its stack's (bound_to_thread); or if more of the running one's shared stack is live than there is
/// (stack_too_deep). Throws std::logic_error if both are coroutines, and of different backends.
void require_can_resume(const SharedStackCoroutine& next, const kit::CallerStack& callers);
/// Throws Misuse stack_too_deep if `previous` runs on a shared stack and outside of it.
inline void require_can_yield(const kit::Core& previous) {
    if (const SharedStack* stack = shared_stack_of(previous); stack != nullptr) live_bytes(previous, stack->bounds());
}

}  // namespace fiberscope::lab03
