#include "traces/record/background_writer.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <new>

#include "traces/record/flush.h"
#include "traces/record/state.h"

namespace fiberscope::trace {
namespace detail::background_writer {
namespace {

/// ns between two writes of everything that was recorded.
constexpr long kRound = 250'000'000;

struct Writer {
    std::mutex changing;  ///< serializes start and stop
    std::atomic<bool> runs{false};
    std::atomic<bool> ends{false};
    sem_t handed_over;
    pthread_t thread;
    Scratch scratch;           ///< the remaining members are used by the writer thread only
    std::uint32_t trace = 0;   ///< the trace that these belong to
    std::uint64_t newest = 0;  ///< the latest time that any machine had recorded in the previous round
    std::uint64_t marked = 0;
};
constinit Writer writer{};  // trivially destroyed: a thread may pass a buffer on until the process ends

void write(ThreadBuffer* buffer) noexcept {
    if (buffer == nullptr || !buffer->handed.load(std::memory_order_acquire) || !is_current(*buffer)) return;
    if (!state.file.lock()) return;
    write_handed(state.file, *buffer);
    state.file.unlock();
}

std::uint64_t newest_time() noexcept {
    std::uint64_t newest = 0;
    for_each_current([&](const ThreadBuffer& b) { newest = std::max(newest, last_time(b)); });
    return newest;
}

// Events that a machine had not published in the previous round are later than the latest event published then: in
// between, a thread only reads its clock and fills a slot. So after this round no event up to that time is missing.
void write_all() noexcept {
    if (const std::uint32_t trace = state.trace.load(std::memory_order_relaxed); trace != writer.trace) {
        writer.trace = trace;
        writer.newest = writer.marked = 0;
    }
    const std::uint64_t newest = newest_time();
    if (newest == writer.marked || !state.file.lock()) return;
    for_each_current([](ThreadBuffer& b) { append_so_far(state.file, b, writer.scratch); });
    if (writer.newest > writer.marked) state.file.mark(writer.newest);
    state.file.unlock();
    writer.marked = writer.newest;
    writer.newest = newest;
}

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t monotonic_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kSecond + now.tv_nsec;
}

void* run(void*) noexcept {
    std::int64_t round = monotonic_ns() + kRound;
    while (!writer.ends.load(std::memory_order_acquire)) {
        const timespec limit{round / kSecond, round % kSecond};
        const int waited = ::sem_clockwait(&writer.handed_over, CLOCK_MONOTONIC, &limit);
        if (waited != 0 && errno != EINTR && errno != ETIMEDOUT) return nullptr;
        for_each_current([](ThreadBuffer& b) {
            write(&b);
            write(b.other.load(std::memory_order_acquire));
        });
        if (monotonic_ns() < round) continue;
        write_all();
        round = monotonic_ns() + kRound;
    }
    return nullptr;
}

/// The thread's second buffer: allocated on first use, reachable only through the first one.
ThreadBuffer* other_of(ThreadBuffer& buffer) noexcept {
    ThreadBuffer* other = buffer.other.load(std::memory_order_relaxed);
    if (other != nullptr) return other;
    other = map_buffer();
    if (other == nullptr) return nullptr;
    other->other.store(&buffer, std::memory_order_relaxed);
    buffer.other.store(other, std::memory_order_release);
    return other;
}

}  // namespace

ThreadBuffer* hand_over(ThreadBuffer& full) noexcept {
    if (!writer.runs.load(std::memory_order_relaxed) || full.has_registers.load(std::memory_order_relaxed))
        return nullptr;
    ThreadBuffer* other = other_of(full);
    if (other == nullptr || other->handed.load(std::memory_order_acquire)) return nullptr;
    other->take_over(full);
    full.handed.store(true, std::memory_order_release);
    ::sem_post(&writer.handed_over);
    return other;
}

void stop() noexcept {
    const std::lock_guard guard(writer.changing);
    if (!writer.runs.exchange(false)) return;
    writer.ends.store(true, std::memory_order_release);
    ::sem_post(&writer.handed_over);
    ::pthread_join(writer.thread, nullptr);
    ::sem_destroy(&writer.handed_over);
}

void forget() noexcept {
    new (&writer.changing) std::mutex;
    writer.runs.store(false, std::memory_order_relaxed);
}

}  // namespace detail::background_writer

void stop_writing_in_background() noexcept { detail::background_writer::stop(); }

void write_in_background() noexcept {
    using detail::background_writer::writer;
    const std::lock_guard guard(writer.changing);
    if (!recording() || writer.runs.load(std::memory_order_relaxed) || ::sem_init(&writer.handed_over, 0, 0) != 0)
        return;
    writer.ends.store(false, std::memory_order_relaxed);
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = ::pthread_create(&writer.thread, nullptr, &detail::background_writer::run, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    writer.runs.store(error == 0, std::memory_order_relaxed);
}

}  // namespace fiberscope::trace
