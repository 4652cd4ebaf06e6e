#include "labs/kit/run/thread_state.h"

#include <cxxabi.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

#include "labs/kit/memory/signal_stack.h"
#include "labs/kit/report/abort.h"

namespace fiberscope::kit {

extern "C" {
__thread ThreadState fiberscope_thread_state{};
extern void* __libc_stack_end;  // the kernel's first frame; arguments and environment are above it
}

namespace {

// The main thread's stack begins at its first frame: what is above varies between runs, and traces contain offsets from
// the top.
StackBounds from_first_frame(std::byte* bottom, std::size_t size) {
    auto* first = static_cast<std::byte*>(__libc_stack_end);
    const bool mine = StackBounds{bottom, size}.contains(reinterpret_cast<std::uintptr_t>(first));
    return {bottom, mine ? static_cast<std::size_t>(first - bottom) : size};
}

StackBounds bounds_of_this_thread() {
    pthread_attr_t attributes;
    void* bottom = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &bottom, &size);
        pthread_attr_destroy(&attributes);
    }
    return from_first_frame(static_cast<std::byte*>(bottom), size);
}

// Destroyed with its thread; the plain thread_state() outlives it.
struct OwnCore {
    static inline constinit thread_local bool is_gone = false;

    ThreadOwner core{trace::CoKind::thread, trace::Backend::none, Stack::borrowed(bounds_of_this_thread()),
                     thread_name(next_index.fetch_add(1))};
    SignalStack signal_stack;

    ~OwnCore() {
        thread_state().own = nullptr;
        is_gone = true;
    }

    static std::string thread_name(unsigned index) { return index == 0 ? "main" : "thread " + std::to_string(index); }
    static inline std::atomic<unsigned> next_index{0};
};

// A coroutine in a thread-local or static variable may be unwound after that, which takes a context that is leaked.
OwnCore& own_core() {
    if (OwnCore::is_gone) return *new OwnCore;
    thread_local OwnCore own;
    return own;
}

}  // namespace

void CallerStack::abort_empty() noexcept {
    abort_because("callers.pop(), but only the thread's own context is on the stack of callers");
}

ThreadState& attach_thread() {
    OwnCore& own = own_core();
    ThreadState& thread = thread_state();
    thread.own = thread.current = &own.core;
    thread.callers.top_ = &own.core;
    thread.exceptions = reinterpret_cast<ExceptionState*>(__cxxabiv1::__cxa_get_globals());
    thread.error = &errno;
    static_cast<Core&>(own.core).put_state(State::running);
    static_cast<Core&>(own.core).started_ = true;
    if (trace::recording()) declare_thread();
    return thread;
}

void declare_thread() {
    if (thread_state().own == nullptr) {
        attach_thread();
        return;
    }
    trace::attach_machine();
    thread_state().own->record_spawn();
}

}  // namespace fiberscope::kit
