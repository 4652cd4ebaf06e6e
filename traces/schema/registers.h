// The registers recorded in a trace.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace fiberscope::trace {

/// The registers that a switch saves and loads, in the order in which the recorder takes them.
inline constexpr std::array kRegistersX86_64 =
    std::to_array<std::string_view>({"rsp", "rbp", "rip", "rbx", "r12", "r13", "r14", "r15", "mxcsr", "x87cw"});
inline constexpr std::array kRegistersAarch64 =
    std::to_array<std::string_view>({"sp",  "fp",  "lr", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
                                     "x27", "x28", "d8", "d9",  "d10", "d11", "d12", "d13", "d14", "d15"});
inline constexpr std::size_t kMostRegisters = 24;

}  // namespace fiberscope::trace
