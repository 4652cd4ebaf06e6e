// The innermost functions of a program at a signal, with their source lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "labs/kit/fault/machine_state.h"

namespace fiberscope::kit {

/// Code addresses, innermost first.
struct Frames {
    std::array<std::uintptr_t, 16> code{};
    std::size_t count = 0;
};

/// To be called once, before any signal: determines the program's load address.
void prepare_frames() noexcept;

/// The interrupted call stack, innermost first. A jump to null is unwound to its caller, which changes `machine`. With
/// `whole` false returns only the innermost function, because the stack cannot be trusted.
const Frames& frames_of(MachineState& machine, bool whole) noexcept;

/// In a signal handler: if the signal interrupted frames_of while it was unwinding a damaged stack, jumps back there,
/// and it returns the frames found so far. Otherwise returns.
void leave_walk() noexcept;

/// Writes the three innermost functions to the report (report.h) and to stderr, with file and line from addr2line
/// (binutils); without it, with exported names. `skip_library`: omits leading frames in the C library, as of an abort.
/// Starts a process and waits at most two seconds for it.
void tell_frames(const Frames& frames, bool skip_library) noexcept;

}  // namespace fiberscope::kit
