// Names of coroutines and threads, after the functions with which they begin.
#pragma once

#include <cstdint>
#include <string>

namespace fiberscope::preload {

/// The function at `entry`, by its symbol; "coroutine" without one. The entry of a coroutine of Boost.Context is a
/// template of the program's function, whose name is returned; "fiber" if only the function's type is known.
std::string name_of_coroutine(std::uintptr_t entry);
/// The same; "thread" without a symbol, and for a std::thread, whose function is the C++ library's.
std::string name_of_thread(std::uintptr_t entry);

/// To be called around a fork, so that the child has a consistent table.
void hold_names() noexcept;
void release_names() noexcept;

}  // namespace fiberscope::preload
