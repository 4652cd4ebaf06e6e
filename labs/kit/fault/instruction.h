// Classification of the instruction that faulted.
#pragma once

#include <cstdint>

namespace fiberscope::kit {

enum class Refused : std::uint8_t {
    aligned,  ///< it requires a 16-byte aligned address
    jump,     ///< an indirect jump, call or return
    other,
};

/// Classifies the instruction at `code`, which is readable if the processor executed it. Supports the x86_64
/// instructions that compilers emit; elsewhere `other`.
Refused refused_instruction(std::uintptr_t code) noexcept;

}  // namespace fiberscope::kit
