// Where a program was when a signal came: its innermost functions, with the lines of their files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "labs/kit/fault/machine_state.h"

namespace fiberscope::kit {

/// Addresses of code, the innermost first.
struct Frames {
    std::array<std::uintptr_t, 16> code{};
    std::size_t count = 0;
};

/// Once, before any signal: where the program lies in memory.
void prepare_frames() noexcept;

/// The calls that the interrupted program stands in, innermost first. A jump to null is looked at from its caller, so
/// `machine` may change. With `whole` false only the first is looked for, because the stack cannot be trusted.
const Frames& frames_of(MachineState& machine, bool whole) noexcept;

/// In a signal handler: if the signal came while frames_of was looking at a damaged stack, goes back there, and it
/// returns what it has found. Else returns.
void leave_walk() noexcept;

/// Sends the three innermost functions over the report (report.h), and to stderr, with file and line as addr2line
/// (binutils) knows them; without it, with the names that the program exports. `skip_library`: those of an abort begin
/// in the C library, which is left out. Starts a process and waits for it, at most two seconds.
void tell_frames(const Frames& frames, bool skip_library) noexcept;

}  // namespace fiberscope::kit
