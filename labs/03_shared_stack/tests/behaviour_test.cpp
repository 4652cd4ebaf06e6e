// Step 3.4: coroutines behave the same on shared stacks. The tests, shared by all labs: labs/kit/testing/behaviour_*.h.
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
// In the order of the steps. Separate blocks keep clang-format from sorting the includes.
#include "labs/kit/testing/behaviour_resume.h"

#include "labs/kit/testing/behaviour_limit.h"

#include "labs/kit/testing/behaviour_left.h"

#include "labs/kit/testing/behaviour_locals.h"

#include "labs/kit/testing/behaviour_end.h"

#include "labs/kit/testing/behaviour_thrown.h"

#include "labs/kit/testing/behaviour_under_way.h"
