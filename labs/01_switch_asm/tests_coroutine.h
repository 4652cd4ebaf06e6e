// What the tests of steps 1.3 to 1.5 share.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/errors.h"

namespace fiberscope::lab01 {

// A coroutine that lives until the process ends: before step 1.5 a suspended one cannot be unwound.
inline Coroutine& forever(Coroutine::Body body, Attributes attributes = {}) {
    static auto& kept = *new std::vector<std::unique_ptr<Coroutine>>;
    kept.push_back(std::make_unique<Coroutine>(std::move(body), std::move(attributes)));
    return *kept.back();
}

inline void yield_for_ever() {
    for (;;) yield();
}

// What `act` throws as a Misuse; no value if it throws nothing.
template <class F>
inline std::optional<kit::Misuse> misuse_of(F act) {
    try {
        act();
    } catch (const kit::Misuse& misuse) {
        return misuse;
    }
    return std::nullopt;
}

inline Attributes named(const char* name) { return Attributes{.name = name, .stack_size = kit::kDefaultStackSize}; }

}  // namespace fiberscope::lab01
