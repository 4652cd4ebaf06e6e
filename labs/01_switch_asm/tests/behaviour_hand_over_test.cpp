// Step 1.5: lab 01 as a backend for schedulers; the tests are in labs/kit/testing/behaviour_hand_over.h.
#define FIBERSCOPE_STEP_HAND_OVER "1.5"
#define FIBERSCOPE_BACKEND fiberscope::kit::asm_backend
#include "labs/kit/testing/behaviour_hand_over.h"
