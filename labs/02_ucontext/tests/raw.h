// Shared by the tests of steps 2.1 and 2.3: raw contexts on one thread.
#pragma once

#include "labs/02_ucontext/jump.h"

namespace fiberscope::lab02 {

inline void swap_to(kit::Core& next, trace::Why why = trace::Why::swap) {
    switch_to(*kit::this_thread().current, next, {why, kit::State::suspended});
}
inline kit::Core& main_context() { return *kit::this_thread().own; }

}  // namespace fiberscope::lab02
