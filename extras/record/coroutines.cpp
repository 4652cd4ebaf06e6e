#include "extras/record/coroutines.h"

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "extras/record/stack_pointer.h"

namespace fiberscope::preload::coroutines {
namespace {

struct Tables {
    std::mutex mutex;
    std::unordered_map<const ucontext_t*, Coroutine*> by_context;
    std::map<std::uintptr_t, Coroutine*> by_top;  ///< one past the stack's highest byte
    std::unordered_map<std::string, std::size_t> names;
};

Tables& tables() {
    static auto* the = new Tables;  // never destroyed: threads may switch until the process ends
    return *the;
}

Coroutine* on_stack(const Tables& all, std::uintptr_t sp) {
    const auto found = all.by_top.upper_bound(sp);
    return found != all.by_top.end() && found->second->stack.contains(sp) ? found->second : nullptr;
}

void forget_overlapping(Tables& all, Stack stack) {
    auto at = all.by_top.upper_bound(stack.low);
    while (at != all.by_top.end() && at->second->stack.low < stack.high) at = all.by_top.erase(at);
}

Coroutine& reset(Coroutine* old, Stack stack) {
    Coroutine& coroutine = old == nullptr ? *new Coroutine : *old;
    coroutine = {};
    coroutine.stack = stack;
    return coroutine;
}

}  // namespace

Coroutine& add(const ucontext_t& context, Stack stack) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    Coroutine*& place = all.by_context[&context];
    const bool again = place != nullptr && !place->is_thread && place->stack.high == stack.high;
    Coroutine& coroutine = reset(again ? place : nullptr, stack);
    place = &coroutine;
    forget_overlapping(all, stack);
    all.by_top[stack.high] = &coroutine;
    return coroutine;
}

Coroutine& add(Stack stack) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    const auto same = all.by_top.find(stack.high);
    const bool again = same != all.by_top.end() && !same->second->is_thread && same->second->entry == nullptr;
    Coroutine& coroutine = reset(again ? same->second : nullptr, stack);
    forget_overlapping(all, stack);
    if (stack.high != 0) all.by_top[stack.high] = &coroutine;
    return coroutine;
}

void save(const ucontext_t& context, Coroutine& coroutine) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    all.by_context[&context] = &coroutine;
}

Coroutine* find(const ucontext_t& context) {
    const std::uintptr_t sp = stack_pointer(context);
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    const auto known = all.by_context.find(&context);
    if (known != all.by_context.end() && known->second->stack.contains(sp)) return known->second;
    return on_stack(all, sp);
}

Coroutine* find(std::uintptr_t sp) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    return on_stack(all, sp);
}

std::string numbered(const std::string& name) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    const std::size_t count = ++all.names[name];
    return count == 1 ? name : name + ' ' + std::to_string(count);
}

void hold() noexcept { tables().mutex.lock(); }
void release() noexcept { tables().mutex.unlock(); }

}  // namespace fiberscope::preload::coroutines
