// A list of all coroutines, for a debugger: `info coroutines` (extras/gdb) reads it from outside, also out of a core
// dump. Kept only if the environment has FIBERSCOPE_LIST_COROUTINES=1 when the program begins; otherwise it costs a
// branch where a coroutine is made and one where it is destroyed.
#pragma once

namespace fiberscope::kit {

class Core;

/// One coroutine of the list. Owned by the list.
struct RegistryNode {
    Core* core;
    RegistryNode* next;  ///< the one that was made before it
    RegistryNode* previous;
};

struct Registry {
    bool enabled;
    RegistryNode* first;  ///< the one that was made last
};

extern "C" Registry fiberscope_registry;

/// Only while the list is enabled. From any thread. It has its number already.
void list_coroutine(Core& core);
/// Only of one that is listed.
void unlist_coroutine(Core& core) noexcept;

}  // namespace fiberscope::kit
