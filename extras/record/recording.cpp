#include "extras/record/recording.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "extras/record/crash.h"
#include "extras/record/interposed.h"
#include "extras/record/names.h"
#include "traces/record/recorder.h"
#include "traces/record/state.h"

namespace fiberscope::preload {
namespace {

/// The calling thread. Plain data: signal handlers read it.
struct Thread {
    Coroutine* base = nullptr;     ///< its own context
    Coroutine* current = nullptr;  ///< the coroutine that it runs
    std::uint32_t recording = 0;   ///< the recording that it is registered in
    std::uintptr_t entry = 0;      ///< its function; 0: the main thread
    bool is_known = false;         ///< the main thread, or created by the program
    bool does_own_work = false;
};
thread_local constinit Thread t_thread;

enum class Phase { not_begun, recording, over };
std::atomic<Phase> phase{Phase::not_begun};
std::atomic<std::uint32_t> recordings{0};  ///< number of recordings of this process, with those of its ancestors
std::atomic<pid_t> owner{0};               ///< the process that records
std::mutex beginning;

void before_fork() {
    beginning.lock();
    coroutines::hold();
}
void after_fork() {
    coroutines::release();
    beginning.unlock();
}
void after_fork_in_child() {
    phase = Phase::not_begun;
    after_fork();
}

/// The file of this process: the given one for the program, others get their process number.
std::string file_of_this_process() {
    const char* given = std::getenv("FIBERSCOPE_TRACE_FILE");
    const char* program = std::getenv("FIBERSCOPE_TRACED_PROCESS");
    if (given == nullptr) return {};
    std::string file(given);
    const std::string self = std::to_string(getpid());
    if (program == nullptr || self == program) return file;
    const std::size_t end = file.ends_with(".json") ? file.size() - 5 : file.size();
    return file.insert(end, '.' + self);
}

void end_with_the_process() { phase = Phase::over; }

bool open(const std::string& file) {
    fiberscope_options options{};
    options.library = "fiberscope record";
    options.program = program_invocation_short_name;
    const int error = fiberscope_open(file.c_str(), &options);
    if (error != 0) {
        std::fprintf(stderr, "fiberscope record: cannot write %s: %s\n", file.c_str(), std::strerror(error));
        return false;
    }
    static std::once_flag once;
    std::call_once(once, [] {
        std::atexit(end_with_the_process);
        pthread_atfork(before_fork, after_fork, after_fork_in_child);
        handle_crashes();
    });
    return true;
}

Stack stack_of_thread() {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    const auto begin = reinterpret_cast<std::uintptr_t>(low);
    return {begin, begin + size};
}

void register_thread() {
    if (t_thread.base == nullptr) {
        t_thread.base = &coroutines::add(stack_of_thread());
        t_thread.base->is_thread = true;
        t_thread.base->name = t_thread.entry == 0 ? "main" : coroutines::numbered(name_of_thread(t_thread.entry));
        provide_signal_stack();
    }
    Coroutine& base = *t_thread.base;
    base.number = fiberscope_thread(base.name.c_str());
    base.recording = t_thread.recording = recordings;
    base.is_entered = true;
    base.resumes = false;
}

void spawn(Coroutine& coroutine, fiberscope_co parent) {
    const Stack& stack = coroutine.stack;
    coroutine.number = fiberscope_spawn(FIBERSCOPE_TASK, coroutine.name.c_str(), parent, stack.high - stack.low);
    coroutine.recording = recordings;
    coroutine.is_entered = coroutine.is_dead = false;
}

/// Registers the thread, and in a child of fork the coroutine that it runs.
void prepare_thread() {
    if (t_thread.base != nullptr && t_thread.recording == recordings) return;
    Coroutine* const runs = t_thread.current;
    register_thread();
    t_thread.current = t_thread.base;
    if (runs != nullptr && runs != t_thread.base) switched(*t_thread.base, runs, Left::saved);
}

fiberscope_why why_of(const Coroutine& from, const Coroutine& to, Left how) {
    if (to.is_thread && to.resumes && how != Left::unsaved)
        return how == Left::ended ? FIBERSCOPE_EXIT : FIBERSCOPE_YIELD;
    if (how != Left::saved) return FIBERSCOPE_JUMP;
    if (!from.is_thread) return FIBERSCOPE_SWAP;
    return to.is_entered ? FIBERSCOPE_RESUME : FIBERSCOPE_START;
}

fiberscope_state state_of(const Coroutine& from, Left how) {
    if (from.is_thread) return how == Left::saved ? FIBERSCOPE_NORMAL : FIBERSCOPE_SUSPENDED;
    return how == Left::saved ? FIBERSCOPE_SUSPENDED : FIBERSCOPE_DEAD;
}

}  // namespace

OwnWork::OwnWork() noexcept : is_nested_(t_thread.does_own_work) { t_thread.does_own_work = true; }
void OwnWork::end() noexcept { t_thread.does_own_work = is_nested_; }

bool begin() noexcept {
    if (phase.load(std::memory_order_acquire) == Phase::recording) return true;
    if (phase.load(std::memory_order_relaxed) == Phase::over) return false;
    try {
        const std::lock_guard guard(beginning);
        if (phase.load(std::memory_order_relaxed) != Phase::not_begun) return phase == Phase::recording;
        const std::string file = file_of_this_process();
        const bool works = !file.empty() && open(file);
        if (works) {
            recordings.fetch_add(1, std::memory_order_relaxed);
            owner = getpid();
        }
        phase.store(works ? Phase::recording : Phase::over, std::memory_order_release);
        return works;
    } catch (...) {  // out of memory
        return false;
    }
}

void created(Coroutine& coroutine, const std::string& name) {
    coroutine.name = coroutines::numbered(name);
    prepare_thread();
    spawn(coroutine, t_thread.current->number);
}

Coroutine& running(std::uintptr_t sp) {
    prepare_thread();
    Coroutine* const on_stack = t_thread.current->stack.contains(sp) ? t_thread.current : coroutines::find(sp);
    if (on_stack != nullptr && on_stack != t_thread.current && (!on_stack->is_thread || on_stack == t_thread.base))
        switched(*t_thread.current, on_stack, Left::saved);
    return *t_thread.current;
}

void switched(Coroutine& from, Coroutine* target, Left how) {
    Coroutine& to = target == nullptr ? *t_thread.base : *target;
    if (&from == &to) return;
    if (to.recording != recordings || to.is_dead) spawn(to, from.number);
    const fiberscope_why why = why_of(from, to, how);
    fiberscope_switch(from.number, to.number, why, state_of(from, how), nullptr);
    if (from.is_thread) from.resumes = how == Left::saved;
    from.is_dead = !from.is_thread && how != Left::saved;
    to.is_entered = true;
    to.resumes = false;
    t_thread.current = &to;
}

void thread_began(std::uintptr_t entry) noexcept {
    t_thread.is_known = true;
    t_thread.entry = entry;
    const OwnWork work;
    if (phase.load(std::memory_order_acquire) != Phase::recording) return;
    try {
        prepare_thread();
    } catch (...) {  // out of memory: the thread is not recorded
    }
}

void park(const char* function) noexcept {
    if (t_thread.does_own_work || !t_thread.is_known) return;
    if (phase.load(std::memory_order_acquire) != Phase::recording) return;
    const OwnWork work;
    const int error = errno;
    try {
        prepare_thread();
        fiberscope_park(function);
    } catch (...) {  // out of memory
    }
    errno = error;
}

void unpark() noexcept {
    if (t_thread.does_own_work || t_thread.base == nullptr) return;
    const OwnWork work;
    const int error = errno;
    fiberscope_unpark();
    errno = error;
}

void end_abruptly() noexcept {
    if (phase.load(std::memory_order_relaxed) != Phase::recording || owner != getpid()) return;
    phase = Phase::over;
    trace::detail::end_abruptly(nullptr);
}

void end_with_fault(const char* what) noexcept {
    if (phase.load(std::memory_order_relaxed) != Phase::recording || owner != getpid()) return;
    phase = Phase::over;
    const Coroutine* runs = t_thread.current;
    trace::write_from_signal(runs == nullptr ? trace::kNone : runs->number, what);
}

namespace {
/// The library is loaded by the main thread.
[[gnu::constructor]] void know_main_thread() {
    original();
    t_thread.is_known = true;
}
}  // namespace

}  // namespace fiberscope::preload
