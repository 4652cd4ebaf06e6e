// Given: the coroutines of step 3.4 as a backend for schedulers (labs 04 and 05). Those of a thread share a few stacks.
#include "labs/kit/run/backend.h"

#include "labs/03_shared_stack/coroutine.h"

namespace fiberscope::lab03 {

namespace {

constexpr std::size_t kStacks = 4;

/// Created on first use, and kept until the thread ends: a scheduler may outlive everything else of its thread.
SharedStacks& stacks_of_thread() {
    thread_local auto* const stacks = new SharedStacks(kStacks);
    return *stacks;
}

/// A coroutine of a scheduler, whose stack attributes are ignored here.
struct OfScheduler : Coroutine {
    OfScheduler(kit::Body&& body, kit::Attributes&& attributes)
        : Coroutine(std::move(body), stacks_of_thread(), std::move(attributes.name)) {}
};

}  // namespace

struct BackendOperations {
    static void unwind(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).release(); }
    static void resume(kit::Core& coroutine) {
        require_can_resume(static_cast<Coroutine&>(coroutine), kit::thread_state().callers);
        static_cast<Coroutine&>(coroutine).resume_until_yield();
    }
    static void after_end(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).after_end(); }

    static void yield(kit::State left, std::int64_t until, const char* reason) { lab03::yield(left, until, reason); }

    // If both are on one shared stack, the copier moves them, as when one resumes the other.
    static void hand_over(kit::Core& to, kit::State left, std::int64_t until, const char* reason) {
        kit::CallerStack& callers = kit::this_thread().callers;
        kit::Core& self = kit::handing_over(callers, to);
        require_can_yield(self);
        callers.replace_top(to);
        switch_to(self, to, {trace::Why::swap, left, until, reason}, &plan_lazily);
        static_cast<SharedStackCoroutine*>(kit::thread_state().current)->job.stop_if_unwinding();
    }
};

}  // namespace fiberscope::lab03

namespace fiberscope::kit {

constexpr std::size_t kStackPointer = 0;  // need not be correct: another coroutine's bytes are there now
const CoroutineBackend shared_backend =
    backend_of<lab03::BackendOperations, lab03::OfScheduler>("shared", kStackPointer, true);

}  // namespace fiberscope::kit
