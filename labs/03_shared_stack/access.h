// Given, for the demo of the hazard: what looks at an address says so.
#pragma once

#include "labs/03_shared_stack/shared_stack.h"

namespace fiberscope::lab03 {

/// Records that the one that runs here reads or writes at `address`, if that lies in `stack`: how far below the top,
/// and whose bytes lie there now. Records nothing when no trace is open, or when the address lies elsewhere.
void record_access(const SharedStack& stack, const void* address) noexcept;

}  // namespace fiberscope::lab03
