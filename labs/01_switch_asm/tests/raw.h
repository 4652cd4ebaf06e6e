// Shared by the tests of steps 1.1, 1.2 and 1.6: raw contexts on one thread.
#pragma once

#include <cstdint>
#include <random>
#include <sstream>
#include <string>

#include "labs/01_switch_asm/jump.h"

namespace fiberscope::lab01 {

inline std::string hex(std::uint64_t value) {
    std::ostringstream out;
    out << "0x" << std::hex << value;
    return out.str();
}

inline void swap_to(kit::Core& next, trace::Why why = trace::Why::swap) {
    switch_to(*kit::this_thread().current, next, {why, kit::State::suspended});
}
inline kit::Core& main_context() { return *kit::this_thread().own; }

inline KeptRegisters random_registers(std::mt19937_64& random) {
    KeptRegisters values;
    for (auto& value : values) value = random();
    return values;
}

/// Returns the first register whose value has changed, as a message; empty if none has.
inline std::string first_difference(const KeptRegisters& put, const KeptRegisters& found) {
    for (std::size_t i = 0; i < put.size(); ++i)
        if (put[i] != found[i])
            return message(
                "register {0} held {1} before the switch and {2} after it: `_switch` must save {3} of the context that "
                "it leaves and load that of the next",
                kKeptRegisters[i], hex(put[i]), hex(found[i]), kKeptRegisters[i]);
    return {};
}

}  // namespace fiberscope::lab01
