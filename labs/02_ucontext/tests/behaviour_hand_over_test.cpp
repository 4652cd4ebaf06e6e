// Step 2.2: what lab 02 gives to schedulers; the tests are in labs/kit/testing/behaviour_hand_over.h.
#define FIBERSCOPE_STEP_HAND_OVER "2.2"
#define FIBERSCOPE_BACKEND fiberscope::kit::ucontext_backend
#include "labs/kit/testing/behaviour_hand_over.h"

TEST_CASE("2.2 a coroutine that a scheduler unwinds has given its stack back, though the object lives on") {
    HandsOver left([] { yield_ready(); }, "left");
    left.resume();
    const std::size_t before = fiberscope::kit::stacks_in_use();
    kHandsOver.unwind(left.core());
    INFO(
        "given: unwind gives the stack back: a scheduler that ends unwinds its tasks so, and a handle keeps the "
        "object");
    CHECK(fiberscope::kit::stacks_in_use() == before - 1);
}
