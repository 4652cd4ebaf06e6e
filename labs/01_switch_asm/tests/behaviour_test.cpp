// Steps 1.3 to 1.5: behaviour shared by the coroutines of all labs; the tests are in labs/kit/testing/behaviour_*.h.
#include "labs/01_switch_asm/coroutine.h"

namespace under_test = fiberscope::lab01;
#define FIBERSCOPE_STEP_RESUME "1.3"
#define FIBERSCOPE_STEP_END "1.4"
#define FIBERSCOPE_STEP_EXCEPTIONS "1.5"
// In the order of the steps. Separate blocks keep clang-format from sorting the includes.
#include "labs/kit/testing/behaviour_resume.h"

#include "labs/kit/testing/behaviour_limit.h"

#include "labs/kit/testing/behaviour_left.h"

#include "labs/kit/testing/behaviour_locals.h"

#include "labs/kit/testing/behaviour_end.h"

#include "labs/kit/testing/behaviour_thrown.h"

#include "labs/kit/testing/behaviour_under_way.h"

#include "labs/kit/testing/behaviour_private.h"
