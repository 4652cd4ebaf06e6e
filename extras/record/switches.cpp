// The functions that create coroutines and switch between them: of ucontext, and of Boost.Context.
//
// Nothing may be done after a switch: the coroutine may continue on another thread, and an exception may pass. The
// switch functions jump to the originals, so that no frame of theirs remains on the stack: the program may have copied
// the stack's content before.
#include <cstdarg>
#include <cstdlib>
#include <tuple>

#include "extras/record/interposed.h"
#include "extras/record/names.h"
#include "extras/record/recording.h"

using namespace fiberscope::preload;

namespace {

#define FIBERSCOPE_CALLERS_STACK reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))

/// Calls `action` as work of this library, if there is a recording. Never inlined: it uses thread-locals.
template <class F>
[[gnu::noinline]] void record(F&& action) noexcept {
    const OwnWork work;
    if (work.is_nested() || !begin()) return;
    try {
        action();
    } catch (...) {  // out of memory: this event is missing
    }
}

/// The same for the creation of a coroutine: calls `action` with the name of the function. A name is looked up before
/// the recording begins, because the first one takes a few milliseconds.
template <class F, class Entry>
void record_creation(Entry entry, F&& action) noexcept {
    const OwnWork work;
    if (work.is_nested()) return;
    try {
        const std::string name = name_of_coroutine(reinterpret_cast<std::uintptr_t>(entry));
        if (begin()) action(name);
    } catch (...) {  // out of memory
    }
}

// ---- ucontext

[[gnu::noinline]] void end_of(const Coroutine& ended, std::uintptr_t sp) {
    record([&] {
        if (ended.after != nullptr) switched(running(sp), coroutines::find(*ended.after), Left::ended);
    });
}

/// The function of a recorded context: calls the program's function, and records its end. Without a uc_link it calls
/// exit like glibc, which does so with a stack that is not aligned for this library's functions.
void trampoline(const Coroutine* self) {
    std::apply([&](auto... all) { reinterpret_cast<void (*)(decltype(all)...)>(self->entry)(all...); },
               self->arguments);
    end_of(*self, FIBERSCOPE_CALLERS_STACK);
    if (self->after == nullptr) std::exit(0);
}

[[gnu::noinline]] void before_switch(ucontext_t* from, const ucontext_t& to, std::uintptr_t sp) {
    record([&] {
        Coroutine& self = running(sp);
        if (from != nullptr) coroutines::save(*from, self);
        switched(self, coroutines::find(to), from == nullptr ? Left::unsaved : Left::saved);
    });
}

// ---- Boost.Context

/// Boost keeps the coroutine's function in an object above the stack's top, and passes its address when it has ended.
bool ends(const Coroutine& coroutine, const void* data) {
    constexpr std::uintptr_t kMostRecord = 4096;
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    return address >= coroutine.stack.high && address < coroutine.stack.high + kMostRecord;
}

[[gnu::noinline]] void before_jump(void* to, const void* data, bool may_end, std::uintptr_t sp) {
    record([&] {
        Coroutine& self = running(sp);
        const bool has_ended = may_end && !self.is_thread && ends(self, data);
        switched(self, coroutines::find(reinterpret_cast<std::uintptr_t>(to)), has_ended ? Left::ended : Left::saved);
    });
}

}  // namespace

extern "C" {

// glibc's implementations for 64-bit processors pass integers of full width, so the arguments are copied without
// knowledge of their types.
void makecontext(ucontext_t* context, void (*entry)(), int count, ...) {
    Arguments given{};
    va_list list;
    va_start(list, count);
    for (std::size_t i = 0; i < given.size() && static_cast<int>(i) < count; ++i)
        given[i] = va_arg(list, std::uintptr_t);
    va_end(list);
    const std::uintptr_t sp = FIBERSCOPE_CALLERS_STACK;
    Coroutine* made = nullptr;
    record_creation(entry, [&](const std::string& name) {
        const Coroutine& parent = running(sp);
        const auto low = reinterpret_cast<std::uintptr_t>(context->uc_stack.ss_sp);
        Coroutine& added = coroutines::add({low, low + context->uc_stack.ss_size}, context);
        added.entry = entry;
        added.arguments = given;
        added.after = context->uc_link;
        created(added, parent, name);
        made = &added;
    });
    if (made != nullptr) return original().makecontext(context, reinterpret_cast<void (*)()>(&trampoline), 1, made);
    std::apply([&](auto... all) { original().makecontext(context, entry, count, all...); }, given);
}

int swapcontext(ucontext_t* from, const ucontext_t* to) {
    before_switch(from, *to, FIBERSCOPE_CALLERS_STACK);
    return original().swapcontext(from, to);
}

int setcontext(const ucontext_t* to) {
    before_switch(nullptr, *to, FIBERSCOPE_CALLERS_STACK);
    return original().setcontext(to);
}

void* make_fcontext(void* stack_top, std::size_t size, void (*entry)(FiberscopeTransfer)) {
    const std::uintptr_t sp = FIBERSCOPE_CALLERS_STACK;
    record_creation(entry, [&](const std::string& name) {
        const Coroutine& parent = running(sp);
        const auto high = reinterpret_cast<std::uintptr_t>(stack_top);
        created(coroutines::add({high - size, high}), parent, name);
    });
    find_boost_context(__builtin_return_address(0));
    return original().make_fcontext(stack_top, size, entry);
}

FiberscopeTransfer jump_fcontext(void* to, void* data) {
    before_jump(to, data, false, FIBERSCOPE_CALLERS_STACK);
    return original().jump_fcontext(to, data);
}

FiberscopeTransfer ontop_fcontext(void* to, void* data, FiberscopeTransfer (*on_top)(FiberscopeTransfer)) {
    before_jump(to, data, true, FIBERSCOPE_CALLERS_STACK);
    return original().ontop_fcontext(to, data, on_top);
}

}  // extern "C"
