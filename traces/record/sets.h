// The names of declared sets: added to rarely and under a lock, read without one when text is written.
#pragma once

#include <cstdint>
#include <string_view>

namespace fiberscope::trace::detail::sets {

/// Adds a set of the current trace and returns its index; the name is made unique. kNone if there are too many.
std::uint32_t add(std::string_view name) noexcept;
/// The unique name of a set, ready to stand in a JSON string; async-signal-safe. An unknown index has a name too.
std::string_view escaped_name(std::uint32_t set) noexcept;
/// Forgets all sets: a new trace begins.
void clear() noexcept;
/// Around a fork: no other thread is adding, so that the child finds the names whole.
void hold() noexcept;
void release() noexcept;

}  // namespace fiberscope::trace::detail::sets
