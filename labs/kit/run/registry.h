// A list of all coroutines, for debuggers: `info coroutines` (extras/gdb) reads it from outside, also from a core dump.
// Maintained only if the environment has FIBERSCOPE_LIST_COROUTINES=1 when the program starts; otherwise it costs a
// branch for each creation and destruction of a coroutine.
#pragma once

namespace fiberscope::kit {

class Core;

/// An entry of the list. Owned by the list.
struct RegistryNode {
    Core* core;
    RegistryNode* next;  ///< the next older one
    RegistryNode* previous;
};

struct Registry {
    bool enabled;
    RegistryNode* first;  ///< the newest one
};

extern "C" Registry fiberscope_registry;

/// Requires that the list is enabled, and that the coroutine has a number. Thread-safe.
void list_coroutine(Core& core);
/// Requires that it is in the list.
void unlist_coroutine(Core& core) noexcept;

}  // namespace fiberscope::kit
