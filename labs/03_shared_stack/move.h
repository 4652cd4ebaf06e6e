// Steps 3.3 and 3.4: what must be copied where before a switch. Two plans, cloudwu's and libco's, on one mechanism.
#pragma once

#include "labs/03_shared_stack/shared_stack_coroutine.h"

namespace fiberscope::lab03 {

/// What must be copied before the next one may run; nothing if `stack` is null.
struct Move {
    SharedStack* stack = nullptr;
    SharedStackCoroutine* out = nullptr;  ///< whose live bytes are saved; null: none
    SharedStackCoroutine* in = nullptr;   ///< the owner of the stack afterwards; null: none
};

/// Decides at a switch from `previous` to `next`. Both have their new states already: one that ends is dead. If
/// `previous` runs on a shared stack, its `live` is known.
using Plan = Move (*)(kit::Core& previous, kit::Core& next) noexcept;

/// Step 3.3, as cloudwu: what leaves a shared stack is saved at once, and nothing owns it then; what enters is put
/// back. One of the two is always the thread's own context. A dead one is not saved.
Move plan_eagerly(kit::Core& previous, kit::Core& next) noexcept;

/// Step 3.4, as libco: nothing is copied until another one needs the stack. If `next` owns its stack, or has one of
/// its own, there is nothing to do. Else its owner goes out, if it has one that is not dead, and `next` comes in.
Move plan_lazily(kit::Core& previous, kit::Core& next) noexcept;

/// Step 3.3. Does what `move` says: saves `out`, changes the owner, puts `in` back. One that has never run has nothing
/// to put back: it gets its first context now. Never called on the stack that is moved.
void carry_out(const Move& move) noexcept;

}  // namespace fiberscope::lab03
