// What kind of instruction the processor refused.
#pragma once

#include <cstdint>

namespace fiberscope::kit {

enum class Refused : std::uint8_t {
    aligned,  ///< it needs an address that is a multiple of 16
    jump,     ///< it goes where a register or the stack says
    other,
};

/// Of the instruction at `code`, which the processor has read if the address can exist. Knows x86_64 as far as
/// compilers write it; elsewhere `other`.
Refused refused_instruction(std::uintptr_t code) noexcept;

}  // namespace fiberscope::kit
