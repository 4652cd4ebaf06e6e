// The C library's names, as in hook_names.cpp: those that say what a signal does. A program's handler is called by one
// of ours, which then ends the hooked calls of the thread that it ran on, as the kernel ends the one that blocks.
#include <array>
#include <atomic>
#include <cerrno>

#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/parts/signals.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_of_signals() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <signal.h>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

using Handler = void (*)(int);
using InformedHandler = void (*)(int, siginfo_t*, void*);

/// What the program has asked for, by signal. Read by our handler at any time.
struct Asked {
    std::atomic<void*> handler{nullptr};
    std::atomic<int> flags{0};
};
constexpr int kSignals = NSIG;
std::array<Asked, kSignals> asked_for;
/// Those for which siginterrupt has said that signal() leaves SA_RESTART out.
std::array<std::atomic<bool>, kSignals> without_restart;

/// Of these a handler of the thread's own fault is called; they end no call.
bool is_fault(int number) noexcept {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
           number == SIGABRT || number == SIGSYS;
}

// Noted after the program's handler: a call that returns EINTR looks at what the handler has set.
void handle(int number, siginfo_t* info, void* context) {
    const Asked& asked = asked_for[static_cast<std::size_t>(number)];
    void* const handler = asked.handler.load(std::memory_order_acquire);
    const int flags = asked.flags.load(std::memory_order_acquire);
    if ((flags & SA_SIGINFO) != 0)
        reinterpret_cast<InformedHandler>(handler)(number, info, context);
    else
        reinterpret_cast<Handler>(handler)(number);
    note_signal((flags & SA_RESTART) != 0);
}

bool is_ours(const struct sigaction& action) noexcept {
    return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle;
}

void* handler_of(const struct sigaction& action) noexcept {
    return (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<void*>(action.sa_sigaction)
                                               : reinterpret_cast<void*>(action.sa_handler);
}

/// What the program had asked for, in place of our handler.
void tell_as_asked(struct sigaction& action, void* handler, int flags) noexcept {
    if (!is_ours(action)) return;
    if ((flags & SA_SIGINFO) != 0)
        action.sa_sigaction = reinterpret_cast<InformedHandler>(handler);
    else
        action.sa_handler = reinterpret_cast<Handler>(handler);
    action.sa_flags = (action.sa_flags & ~SA_SIGINFO) | (flags & SA_SIGINFO);
}

/// Sets `handler` as signal(2) does, with `flags`; what was there, or SIG_ERR.
Handler set_handler(int number, Handler handler, int flags) noexcept {
    struct sigaction action {
    }, before{};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    if ((flags & SA_NODEFER) == 0 && number > 0 && number < kSignals) sigaddset(&action.sa_mask, number);
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names

extern "C" {

// What is asked for is noted first: from the kernel's call on, the signal may come.
int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
    if (number <= 0 || number >= kSignals || is_fault(number)) return system_calls().sigaction(number, action, before);
    Asked& asked = asked_for[static_cast<std::size_t>(number)];
    void* const handler_before = asked.handler.load();
    const int flags_before = asked.flags.load();
    struct sigaction through {};
    if (action != nullptr) through = *action;
    const bool handles = action != nullptr && ((action->sa_flags & SA_SIGINFO) != 0 ||
                                               (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN));
    if (handles && !is_ours(*action)) {
        asked.handler.store(handler_of(*action));
        asked.flags.store(action->sa_flags);
        through.sa_sigaction = handle;
        through.sa_flags |= SA_SIGINFO;
    }
    const int result = system_calls().sigaction(number, action == nullptr ? nullptr : &through, before);
    if (result == 0 && before != nullptr) tell_as_asked(*before, handler_before, flags_before);
    if (result == 0 || !handles) return result;
    asked.handler.store(handler_before);
    asked.flags.store(flags_before);
    return result;
}

Handler signal(int number, Handler handler) noexcept {
    const bool legal = number > 0 && number < kSignals;
    const bool restarts = !legal || !without_restart[static_cast<std::size_t>(number)].load();
    return set_handler(number, handler, restarts ? SA_RESTART : 0);
}
Handler bsd_signal(int number, Handler handler) noexcept { return signal(number, handler); }

/// System V's: for one signal, and calls are not restarted. Programs built by another standard call it as signal.
Handler sysv_signal(int number, Handler handler) noexcept {
    return set_handler(number, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}
Handler __sysv_signal(int number, Handler handler) noexcept { return sysv_signal(number, handler); }  // NOLINT

int siginterrupt(int number, int interrupts) noexcept {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0) return -1;
    without_restart[static_cast<std::size_t>(number)].store(interrupts != 0);
    action.sa_flags = interrupts != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(number, &action, nullptr);
}

}  // extern "C"

#endif
