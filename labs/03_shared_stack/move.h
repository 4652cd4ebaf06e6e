// Steps 3.3 and 3.4: the copying before a switch. Two plans, cloudwu's and libco's, on one mechanism.
#pragma once

#include "labs/03_shared_stack/shared_stack_coroutine.h"

namespace fiberscope::lab03 {

/// The copying needed before the next coroutine may run; none if `stack` is null.
struct Move {
    SharedStack* stack = nullptr;
    SharedStackCoroutine* out = nullptr;  ///< whose live bytes are saved; null: none
    SharedStackCoroutine* in = nullptr;   ///< the owner of the stack afterwards; null: none
};

/// Decides the move for a switch from `previous` to `next`. Both already have their new states: one that ends is dead.
/// If `previous` runs on a shared stack, its `live` is valid.
using Plan = Move (*)(kit::Core& previous, kit::Core& next) noexcept;

/// Step 3.3, as cloudwu: a coroutine that leaves a shared stack is saved at once, and the stack then has no owner; one
/// that enters is restored. One of the two is always the thread's own context. A dead coroutine is not saved.
Move plan_eagerly(kit::Core& previous, kit::Core& next) noexcept;

/// Step 3.4, as libco: nothing is copied until another coroutine needs the stack. No move if `next` owns its stack or
/// has a private one. Otherwise the owner of the stack, if any and not dead, goes out and `next` comes in.
Move plan_lazily(kit::Core& previous, kit::Core& next) noexcept;

/// Step 3.3. Carries out `move`: saves `out`, changes the owner, restores `in`, or makes its first context if it has
/// never run. Never called on the stack that is moved.
void carry_out(const Move& move) noexcept;

}  // namespace fiberscope::lab03
