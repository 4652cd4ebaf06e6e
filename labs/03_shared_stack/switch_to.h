// The switch of this lab. The decision on whose stack the copying runs is step 3.3; the rest is given. `switch_to`
// switches from one coroutine to another, checked and recorded, with the copying that a plan requires in between.
//     control is elsewhere                control is on the stack that changes its owner
//     (thread's stack, another stack)
//
//       previous ── copies ──▶ next           previous ──▶ copier, on its own small stack ── copies ──▶ next
//
// A function must not copy the stack that it runs on. Restoring would overwrite the frames of that function. Saving
// would lose whatever the compiler writes into those frames between the copy and the switch. libco does both in place
// and relies on the code that its compiler generates.
#pragma once

#include "labs/01_switch_asm/jump.h"
#include "labs/03_shared_stack/move.h"
#include "labs/kit/run/transfer.h"

namespace fiberscope::lab03 {

/// Carries out moves on its own small stack. One for each thread and backend.
class Copier {
  public:
    explicit Copier(const ContextBackend& backend);
    ~Copier();
    /// Returns this thread's copier; ready() must have been called.
    static Copier& of(const ContextBackend& backend) noexcept;
    /// Creates this thread's copier if there is none. Called before the first coroutine on a shared stack. Throws
    /// std::system_error if no stack can be allocated.
    static void ready(const ContextBackend& backend);

    /// Returns registers which, when entered, carry out `move` and continue with those of `onward`.
    void* registers_for(const Move& move, void* onward) noexcept;

  private:
    /// Step 3.3. Runs on the copier's stack until the thread ends: carries out `move_` and continues with the registers
    /// `onward_`. Both are new each time the copier is entered.
    [[noreturn]] static void serve(void* self);
    void* own_registers() noexcept { return registers_.get(backend_.kind); }

    const ContextBackend& backend_;
    kit::Stack stack_;
    Registers registers_;
    bool has_context_ = false;
    Move move_;
    void* onward_ = nullptr;
};

/// Step 3.3. Carries out `move`, or arranges for the copier to do it; returns the registers to swap to. `left` is the
/// shared stack that control is about to leave; null if control is not on a shared stack. If the copying can be done
/// here, does it and returns `next`. Otherwise copies nothing yet and returns the registers of this thread's copier for
/// `backend`, which copies when entered and continues with `next`.
void* leave_copy_go_on(const Move& move, const SharedStack* left, const ContextBackend& backend, void* next) noexcept;

/// Records the copies of `move` and the new owner of the stack.
void announce(const Move& move) noexcept;
/// Clears the sanitizer's state of the stack, whose frames are about to be replaced.
inline void forget_frames(const SharedStack& stack) noexcept {
    kit::forget_frames(stack.bounds().bottom, stack.bounds().size);
}

/// The jump of kit::transfer.
class MovingSwitch {
  public:
    MovingSwitch(kit::Core& from, kit::Core& to, Plan plan) noexcept
        : from_(from), to_(to), plan_(plan), backend_(backend_between(from, to)) {}

    // The swap comes last, and no address of a local escapes before it, so it can be a tail call (see lab 01).
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
    // The next coroutine is already the current one. It is read from there, so that this frame, which is part of every
    // image, need not keep it.
    [[gnu::noinline]] static Way way_to_current(kit::Core& from, Plan plan);
    // Counts the live bytes in the frame that calls the swap: nothing below it needs to be preserved.
    [[gnu::always_inline]] void count_live() const {
        const SharedStack* stack = shared_stack_of(from_);
        if (stack == nullptr) return;
        auto& previous = static_cast<SharedStackCoroutine&>(from_);
        previous.live = static_cast<std::uint32_t>(live_bytes(previous, stack->bounds()));
    }
    // Calls the plan and moves what can be moved from here. Returns the registers to swap to: those of `to` or of the
    // copier. Records the move first if `recorded`.
    static void* move_and_choose(kit::Core& from, kit::Core& to, Plan plan, bool recorded);
    [[gnu::always_inline]] void swap_recorded(void* next, const kit::SwitchRecorder& recorder) const {
        void* const current = registers_in(from_);
        const Observed observed{recorder, registers_in(to_)};
        if (backend_.kind == ContextBackend::Kind::asm_)
            return lab01::fiberscope_recorded_switch(static_cast<lab01::Context*>(next),
                                                     static_cast<lab01::Context*>(current), &lab01::_switch,
                                                     &record_asm, &observed);
        // swapcontext takes the context to save first, so the arguments are exchanged. (The types do not matter to the
        // assembly, which jumps there with both in their registers.)
        const auto swap = reinterpret_cast<lab01::SwitchFunction>(reinterpret_cast<void (*)()>(&swapcontext));
        lab01::fiberscope_recorded_switch(
            reinterpret_cast<lab01::Context*>(&static_cast<lab02::Context*>(current)->raw()),
            reinterpret_cast<lab01::Context*>(&static_cast<lab02::Context*>(next)->raw()), swap, &record_ucontext,
            &observed);
    }

    static const ContextBackend& backend_between(kit::Core& from, kit::Core& to) noexcept {
        return static_cast<SharedStackCoroutine&>(to.kind() == trace::CoKind::thread ? from : to).backend();
    }

    /// The loaded registers are recorded as those of the next coroutine, even if the copier runs in between.
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

/// switch_to for a yield by plan_lazily. Not inlined, and reached by a tail call because all parameters fit into
/// registers: so the frame of the yielding function is gone and not part of every parked coroutine's image.
[[gnu::noinline]] void yield_lazily(kit::Core& from, kit::Core& to, kit::State left, std::int64_t until,
                                    const char* reason);

/// Switches from `from`, the running context, to `to`, with the copying of `plan`. See kit::transfer.
[[gnu::always_inline]] inline void switch_to(kit::Core& from, kit::Core& to, const kit::Step& step, Plan plan) {
    if (step.why == trace::Why::yield && plan == &plan_lazily)
        return yield_lazily(from, to, step.left, step.until, step.reason);
    kit::transfer(from, to, step, [plan](kit::Core& f, kit::Core& t) { return MovingSwitch(f, t, plan); });
}

/// Throws Misuse if the running context cannot resume `next`: in the cases of lab02::require_resumable; on another
/// thread than that of its stack (bound_to_thread); or if control is not on the shared stack of the running coroutine
/// (stack_too_deep). Throws std::logic_error if both are coroutines of different backends.
void require_can_resume(const SharedStackCoroutine& next, const kit::CallerStack& callers);
/// Throws Misuse stack_too_deep if `previous` has a shared stack and control is not on it.
inline void require_can_yield(const kit::Core& previous) {
    if (const SharedStack* stack = shared_stack_of(previous); stack != nullptr) live_bytes(previous, stack->bounds());
}

}  // namespace fiberscope::lab03
