// Given, for the demo of the hazard: recording of accesses to an address.
#pragma once

#include "labs/03_shared_stack/shared_stack.h"

namespace fiberscope::lab03 {

/// Records an access of the running coroutine at `address`: the offset below the top of `stack`, and whose bytes are
/// there now. A no-op if no trace is open or the address is not in `stack`.
void record_access(const SharedStack& stack, const void* address) noexcept;

}  // namespace fiberscope::lab03
