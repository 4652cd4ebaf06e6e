// The demo of step 5.8.
#pragma once

#include "labs/kit/demo/demo.h"

namespace fiberscope::lab05 {

/// Three echo connections by completions, on a ring without a kernel: one is late, one is cancelled while the kernel
/// has its buffer, and in the end one cancel comes too late.
void completions(const kit::DemoOptions& options);

}  // namespace fiberscope::lab05
