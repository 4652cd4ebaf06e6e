// The names of declared sets: added under a lock, read without one when text is written.
#pragma once

#include <cstdint>
#include <string_view>

namespace fiberscope::trace::detail::sets {

/// Adds a set of the current trace and returns its index; the name is made unique. kNone if there are too many.
std::uint32_t add(std::string_view name) noexcept;
/// The unique name of a set, escaped for a JSON string; async-signal-safe. Defined for an unknown index too.
std::string_view escaped_name(std::uint32_t set) noexcept;
/// Forgets all sets at the start of a new trace.
void clear() noexcept;
/// To be called around a fork: excludes concurrent additions, so that the child has consistent names.
void hold() noexcept;
void release() noexcept;

}  // namespace fiberscope::trace::detail::sets
