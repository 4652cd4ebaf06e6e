#include "labs/kit/fault/fault.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>

#include "labs/kit/report/abort.h"
#include "labs/kit/report/report.h"
#include "labs/kit/report/signal_text.h"
#include "labs/kit/run/thread_state.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

namespace {

// std::terminate's last words, while the exception can still be asked.
void keep_exception_as_reason() {
    try {
        if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
        keep_abort_reason("std::terminate was called");
    } catch (const std::exception& error) {
        keep_abort_reason((std::string("an exception that nobody catches: ") + error.what()).c_str());
    } catch (...) {
        keep_abort_reason("an exception that nobody catches, and that is no std::exception");
    }
    std::abort();
}

constexpr int kHandled[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT};

std::uintptr_t stack_pointer(const void* context) noexcept {
    const auto* machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(machine->gregs[REG_RSP]);
#elif defined(__aarch64__)
    return machine->sp;
#endif
}

std::string_view signal_name(int signal) noexcept {
    switch (signal) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGILL: return "SIGILL";
    case SIGFPE: return "SIGFPE";
    case SIGABRT: return "SIGABRT";
    case SIGTERM: return "SIGTERM";
    case SIGINT: return "SIGINT";
    default: return "a signal";
    }
}

bool is_bad_access(int signal) noexcept { return signal == SIGSEGV || signal == SIGBUS; }

void name_coroutine(SignalText& text, const Core& core) noexcept {
    text << (core.kind() == trace::CoKind::thread ? "the thread's own context" : "coroutine");
    text << " " << core.id();
    if (!core.given_name().empty()) text << " '" << core.given_name() << "'";
}

struct Cause {
    const char* kind;
    const char* words;
};

// In the order of how sure we are: a guard is certain, a stray stack pointer nearly so.
Cause cause_of(int signal, std::uintptr_t address, std::uintptr_t sp, const Core* current) noexcept {
    const StackBounds stack = current != nullptr ? current->stack() : StackBounds{};
    if (is_bad_access(signal) && stack.bottom != nullptr && in_guard(stack, address))
        return {"stack overflow", "stack overflow, the guard below its stack was hit"};
    const bool by_itself = signal != SIGTERM && signal != SIGINT;  // from outside it may come in the middle of a switch
    if (by_itself && stack.bottom != nullptr && !stack.contains(sp) && !in_guard(stack, sp))
        return {"stray stack pointer", "the stack pointer is not in its stack: was the right one saved and loaded?"};
    if (is_bad_access(signal) && address < 4096) return {"null pointer", "a null pointer was used"};
    if (is_bad_access(signal)) return {"bad address", "memory that is not there was used"};
    switch (signal) {
    case SIGABRT:
        return {"abort", *abort_reason() != '\0' ? abort_reason() : "the program gave up (abort, or a failed assert)"};
    case SIGILL: return {"illegal instruction", "control arrived where no code is meant to be"};
    case SIGINT: return {"interrupted", "it was interrupted, by Ctrl-C perhaps"};
    case SIGFPE: return {"arithmetic error", "an arithmetic error, such as a division by zero"};
    default: return {"ended from outside", "it was ended from outside, by a time limit perhaps"};
    }
}

void tell_place(SignalText& text, const ThreadState& thread) noexcept {
    const Core& core = *thread.current;
    name_coroutine(text, core);
    text << " (stack of " << core.stack().size << " bytes, nested " << thread.callers.depth() << " deep)";
}

const char* name_of(const Core* core) noexcept { return core != nullptr ? core->given_name().data() : ""; }

void say_on_stderr(std::string_view text) noexcept {
    SignalText line;
    line << "fiberscope: " << text << "\n";
    if (!trace::file().empty()) line << "the trace up to here: " << trace::file().native() << "\n";
    if (write(STDERR_FILENO, line.view().data(), line.view().size()) < 0) return;
}

void tell(int signal, std::string_view text, const char* kind) noexcept {
    const ThreadState& thread = thread_state();
    const Core* current = thread.own != nullptr ? thread.current : nullptr;
    trace::write_from_signal(current != nullptr ? current->id() : trace::kNone, text);
    FaultReport report{.signal = signal, .kind = kind, .name = name_of(current), .text = text.data()};
    if (current != nullptr) {
        report.coroutine = current->id();
        report.stack_size = current->stack().size;
        report.depth = thread.callers.depth();
    }
    report_fault(report);
    say_on_stderr(text);
}

void handle(int signal, siginfo_t* info, void* context) {
    static std::atomic_flag entered = ATOMIC_FLAG_INIT;
    if (entered.test_and_set()) _exit(128 + signal);
    const ThreadState& thread = thread_state();
    const Core* current = thread.own != nullptr ? thread.current : nullptr;
    const Cause cause =
        cause_of(signal, reinterpret_cast<std::uintptr_t>(info->si_addr), stack_pointer(context), current);
    SignalText text;
    text << signal_name(signal) << " in ";
    if (current != nullptr)
        tell_place(text, thread);
    else
        text << "a thread without coroutines";
    text << ": " << cause.words;
    tell(signal, text.c_str(), cause.kind);
    ::signal(signal, SIG_DFL);
    raise(signal);
}

void end_trace_unfinished(const char* text) noexcept {
    const ThreadState& thread = thread_state();
    trace::write_from_signal(thread.own != nullptr ? thread.current->id() : trace::kNone, text);
}

}  // namespace

void install_fault_handler() {
    this_thread();
    fault_handler_tells_reasons();
    std::set_terminate(keep_exception_as_reason);
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    set_exit_hook(end_trace_unfinished);
    for (const int signal : kHandled) sigaction(signal, &action, nullptr);
}

}  // namespace fiberscope::kit
