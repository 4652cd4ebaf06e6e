// Registers whose loaded value differs from the saved one, in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/read/trace.h"

namespace fiberscope::trace {

/// A register that a switch loaded with a value other than the last switch away from that coroutine had saved.
struct ChangedRegister {
    std::uint32_t event;  ///< the switch that loaded it
    std::uint32_t co;     ///< the coroutine that was entered
    std::string name;     ///< "rsp"
    std::string now;      ///< "top-0x1048"
    std::string before;   ///< "top-0x1040"
    std::string words;    ///< "≠ rsp top-0x1048 was top-0x1040", as the viewer marks it
};

/// Whether the switch at event n diverts a coroutine of lab 01 to the function that unwinds its stack
/// (call_on_arrival).
bool sends_to_unwind(const Trace& trace, std::size_t n);

/// All of a trace, in order, without coroutines that are diverted to be unwound.
std::vector<ChangedRegister> changed_registers(const Trace& trace);

/// A code address without namespaces and template arguments: "jump+0x88"; other values unchanged.
std::string short_value(std::string_view value);

}  // namespace fiberscope::trace
