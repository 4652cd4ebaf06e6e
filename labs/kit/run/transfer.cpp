#include "labs/kit/run/transfer.h"

#include <string>

#include "labs/kit/run/details.h"
#include "languages/message.h"

namespace fiberscope::kit {

namespace detail {

namespace {

/// Whether it is on top and directly below as well: it was pushed while it was already there.
bool is_on_top_twice(CallerStack callers, const Core& core) {
    if (callers.depth() == 0 || callers.top() != &core) return false;
    callers.pop();
    return callers.top() == &core;
}

/// The kind of misuse that leads to a switch from `core` to itself.
std::string mistake_of(const Core& core, trace::Why why) {
    const CallerStack& callers = thread_state().callers;
    const bool is_resume = why == trace::Why::resume || why == trace::Why::start;
    if (core.state() != State::running)
        return message(
            "it is {0}, but the coroutine that is left must be running: call callers.top() before the push or the pop",
            Text(word(core.state()), "state"));
    if (is_resume || is_on_top_twice(callers, core))
        return message("it was resumed while it was running: refuse that before the push");
    if (callers.depth() > 0 && callers.top() == &core)
        return message("it is still on top of the stack of callers: pop it before the switch");
    return message("a switch needs another coroutine as its target");
}

}  // namespace

void refuse(const Core& from, const Core& to, Leaving leaving) {
    if (&from == &to && from.state() != State::dead)
        kit::refuse(MisuseKind::switch_to_itself, from, mistake_of(from, leaving.why()));
    if (!trace::legal_step(from.state(), leaving.left())) throw Misuse(from, leaving.left());
    throw Misuse(to, State::running);
}

}  // namespace detail

void Transfer::swap_exceptions(ExceptionState& now, Core& from, Core& to) noexcept {
    ExceptionState arriving;
    if ((to.status_ & Core::kHoldsException) != 0) arriving = std::exchange(to.cold_state().exceptions, {});
    to.status_ &= ~Core::kHoldsException;
    const ExceptionState leaving = std::exchange(now, arriving);
    if (!leaving.any()) return;
    from.cold_state().exceptions = leaving;
    from.status_ |= Core::kHoldsException;
}

namespace {
trace::Registers registers_of(const Core& core, std::span<const std::uint64_t> values) noexcept {
    return {values, reinterpret_cast<std::uintptr_t>(core.stack().top()), core.stack().size};
}
}  // namespace

void SwitchRecorder::operator()(std::span<const std::uint64_t> saved,
                                std::span<const std::uint64_t> loaded) const noexcept {
    const auto event = trace::switch_event(from_->id(), to_->id(), step_.why, step_.left, step_.until);
    const std::string_view reason = step_.reason != nullptr ? step_.reason : "";
    if (!records_details()) saved = loaded = {};
    trace::record_switch(now(), event, Transfer::touch(*from_), Transfer::touch(*to_), reason,
                         registers_of(*from_, saved), registers_of(*to_, loaded));
}

}  // namespace fiberscope::kit
