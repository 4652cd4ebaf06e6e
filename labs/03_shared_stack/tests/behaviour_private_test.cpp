// Step 3.5: a coroutine with a private stack is one of lab 01, whose tests cover the rest.
#include "labs/03_shared_stack/coroutine.h"

namespace fiberscope::lab03::on_its_own {

using lab03::running;
using lab03::yield;

class Coroutine : public lab03::Coroutine {
  public:
    template <std::invocable F>
    explicit Coroutine(F&& body, const kit::Attributes& attributes = {})
        : lab03::Coroutine(std::forward<F>(body),
                           lab03::Attributes{.name = attributes.name, .stack_size = attributes.stack_size}) {}
};

}  // namespace fiberscope::lab03::on_its_own

namespace under_test = fiberscope::lab03::on_its_own;
#define FIBERSCOPE_STEP_RESUME "3.5 private:"
#define FIBERSCOPE_STEP_END "3.5 private:"
#define FIBERSCOPE_STEP_EXCEPTIONS "3.5 private:"
// In the order of the steps. Separate blocks keep clang-format from sorting the includes.
#include "labs/kit/testing/behaviour_end.h"

#include "labs/kit/testing/behaviour_private.h"
