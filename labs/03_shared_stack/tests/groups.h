// Shared by the tests of step 3.4: stacks and coroutines that live until the process ends.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/tests/support.h"

namespace fiberscope::lab03::groups {

inline void yield_for_ever() {
    for (;;) yield();
}

// Both live until the process ends: unwinding is step 3.5.
inline SharedStacks& group_of(std::size_t count, std::string_view backend = "asm") {
    return made_for_ever<SharedStacks>(count, std::size_t{256} * 1024, backend);
}
inline Coroutine& forever(SharedStacks& group, kit::Body body, std::string name = {}) {
    return made_for_ever<Coroutine>(std::move(body), group, std::move(name));
}

}  // namespace fiberscope::lab03::groups
