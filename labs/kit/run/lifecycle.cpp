// The lifecycle of a Core, and its state changes without switches, as recorded in a trace.
#include <atomic>

#include "labs/kit/report/abort.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/registry.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::kit {

namespace {
std::atomic<bool> any_coroutine{false};
}

bool any_coroutine_yet() noexcept { return any_coroutine.load(); }

Core::Core(trace::CoKind kind, trace::Backend backend, Stack&& stack, std::string&& name, std::uint32_t reuses)
    : kind_(kind),
      backend_(backend),
      stack_(std::move(stack)),
      sanitizer_(kind == trace::CoKind::thread ? SanitizerFiber::Of::this_thread : SanitizerFiber::Of::new_stack) {
    if (!name.empty()) cold_state().name = std::move(name);
    if (kind != trace::CoKind::thread && !any_coroutine.load(std::memory_order_relaxed)) any_coroutine = true;
    if (trace::recording() && kind != trace::CoKind::thread) [[unlikely]]
        record_spawn(reuses);
    if (fiberscope_registry.enabled) [[unlikely]] {
        id();  // assigns its number now, for display
        list_coroutine(*this);
    }
}

Core::~Core() {
    if (fiberscope_registry.enabled) [[unlikely]]
        unlist_coroutine(*this);
    release_stack();
}

void Core::record_spawn(std::uint32_t reuses) {
    const Core* parent = kind_ == trace::CoKind::thread ? nullptr : thread_state().current;
    const bool has_stack = kind_ != trace::CoKind::thread && stack().size != 0;
    const auto bytes = has_stack ? static_cast<std::int64_t>(stack().size) : trace::kAbsent;
    const auto earlier = reuses == trace::kNone ? trace::kAbsent : std::int64_t{reuses};
    trace::record(
        now(),
        trace::spawn_event(id(), kind_, parent != nullptr ? parent->id() : trace::kNone, backend_, bytes, earlier),
        cold_state().touch, name());
    if (stack_.owned()) {
        const auto op = stack_.reused() ? trace::StackOp::reuse : trace::StackOp::alloc;
        trace::record(now(), trace::stack_event(id(), op, bytes), cold_state().touch);
    }
}

// Otherwise the memory would be freed before the function that requested it returns.
void Core::refuse_to_release_under_foot() const noexcept {
    char here;
    if (stack().contains(reinterpret_cast<std::uintptr_t>(&here)))
        abort_because(message(
            "release_stack() of '{0}' was called on that stack: its resumer releases it, when it is dead", name()));
}

void Core::release_stack() noexcept {
    if (!stack_.owned()) return;
    refuse_to_release_under_foot();
    if (trace::recording()) [[unlikely]]
        trace::record(now(), trace::stack_event(id(), trace::StackOp::free, static_cast<std::int64_t>(stack().size)),
                      cold_state().touch);
    stack_.release();
}

void set_state(Core& core, State to, trace::Cause cause, std::string_view error) {
    if (!trace::legal_step(core.state(), to)) throw Misuse(core, to);
    if (trace::recording()) [[unlikely]]
        trace::record(now(), trace::state_event(core.id(), core.state(), to, cause), core.cold_state().touch, error);
    core.put_state(to);
}

}  // namespace fiberscope::kit
