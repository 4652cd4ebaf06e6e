// Step 2.2: lab 02 as a backend for schedulers; the tests are in labs/kit/testing/behaviour_hand_over.h.
#define FIBERSCOPE_STEP_HAND_OVER "2.2"
#define FIBERSCOPE_BACKEND fiberscope::kit::ucontext_backend
#include "labs/kit/testing/behaviour_hand_over.h"
