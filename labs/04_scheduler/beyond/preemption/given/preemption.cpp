// Given for preemption: the signal, its timer, and the section of preemptible code.
#include "labs/04_scheduler/beyond/preemption/preemption.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "labs/04_scheduler/machines.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

// The linker defines these for a section whose name is a valid identifier.
extern "C" const char __start_preemptible[] __attribute__((visibility("hidden")));
extern "C" const char __stop_preemptible[] __attribute__((visibility("hidden")));

namespace fiberscope::lab04 {

namespace {

// ns. With the real clock a shorter quantum leaves a task no time between two signals.
constexpr std::uint64_t kShortestQuantum = 1000, kShortestRealQuantum = 20'000;
thread_local Preemption* of_this_thread = nullptr;
// The target of a signal. In memory, not in registers of work_preemptibly: each switch records the registers, and
// system-dependent numbers would make recordings differ.
thread_local pid_t process_here = 0, thread_here = 0;

std::uintptr_t pc_of(const void* context) {
    const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#else
    return machine.pc;
#endif
}

// Other tasks run in on_tick() before the stopped one continues, and may change errno.
void tick_at(std::uintptr_t pc) {
    const int error = errno;
    of_this_thread->on_tick(pc);
    errno = error;
}

void handle_tick(int, siginfo_t*, void* context) {
    if (of_this_thread != nullptr) tick_at(pc_of(context));
}

#ifdef FIBERSCOPE_TSAN
// ThreadSanitizer delays a signal until the thread calls the C library. So no signal is raised, and this does the work
// of the handler.
[[gnu::always_inline]] inline void raise_here(pid_t, pid_t) {
    tick_at(reinterpret_cast<std::uintptr_t>(&work_preemptibly));
}
#else
// Raises SIGURG in this thread by an instruction inlined into the caller, so that the caller is interrupted.
[[gnu::always_inline]] inline void raise_here(pid_t process, pid_t thread) {
#if defined(__x86_64__)
    long number = SYS_tgkill;
    asm volatile("syscall" : "+a"(number) : "D"(process), "S"(thread), "d"(SIGURG) : "rcx", "r11", "memory");
#else
    register long number asm("x8") = SYS_tgkill;
    register long first asm("x0") = process;
    register long second asm("x1") = thread;
    register long third asm("x2") = SIGURG;
    asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
#endif
}
#endif

}  // namespace

class Preemption::Signal {
  public:
    explicit Signal(std::uint64_t quantum) {
        struct sigaction action {};
        action.sa_sigaction = &handle_tick;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigaction(SIGURG, &action, &before_);
        if (kit::clock_kind() != kit::ClockKind::virtual_) start_timer(quantum);
    }
    ~Signal() {
        if (timer_) timer_delete(*timer_);
        sigaction(SIGURG, &before_, nullptr);
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;

  private:
    void start_timer(std::uint64_t quantum) {
        sigevent tells{};
        tells.sigev_notify = SIGEV_THREAD_ID;
        tells.sigev_signo = SIGURG;
        tells._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
        timer_t timer{};
        const itimerspec times{kit::timespec_of(quantum), kit::timespec_of(quantum)};
        const bool made = timer_create(CLOCK_MONOTONIC, &tells, &timer) == 0;
        if (made) timer_ = timer;
        if (made && timer_settime(timer, 0, &times, nullptr) == 0) return;
        const int error = errno;
        if (made) timer_delete(timer);
        sigaction(SIGURG, &before_, nullptr);
        throw std::system_error(error, std::generic_category(), "no timer for preemption");
    }

    struct sigaction before_ {};
    std::optional<timer_t> timer_;
};

namespace {

Scheduler& scheduler_to_preempt(std::uint64_t quantum) {
    Scheduler* const here = SchedulerBase::here();
    if (here == nullptr) throw std::logic_error("preemption needs a scheduler: make one on this thread first");
    if (of_this_thread != nullptr) throw std::logic_error("this thread has a Preemption already");
    if (here->shared().has_several_threads())
        throw std::logic_error("preemption is for a scheduler of one thread: choose another strategy");
    const bool is_virtual = kit::clock_kind() == kit::ClockKind::virtual_;
    const std::uint64_t shortest = is_virtual ? kShortestQuantum : kShortestRealQuantum;
    if (quantum < shortest)
        throw Spoken<std::invalid_argument>(message("a quantum is {0} ns at least, not {1}", shortest, quantum));
    return *here;
}

}  // namespace

Preemption::Preemption(std::uint64_t quantum)
    : sched_(scheduler_to_preempt(quantum)), quantum_(quantum), signal_(std::make_unique<Signal>(quantum)) {
    process_here = getpid();
    thread_here = static_cast<pid_t>(syscall(SYS_gettid));
    of_this_thread = this;
}

Preemption::~Preemption() {
    signal_.reset();
    of_this_thread = nullptr;
}

Preemption* Preemption::here() noexcept { return of_this_thread; }

Task* Preemption::running() const noexcept {
    Task* const last = sched_.running();
    return last != nullptr && &last->core() == kit::thread_state().current ? last : nullptr;
}

bool Preemption::is_preemptible(std::uintptr_t pc) noexcept {
    return pc >= reinterpret_cast<std::uintptr_t>(__start_preemptible) &&
           pc < reinterpret_cast<std::uintptr_t>(__stop_preemptible);
}

void Preemption::unblock_signal() noexcept {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

void Preemption::stop() {
    Task& self = running_task();
    ++stops_;
    kit::note("a signal stops it");
    try {
        leave(self, State::ready);
    } catch (...) {  // unwound by its scheduler; no exception can leave the interrupted code
        kit::abort_because(
            message("task '{0}' was stopped by a signal and cannot be unwound: let it end before its scheduler does",
                    self.core().name()));
    }
}

bool Preemption::use(std::uint64_t ns) noexcept {
    used_ += ns;
    if (used_ < quantum_) return false;
    used_ = 0;
    return true;
}

namespace {
std::uint64_t until_tick(const Preemption* ticks, std::uint64_t ns) {
    return ticks == nullptr ? ns : std::min(ns, ticks->left());
}
}  // namespace

void work_preemptibly(std::uint64_t ns) {
    if (kit::clock_kind() != kit::ClockKind::virtual_) {
        const std::uint64_t until = kit::plus(kit::now(), ns);
        while (kit::now() < until)
            for (int i = 0; i < 1000; ++i) asm volatile("");  // nearly always here when the signal arrives
        return;
    }
    Preemption* const ticks = Preemption::here();
    while (ns > 0) {
        const std::uint64_t part = until_tick(ticks, ns);
        kit::work(part);
        ns -= part;
        if (ticks != nullptr && ticks->use(part)) raise_here(process_here, thread_here);
    }
}

}  // namespace fiberscope::lab04
