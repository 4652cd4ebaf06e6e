#include "extras/record/crash.h"

#include <signal.h>
#include <sys/mman.h>

#include "extras/record/recording.h"

namespace fiberscope::preload {
namespace {

struct Deadly {
    int signal;
    const char* name;  ///< null: not a fault of the program
};
constexpr Deadly kDeadly[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"},
                              {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGINT, nullptr},  {SIGTERM, nullptr},
                              {SIGHUP, nullptr},    {SIGQUIT, nullptr},   {SIGPIPE, nullptr}, {SIGALRM, nullptr},
                              {SIGUSR1, nullptr},   {SIGUSR2, nullptr}};

void handle(int signal) {
    for (const Deadly& deadly : kDeadly)
        if (deadly.signal == signal) deadly.name == nullptr ? end_abruptly() : end_with_fault(deadly.name);
    ::signal(signal, SIG_DFL);
    ::raise(signal);  // delivered when this handler returns
}

}  // namespace

void handle_crashes() {
    for (const Deadly& deadly : kDeadly) {
        struct sigaction action {};
        if (::sigaction(deadly.signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action = {};
        action.sa_handler = handle;
        action.sa_flags = SA_ONSTACK;
        ::sigaction(deadly.signal, &action, nullptr);
    }
}

void provide_signal_stack() {
    constexpr std::size_t kSize = 64 * 1024;
    stack_t stack{};
    if (::sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) return;
    void* const memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack = {};
    stack.ss_sp = memory;
    stack.ss_size = kSize;
    ::sigaltstack(&stack, nullptr);
}

}  // namespace fiberscope::preload
