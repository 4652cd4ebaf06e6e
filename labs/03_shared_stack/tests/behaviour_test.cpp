// Step 3.4: on shared stacks coroutines behave as on their own. One body for all labs: labs/kit/testing/behaviour_*.h.
#include "labs/03_shared_stack/tests/behaviour.h"

namespace fiberscope::lab03::on_asm {
using Coroutine = OnOneStack<ContextBackend::Kind::asm_>;
using lab03::running;
using lab03::yield;
}  // namespace fiberscope::lab03::on_asm

namespace under_test = fiberscope::lab03::on_asm;
#define FIBERSCOPE_STEP_RESUME "3.4 by asm:"
#define FIBERSCOPE_STEP_END "3.4 by asm:"
#define FIBERSCOPE_STEP_EXCEPTIONS "3.5 by asm:"
// In the order in which a student solves them: each in a block of its own, so that nothing sorts them.
#include "labs/kit/testing/behaviour_resume.h"

#include "labs/kit/testing/behaviour_limit.h"

#include "labs/kit/testing/behaviour_left.h"

#include "labs/kit/testing/behaviour_locals.h"

#include "labs/kit/testing/behaviour_end.h"

#include "labs/kit/testing/behaviour_thrown.h"

#include "labs/kit/testing/behaviour_under_way.h"
