#include "labs/kit/fault/fault.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <string>

#include "labs/kit/fault/cause.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/fault/frames.h"
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
        keep_abort_reason((std::string("an exception that no function catches: ") + error.what()).c_str());
    } catch (...) {
        keep_abort_reason("an exception that no function catches, and that is no std::exception");
    }
    std::abort();
}

std::atomic<void (*)() noexcept> waiting_teller{nullptr};
std::atomic<const char*> expected{nullptr};

constexpr int kHandled[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT};

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

void name_coroutine(SignalText& text, const Core& core) noexcept {
    text << (core.kind() == trace::CoKind::thread ? "the thread's own context" : "coroutine");
    text << " " << core.id();
    if (!core.given_name().empty()) text << " '" << core.given_name() << "'";
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
    FaultReport report{.signal = signal, .kind = kind, .name = name_of(current), .text = text.data()};
    if (current != nullptr) {
        if (current->id() != 0 || !Core::is_alone()) report.coroutine = current->id();
        report.stack_size = current->stack().size;
        report.depth = thread.callers.depth();
    }
    report_fault(report);
    if (const char* const sentence = expected.load(); sentence != nullptr) report_expected(sentence);
    if (auto* const tell_waiting = waiting_teller.load(); tell_waiting != nullptr && signal == SIGTERM) tell_waiting();
    // After that: of a test that has hung while it recorded, the grader does not wait for the end of a long trace.
    trace::write_from_signal(current != nullptr ? current->id() : trace::kNone, text);
    say_on_stderr(text);
}

[[noreturn]] void die_of(int signal) noexcept {
    ::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    _exit(128 + signal);
}

// The first thread that comes tells. Another one waits for its end. A fault while it looks at the stack ends the look;
// any other fault while it tells is the end.
void enter_once(int signal) noexcept {
    static std::atomic<pid_t> teller{0};
    const auto mine = static_cast<pid_t>(syscall(SYS_gettid));
    pid_t before = 0;
    if (teller.compare_exchange_strong(before, mine)) return;
    if (before == mine) {
        leave_walk();
        die_of(signal);
    }
    for (;;) pause();
}

void handle(int signal, siginfo_t* info, void* context) {
    enter_once(signal);
    const ThreadState& thread = thread_state();
    const Core* current = thread.own != nullptr ? thread.current : nullptr;
    MachineState machine(context);
    SignalText text;
    text << signal_name(signal) << " in ";
    if (current != nullptr)
        tell_place(text, thread);
    else
        text << "a thread without coroutines";
    text << ": ";
    const char* kind = tell_cause(text, *info, machine, current);
    tell(signal, text.c_str(), kind);
    if (signal != SIGINT) tell_frames(frames_of(machine, on_its_stack(machine, current)), signal == SIGABRT);
    die_of(signal);
}

void end_trace_unfinished(const char* text) noexcept {
    const ThreadState& thread = thread_state();
    trace::write_from_signal(thread.own != nullptr ? thread.current->id() : trace::kNone, text);
}

}  // namespace

void install_fault_handler() {
    this_thread();
    fault_handler_tells_reasons();
    prepare_frames();
    std::set_terminate(keep_exception_as_reason);
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // a fault while one is told must come too
    sigemptyset(&action.sa_mask);
    set_exit_hook(end_trace_unfinished);
    for (const int signal : kHandled) sigaction(signal, &action, nullptr);
}

Expected::Expected(const char* sentence) noexcept {
    // Told by exit() too, if that comes before the end of the scope.
    static const int registered = std::atexit([] {
        if (const char* const left = expected.load(); left != nullptr) report_expected(left);
    });
    static_cast<void>(registered);
    expected.store(sentence);
}
Expected::~Expected() { expected.store(nullptr); }

void set_waiting_teller(void (*tell)() noexcept) noexcept { waiting_teller.store(tell); }

void remove_fault_handler() noexcept {
    for (const int signal : kHandled) ::signal(signal, SIG_DFL);
    set_exit_hook(nullptr);
}

}  // namespace fiberscope::kit
