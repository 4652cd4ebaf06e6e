#include "extras/record/recording.h"

#include <fcntl.h>
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
    int own_work = 0;              ///< number of OwnWork; a signal handler that switches may leave several
};
thread_local constinit Thread t_thread;

enum class Phase { not_begun, recording, over };
std::atomic<Phase> phase{Phase::not_begun};
std::atomic<std::uint32_t> recordings{0};  ///< number of recordings of this process, with those of its ancestors
std::atomic<pid_t> owner{0};               ///< the process that records
std::mutex beginning;

// A signal handler that interrupts this library's work may fork. Its child is not recorded.
void before_fork() {
    if (t_thread.own_work != 0) return;
    trace::flush();  // the parent may end by daemon(), whose _exit is not interposed
    hold_names();
    beginning.lock();
    coroutines::hold();
}
void after_fork() {
    if (t_thread.own_work != 0) return;
    coroutines::release();
    beginning.unlock();
    release_names();
}
void after_fork_in_child() {
    phase = t_thread.own_work == 0 ? Phase::not_begun : Phase::over;
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

/// Appends the file's name, empty if it cannot be written, to the list of ./lab record, which may have ended.
void list(const std::string& file) {
    const char* all = std::getenv("FIBERSCOPE_TRACED_FILES");
    const int fd = all == nullptr ? -1 : ::open(all, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0) return;
    [[maybe_unused]] const auto written = ::write(fd, file.c_str(), file.size() + 1);
    ::close(fd);
}

void end_with_the_process() { phase = Phase::over; }

bool open(const std::string& file) {
    fiberscope_options options{};
    options.library = "fiberscope record";
    options.program = program_invocation_short_name;
    const int error = fiberscope_open(file.c_str(), &options);
    if (error != 0) {
        std::fprintf(stderr, "fiberscope record: cannot write %s: %s\n", file.c_str(), std::strerror(error));
        list({});
        return false;
    }
    list(file);
    static std::once_flag once;
    std::call_once(once, [] {
        std::at_quick_exit(end_abruptly);
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
        t_thread.base = &coroutines::add_thread(stack_of_thread());
        t_thread.base->name = gettid() == getpid() ? "main" : coroutines::numbered(name_of_thread(t_thread.entry));
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

OwnWork::OwnWork() noexcept : is_nested_(t_thread.own_work++ != 0), error_(errno) {}
OwnWork::~OwnWork() {
    errno = error_;
    --t_thread.own_work;
}

bool begin() noexcept {
    if (phase.load(std::memory_order_acquire) == Phase::recording) return true;
    if (phase.load(std::memory_order_relaxed) == Phase::over) return false;
    try {
        const Uncancelled whole;
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

void created(Coroutine& coroutine, const Coroutine& parent, const std::string& name) {
    coroutine.name = coroutines::numbered(name);
    spawn(coroutine, parent.number);
}

Coroutine& running(std::uintptr_t sp) {
    prepare_thread();
    Coroutine& known = *t_thread.current;
    if (known.stack.contains(sp)) return known;
    Coroutine* const on_stack = coroutines::find(sp);
    if (on_stack != nullptr || t_thread.base->stack.contains(sp)) switched(known, on_stack, Left::saved);
    return *t_thread.current;
}

void switched(Coroutine& from, Coroutine* target, Left how) {
    Coroutine& to = target == nullptr ? *t_thread.base : *target;
    if (&from == &to) return;
    if (to.recording != recordings || to.is_dead) spawn(to, from.number);
    fiberscope_unpark();  // if a signal handler switches while the thread blocks, or jumps out of the call
    const fiberscope_why why = why_of(from, to, how);
    fiberscope_switch(from.number, to.number, why, state_of(from, how), nullptr);
    if (from.is_thread) from.resumes = how == Left::saved;
    from.is_dead = !from.is_thread && how != Left::saved;
    from.is_running = false;
    to.is_entered = to.is_running = true;
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

bool can_park() noexcept {
    return t_thread.own_work == 0 && t_thread.is_known && phase.load(std::memory_order_acquire) == Phase::recording;
}

void park(const char* function) noexcept {
    if (!can_park()) return;
    const OwnWork work;
    try {
        prepare_thread();
        fiberscope_park(function);
    } catch (...) {  // out of memory
    }
}

void unpark() noexcept {
    if (t_thread.own_work != 0 || t_thread.base == nullptr) return;
    const OwnWork work;
    fiberscope_unpark();
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
/// Runs in the main thread.
[[gnu::constructor]] void prepare_process() {
    original();
    trace::handle_fork_and_exit();
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    std::atexit(end_with_the_process);
    t_thread.is_known = true;
}
}  // namespace

}  // namespace fiberscope::preload
