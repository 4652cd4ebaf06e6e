// Step 3.5: lab 03 as a backend for schedulers; the tests are in labs/kit/testing/behaviour_hand_over.h.
#define FIBERSCOPE_STEP_HAND_OVER "3.5"
#define FIBERSCOPE_BACKEND fiberscope::kit::shared_backend
#include "labs/kit/testing/behaviour_hand_over.h"
