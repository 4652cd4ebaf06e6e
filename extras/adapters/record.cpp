// The C interface of the recorder: numbers for coroutines, and the touches that make the merge of threads causal.
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "extras/adapters/fiberscope/record.h"
#include "labs/kit/time/cycle_clock.h"
#include "traces/record/recorder.h"

using namespace fiberscope;

namespace {

/// State stored for a number.
struct Kept {
    trace::CausalStamp touch;
    bool running = false;  ///< of a coroutine
};

/// The states by number, created on first use and never moved, so that they can be read without a lock.
class KeptByNumber {
  public:
    Kept& operator[](std::uint32_t number) noexcept {
        std::atomic<Chunk*>& place = chunks_[(number / kChunk) % kChunks];
        Chunk* chunk = place.load(std::memory_order_acquire);
        if (chunk == nullptr) [[unlikely]]
            chunk = made(place);
        return (*chunk)[number % kChunk];
    }

  private:
    static constexpr std::size_t kChunk = 1024, kChunks = 65536;  // beyond that numbers share a touch: still causal
    using Chunk = std::array<Kept, kChunk>;

    static Chunk* made(std::atomic<Chunk*>& place) noexcept {
        static Chunk spare;  // shared by all if memory is exhausted
        auto* fresh = new (std::nothrow) Chunk;
        if (fresh == nullptr) return &spare;
        Chunk* there = nullptr;
        if (place.compare_exchange_strong(there, fresh, std::memory_order_acq_rel)) return fresh;
        delete fresh;
        return there;
    }

    std::array<std::atomic<Chunk*>, kChunks> chunks_{};
};

struct Recording {
    std::uint64_t (*now)() = nullptr;
    std::uint64_t begin = 0;
    kit::CycleClock clock;
    std::atomic<std::uint32_t> next{0};
    std::atomic<std::uint32_t> threads{0};  ///< registered threads that are alive
    std::atomic<std::uint32_t> trace{0};    ///< which trace of this process
};

/// State of the calling thread.
struct Thread {
    std::uint32_t trace = 0;  ///< in which trace `number` is its own
    fiberscope_co number = FIBERSCOPE_NONE;
    bool parked = false;
    const char* reason = nullptr;  ///< why it is parked
};
thread_local constinit Thread t_thread;

KeptByNumber coroutines, sets;
Recording* current = nullptr;  // never destroyed: a thread may still read the time
std::mutex opening;

std::uint64_t now() noexcept {
    return (current->now != nullptr ? current->now() : current->clock.now()) - current->begin;
}

std::string_view view(const char* text) noexcept { return text == nullptr ? std::string_view() : text; }

void record(const trace::Event& event, fiberscope_co co, const char* text = nullptr) noexcept {
    trace::record(now(), event, coroutines[co].touch, view(text));
}

/// The calling thread as a part of the open trace; null if it is not one.
Thread* this_thread() noexcept {
    if (!trace::recording() || t_thread.number == FIBERSCOPE_NONE || t_thread.trace != current->trace) return nullptr;
    return &t_thread;
}

void end_thread() noexcept {
    Thread* thread = this_thread();
    if (thread == nullptr) return;
    fiberscope_unpark();
    const fiberscope_co number = std::exchange(thread->number, FIBERSCOPE_NONE);
    if (coroutines[number].running)
        record(trace::state_event(number, trace::State::running, trace::State::dead, trace::Cause::stop), number);
    coroutines[number].running = false;
    trace::record(now(), trace::machine_event(trace::MachineOp::stop));
    // The process ends with its last thread: it must not be the recorder's.
    if (--current->threads == 0) trace::stop_writing_in_background();
}

/// Calls end_thread() when this thread ends, in the last of the rounds in which the C library calls destructors:
/// libraries may switch coroutines in theirs.
void watch_end_of_thread(std::uintptr_t round) noexcept {
    static const auto key = [] {
        pthread_key_t made{};
        const auto next = [](void* last) { watch_end_of_thread(reinterpret_cast<std::uintptr_t>(last) + 1); };
        const bool is_made = pthread_key_create(&made, next) == 0;
        return std::optional<pthread_key_t>(is_made ? std::optional(made) : std::nullopt);
    }();
    if (round > PTHREAD_DESTRUCTOR_ITERATIONS) return end_thread();
    if (key) pthread_setspecific(*key, reinterpret_cast<void*>(round));
}

int begin(const char* file, const fiberscope_options& options) {
    const std::lock_guard lock(opening);
    if (trace::recording()) return EBUSY;
    trace::Meta meta;
    meta.lab = view(options.library);
    meta.program = view(options.program);
    meta.clock = options.now != nullptr ? "virtual" : "monotonic";
    static Recording one;
    if (options.now == nullptr) new (&one.clock) kit::CycleClock;
    one.now = options.now;
    one.begin = options.now != nullptr ? options.now() : 0;
    one.next = one.threads = 0;
    ++one.trace;
    current = &one;
    trace::open(file, meta);
    // Excludes the duration of opening, which is not the program's time.
    if (options.now == nullptr) {
        trace::write_in_background();
        one.begin = one.clock.now();
    }
    return 0;
}

/// Runs `action` and returns an error code instead of throwing, for C programs.
template <class F>
int status_of(F&& action) noexcept {
    try {
        return action();
    } catch (const std::system_error& error) {
        return error.code().value();
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    } catch (const std::exception&) {
        return EINVAL;
    }
}

void tell_switch(fiberscope_co from, fiberscope_co to, fiberscope_why why, fiberscope_state left, std::int64_t until,
                 const char* reason) noexcept {
    if (!trace::recording() || from == FIBERSCOPE_NONE || to == FIBERSCOPE_NONE) return;
    trace::record(now(),
                  trace::switch_event(from, to, static_cast<trace::Why>(why), static_cast<trace::State>(left), until),
                  coroutines[from].touch, coroutines[to].touch, view(reason));
    coroutines[from].running = false;
    coroutines[to].running = true;
}

void tell_set(trace::Kind kind, fiberscope_set set, fiberscope_co co, const char* key) noexcept {
    if (!trace::recording() || set == FIBERSCOPE_NONE || co == FIBERSCOPE_NONE) return;
    trace::record(now(), trace::set_event(kind, set, co), coroutines[co].touch, sets[set].touch, view(key));
}

fiberscope_co spawn(trace::CoKind kind, const char* name, fiberscope_co parent, std::size_t stack_bytes) noexcept {
    const std::uint32_t number = current->next.fetch_add(1, std::memory_order_relaxed);
    coroutines[number].running = false;  // may be left over from an earlier trace
    const std::int64_t bytes = stack_bytes == 0 ? trace::kAbsent : static_cast<std::int64_t>(stack_bytes);
    record(trace::spawn_event(number, kind, parent, trace::Backend::none, bytes), number, name);
    return number;
}

static_assert(static_cast<int>(trace::State::dead) == FIBERSCOPE_DEAD);
static_assert(static_cast<int>(trace::Why::jump) == FIBERSCOPE_JUMP);
static_assert(static_cast<int>(trace::Cause::unlocked) == FIBERSCOPE_UNLOCKED);
static_assert(static_cast<int>(trace::Role::pool) == FIBERSCOPE_ROLE_POOL);
static_assert(static_cast<int>(trace::Structure::map) == FIBERSCOPE_MAP);
static_assert(static_cast<int>(trace::CoKind::task) == FIBERSCOPE_TASK);

}  // namespace

extern "C" {

int fiberscope_open(const char* file, const fiberscope_options* options) {
    return status_of([&] { return begin(file, options == nullptr ? fiberscope_options{} : *options); });
}

int fiberscope_close() {
    return status_of([] {
        const std::lock_guard lock(opening);
        trace::close();
        return 0;
    });
}

int fiberscope_recording() { return trace::recording() ? 1 : 0; }

std::uint64_t fiberscope_now() { return trace::recording() ? now() : 0; }

fiberscope_co fiberscope_thread(const char* name) {
    if (!trace::recording()) return FIBERSCOPE_NONE;
    if (const Thread* known = this_thread(); known != nullptr) return known->number;
    if (status_of([] { return trace::attach_machine(), 0; }) != 0) return FIBERSCOPE_NONE;
    const fiberscope_co number = spawn(trace::CoKind::thread, name, trace::kNone, 0);
    coroutines[number].running = true;
    t_thread = {current->trace, number};
    if (current->threads++ == 0 && current->now == nullptr) trace::write_in_background();  // unless it runs
    watch_end_of_thread(1);
    return number;
}

void fiberscope_thread_end() { end_thread(); }

void fiberscope_park(const char* reason) {
    Thread* thread = this_thread();
    if (thread == nullptr || thread->parked) return;
    thread->parked = true;
    thread->reason = reason;
    trace::record(now(), trace::machine_event(trace::MachineOp::park), view(reason));
}

void fiberscope_unpark() {
    Thread* thread = this_thread();
    if (thread == nullptr || !thread->parked) return;
    thread->parked = false;
    trace::record(now(), trace::machine_event(trace::MachineOp::unpark), view(thread->reason));
}

fiberscope_co fiberscope_spawn(fiberscope_kind kind, const char* name, fiberscope_co parent, std::size_t stack_bytes) {
    if (!trace::recording()) return FIBERSCOPE_NONE;
    return spawn(static_cast<trace::CoKind>(kind), name, parent, stack_bytes);
}

void fiberscope_name(fiberscope_co co, const char* name) {
    if (trace::recording() && co != FIBERSCOPE_NONE && !view(name).empty()) record(trace::name_event(co), co, name);
}

void fiberscope_switch(fiberscope_co from, fiberscope_co to, fiberscope_why why, fiberscope_state left,
                       const char* reason) {
    tell_switch(from, to, why, left, trace::kAbsent, reason);
}

void fiberscope_switch_until(fiberscope_co from, fiberscope_co to, fiberscope_why why, fiberscope_state left,
                             std::uint64_t until, const char* reason) {
    tell_switch(from, to, why, left, static_cast<std::int64_t>(until), reason);
}

void fiberscope_set_state(fiberscope_co co, fiberscope_state from, fiberscope_state to, fiberscope_cause cause) {
    if (!trace::recording() || co == FIBERSCOPE_NONE) return;
    record(trace::state_event(co, static_cast<trace::State>(from), static_cast<trace::State>(to),
                              static_cast<trace::Cause>(cause)),
           co);
}

fiberscope_set fiberscope_declare(const char* name, fiberscope_role role, fiberscope_structure structure) {
    if (!trace::recording()) return FIBERSCOPE_NONE;
    return trace::declare_set(now(), view(name), static_cast<trace::Role>(role),
                              static_cast<trace::Structure>(structure));
}

void fiberscope_insert(fiberscope_set set, fiberscope_co co, const char* key) {
    tell_set(trace::Kind::insert, set, co, key);
}

void fiberscope_remove(fiberscope_set set, fiberscope_co co) { tell_set(trace::Kind::remove, set, co, nullptr); }

void fiberscope_note(fiberscope_co co, const char* text) {
    if (!trace::recording()) return;
    co == FIBERSCOPE_NONE ? trace::record(now(), trace::note_event(), view(text))
                          : record(trace::note_event(co), co, text);
}

}  // extern "C"
