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
#include "languages/spoken_error.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

namespace {

// Reports the exception from std::terminate, while it is still accessible.
void keep_exception_as_reason() {
    try {
        if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
        keep_abort_reason("std::terminate was called");
    } catch (const std::exception& error) {
        keep_abort_reason(message("uncaught exception: {0}", Value::of(message_of(error))).c_str());
    } catch (...) {
        keep_abort_reason("uncaught exception that is not a std::exception");
    }
    std::abort();
}

std::atomic<void (*)() noexcept> waiting_teller{nullptr};
std::atomic<const char*> expected{nullptr};

constexpr Text kInCoroutine = mark("{0} in coroutine {1}{2} (stack of {3} bytes, nested {4} deep): {5}"),
               kInThread = mark("{0} in the thread's own context {1}{2} (stack of {3} bytes, nested {4} deep): {5}"),
               kInNone = mark("{0} in a thread without coroutines: {1}"), kFault = mark("fiberscope: {0}"),
               kTrace = mark("the trace up to here: {0}");

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

/// A text and all its values except the last one, the cause: the signal, the number, the name in quotes, bytes, depth.
void tell_place(SignalText& text, int signal, const ThreadState& thread) noexcept {
    const Core& core = *thread.current;
    text << (core.kind() == trace::CoKind::thread ? kInThread : kInCoroutine).english << "\t" << signal_name(signal)
         << "\t" << core.id() << "\t";
    if (!core.given_name().empty()) text << " '" << core.given_name() << "'";
    text << "\t" << core.stack().size << "\t" << thread.callers.depth();
}

const char* name_of(const Core* core) noexcept { return core != nullptr ? core->given_name().data() : ""; }

void say_on_stderr(std::string_view text) noexcept {
    SignalText fault, trace;
    fault << kFault.english << "\t\x0e" << text << "\x0f";
    tell_person(fault.view());
    if (trace::file().empty()) return;
    trace << kTrace.english << "\t" << trace::file().native();
    tell_person(trace.view());
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
    // After that, because the grader does not wait for a long trace of a test that hung while it recorded.
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

// Only the first thread reports; others wait for it to finish. A fault during unwinding aborts the unwinding; any other
// fault during the report ends the process.
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
    if (current != nullptr)
        tell_place(text, signal, thread);
    else
        text << kInNone.english << "\t" << signal_name(signal);
    text << "\t\x0e";
    const char* kind = tell_cause(text, *info, machine, current);
    text << "\x0f";
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
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // nested faults must be delivered
    sigemptyset(&action.sa_mask);
    set_exit_hook(end_trace_unfinished);
    for (const int signal : kHandled) sigaction(signal, &action, nullptr);
}

Expected::Expected(const char* sentence) noexcept {
    // Also reported by exit() if that is called before the end of the scope.
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
