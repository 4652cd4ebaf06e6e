// Step 3.4: on shared stacks coroutines behave as on their own. One body for all labs: labs/kit/testing/behaviour_*.h.
#include "labs/03_shared_stack/coroutine.h"

namespace fiberscope::lab03::on_ucontext {

using lab03::running;
using lab03::yield;

/// On the one shared stack of this process, so that every resume from inside another one needs the copier.
class Coroutine : public lab03::Coroutine {
  public:
    template <std::invocable F>
    explicit Coroutine(F&& body, kit::Attributes attributes = {})
        : lab03::Coroutine(std::forward<F>(body), group(), std::move(attributes.name)) {}

  private:
    static SharedStacks& group() {
        static auto& one = *new SharedStacks(1, std::size_t{1024} * 1024, "ucontext");
        return one;
    }
};

}  // namespace fiberscope::lab03::on_ucontext

namespace under_test = fiberscope::lab03::on_ucontext;
#define FIBERSCOPE_STEP_RESUME "3.4 by ucontext:"
#define FIBERSCOPE_STEP_END "3.4 by ucontext:"
#define FIBERSCOPE_STEP_EXCEPTIONS "3.5 by ucontext:"
// clang-format off: in the order in which a student solves them
#include "labs/kit/testing/behaviour_end.h"
#include "labs/kit/testing/behaviour_resume.h"
// clang-format on
