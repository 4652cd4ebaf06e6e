#include "traces/record/background_writer.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include <cerrno>

#include "traces/record/flush.h"
#include "traces/record/state.h"

namespace fiberscope::trace {
namespace detail::background_writer {
namespace {

struct Writer {
    std::atomic<bool> runs{false};
    std::atomic<bool> ends{false};
    sem_t handed_over;
    pthread_t thread;
};
Writer writer;  // trivially destroyed: a thread may hand over until the very end

void write(ThreadBuffer* buffer) noexcept {
    if (buffer == nullptr || !buffer->handed.load(std::memory_order_acquire)) return;
    if (buffer->trace.load(std::memory_order_relaxed) != state.trace.load(std::memory_order_relaxed)) return;
    if (!state.file.lock()) return;
    write_handed(state.file, *buffer);
    state.file.unlock();
}

void* run(void*) noexcept {
    while (!writer.ends.load(std::memory_order_acquire)) {
        if (::sem_wait(&writer.handed_over) != 0 && errno != EINTR) return nullptr;
        for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
            write(b);
            write(b->other.load(std::memory_order_acquire));
        }
    }
    return nullptr;
}

/// The thread's other buffer: made when it is first needed, known to the first one alone.
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
    if (!writer.runs.load(std::memory_order_relaxed) || full.has_registers) return nullptr;
    ThreadBuffer* other = other_of(full);
    if (other == nullptr || other->handed.load(std::memory_order_acquire)) return nullptr;
    other->take_over(full);
    full.handed.store(true, std::memory_order_release);
    ::sem_post(&writer.handed_over);
    return other;
}

void stop() noexcept {
    if (!writer.runs.load(std::memory_order_relaxed)) return;
    writer.runs.store(false, std::memory_order_relaxed);
    writer.ends.store(true, std::memory_order_release);
    ::sem_post(&writer.handed_over);
    ::pthread_join(writer.thread, nullptr);
    ::sem_destroy(&writer.handed_over);
}

void forget() noexcept { writer.runs.store(false, std::memory_order_relaxed); }

}  // namespace detail::background_writer

void write_in_background() noexcept {
    using detail::background_writer::writer;
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
