#include "extras/record/coroutines.h"

#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "extras/record/stack_pointer.h"

namespace fiberscope::preload::coroutines {
namespace {

struct Tables {
    std::mutex mutex;
    std::unordered_map<const ucontext_t*, Coroutine*> by_context;
    std::map<std::uintptr_t, Coroutine*> by_top;  ///< one past the stack's highest byte
    std::unordered_map<std::string, std::size_t> names;
    std::vector<Coroutine*> unused;
};

Tables& tables() {
    static auto* the = new Tables;  // never destroyed: threads may switch until the process ends
    return *the;
}

Coroutine* on_stack(const Tables& all, std::uintptr_t sp) {
    const auto found = all.by_top.upper_bound(sp);
    return found != all.by_top.end() && found->second->stack.contains(sp) ? found->second : nullptr;
}

/// Returns a coroutine's memory for reuse if no context and no stack refers to it any more.
void release(Tables& all, Coroutine& coroutine) {
    if (--coroutine.references == 0 && !coroutine.is_running && !coroutine.is_thread) all.unused.push_back(&coroutine);
}

void refer(Tables& all, Coroutine*& place, Coroutine& to) {
    ++to.references;
    if (place != nullptr) release(all, *place);
    place = &to;
}

void forget_overlapping(Tables& all, Stack stack) {
    auto at = all.by_top.upper_bound(stack.low);
    while (at != all.by_top.end() && at->second->stack.low < stack.high) {
        release(all, *at->second);
        at = all.by_top.erase(at);
    }
}

Coroutine& add(Tables& all, Stack stack) {
    forget_overlapping(all, stack);
    if (all.unused.empty()) all.unused.push_back(new Coroutine);
    Coroutine& coroutine = *all.unused.back();
    all.unused.pop_back();
    coroutine = {};
    coroutine.stack = stack;
    return coroutine;
}

}  // namespace

Coroutine& add(Stack stack, const ucontext_t* context) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    Coroutine& coroutine = add(all, stack);
    if (context != nullptr) refer(all, all.by_context[context], coroutine);
    refer(all, all.by_top[stack.high], coroutine);
    return coroutine;
}

Coroutine& add_thread(Stack stack) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    Coroutine& thread = add(all, stack);
    thread.is_thread = true;
    return thread;
}

void save(const ucontext_t& context, Coroutine& coroutine) {
    Tables& all = tables();
    const std::lock_guard guard(all.mutex);
    refer(all, all.by_context[&context], coroutine);
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
