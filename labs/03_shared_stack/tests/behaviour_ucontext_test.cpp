// Step 3.4: on shared stacks coroutines behave as on their own. One body for all labs: labs/kit/testing/behaviour_*.h.
#include "labs/03_shared_stack/tests/behaviour.h"

namespace fiberscope::lab03::on_ucontext {
using Coroutine = OnOneStack<ContextBackend::Kind::ucontext>;
using lab03::running;
using lab03::yield;
}  // namespace fiberscope::lab03::on_ucontext

namespace under_test = fiberscope::lab03::on_ucontext;
#define FIBERSCOPE_STEP_RESUME "3.4 by ucontext:"
#define FIBERSCOPE_STEP_END "3.4 by ucontext:"
#define FIBERSCOPE_STEP_EXCEPTIONS "3.5 by ucontext:"
// In the order in which a student solves them: each in a block of its own, so that nothing sorts them.
#include "labs/kit/testing/behaviour_resume.h"

#include "labs/kit/testing/behaviour_limit.h"

#include "labs/kit/testing/behaviour_left.h"

// What swapcontext saves on aarch64, and a sanitizer's one, is not what a recording can tell beforehand.
#if defined(__x86_64__) && !defined(FIBERSCOPE_ASAN) && !defined(FIBERSCOPE_TSAN)
#include "labs/kit/testing/behaviour_registers.h"
#endif

#include "labs/kit/testing/behaviour_locals.h"

#include "labs/kit/testing/behaviour_end.h"

#include "labs/kit/testing/behaviour_thrown.h"

#include "labs/kit/testing/behaviour_under_way.h"
