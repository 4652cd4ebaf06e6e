#include "labs/kit/memory/valgrind.h"

#ifdef FIBERSCOPE_VALGRIND
#include <map>
#include <mutex>
#endif

namespace fiberscope::kit {

#ifdef FIBERSCOPE_VALGRIND

namespace {

struct Known {
    std::mutex mutex;
    std::map<const std::byte*, unsigned> numbers;  ///< valgrind's ID of the stack with this bottom
};

/// Never destroyed: a stack may outlive every object with static storage duration.
Known& known() {
    static auto* const all = new Known;
    return *all;
}

}  // namespace

void announce_stack(const std::byte* bottom, std::size_t size) {
    if (RUNNING_ON_VALGRIND == 0) return;
    const std::lock_guard lock(known().mutex);
    // Including the end: the stack pointer of an empty stack points there.
    known().numbers[bottom] = VALGRIND_STACK_REGISTER(bottom, bottom + size);
}

void forget_stack(const std::byte* bottom) noexcept {
    if (RUNNING_ON_VALGRIND == 0) return;
    const std::lock_guard lock(known().mutex);
    const auto found = known().numbers.find(bottom);
    if (found == known().numbers.end()) return;
    VALGRIND_STACK_DEREGISTER(found->second);
    known().numbers.erase(found);
}

#else

void announce_stack(const std::byte*, std::size_t) {}
void forget_stack(const std::byte*) noexcept {}

#endif

}  // namespace fiberscope::kit
