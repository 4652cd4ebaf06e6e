// Determines the cause of a signal from the signal, its address, the stack pointer and the instruction.
#pragma once

#include <signal.h>

#include "labs/kit/fault/machine_state.h"
#include "labs/kit/report/signal_text.h"
#include "labs/kit/run/core.h"

namespace fiberscope::kit {

/// Appends the cause, a message, to `text`, and returns its kind ("null pointer"). `current` may be null.
/// Async-signal-safe.
const char* tell_cause(SignalText& text, const siginfo_t& info, const MachineState& machine,
                       const Core* current) noexcept;

/// Whether the stack pointer is within the stack of `current`, so that it can be unwound.
bool on_its_stack(const MachineState& machine, const Core* current) noexcept;

}  // namespace fiberscope::kit
