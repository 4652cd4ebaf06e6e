// Step 2.2: what every lab's coroutines do; the tests are in labs/kit/testing/behaviour_*.h.
#include "labs/02_ucontext/coroutine.h"

namespace under_test = fiberscope::lab02;
#define FIBERSCOPE_STEP_RESUME "2.2"
#define FIBERSCOPE_STEP_END "2.2"
#define FIBERSCOPE_STEP_EXCEPTIONS "2.2"
// clang-format off: in the order in which a student solves them
#include "labs/kit/testing/behaviour_end.h"
#include "labs/kit/testing/behaviour_private.h"
#include "labs/kit/testing/behaviour_resume.h"
// clang-format on
