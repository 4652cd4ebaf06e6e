#include "labs/kit/run/transfer.h"

#include "labs/kit/run/details.h"

namespace fiberscope::kit {

namespace detail {

void refuse(const Core& from, const Core& to, State left) {
    if (!trace::legal_step(from.state(), left)) throw Misuse(from, left);
    throw Misuse(to, State::running);
}

}  // namespace detail

void Transfer::swap_exceptions(ExceptionState& now, Core& from, Core& to) noexcept {
    ExceptionState arriving;
    if ((to.status_ & Core::kHoldsException) != 0) arriving = std::exchange(to.seldom().exceptions, {});
    to.status_ &= ~Core::kHoldsException;
    const ExceptionState leaving = std::exchange(now, arriving);
    if (!leaving.any()) return;
    from.seldom().exceptions = leaving;
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
