#include "traces/record/own_buffer.h"

#include "traces/record/background_writer.h"
#include "traces/record/flush.h"
#include "traces/record/recorder.h"

namespace fiberscope::trace::detail {

constinit thread_local ThreadBuffer* own = nullptr;

namespace {

/// Writes the buffer when its thread ends; a thread of a later trace may then reuse the memory.
struct ThreadEnd {
    ThreadBuffer* buffer = nullptr;
    ~ThreadEnd() {
        if (buffer == nullptr) return;
        if (is_current(*buffer)) flush_own(state.file, *buffer);
        if (buffer->published.load(std::memory_order_relaxed) == 0) give_back_pages(*buffer);
        ThreadBuffer* other = buffer->other.load(std::memory_order_relaxed);
        if (other != nullptr && other->published.load(std::memory_order_relaxed) == 0) give_back_pages(*other);
        buffer->in_use.store(false, std::memory_order_release);
    }
};
thread_local ThreadEnd t_end;

ThreadBuffer* left_over() noexcept {
    for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
        bool in_use = false;
        if (!is_current(*b) && b->in_use.compare_exchange_strong(in_use, true, std::memory_order_acquire)) return b;
    }
    return nullptr;
}

ThreadBuffer* new_buffer() noexcept {
    ThreadBuffer* buffer = map_buffer();
    if (buffer == nullptr) return nullptr;
    buffer->next = state.buffers.load(std::memory_order_relaxed);
    while (!state.buffers.compare_exchange_weak(buffer->next, buffer, std::memory_order_release)) {
    }
    return buffer;
}

/// True if it holds nothing of an earlier trace.
void clear(ThreadBuffer& buffer) noexcept {
    buffer.published.store(0, std::memory_order_relaxed);
    buffer.written.store(0, std::memory_order_relaxed);
    buffer.handed.store(false, std::memory_order_relaxed);
    buffer.last_t.store(0, std::memory_order_relaxed);
}

}  // namespace

ThreadBuffer* attach() noexcept {
    if (own == nullptr) {
        ThreadBuffer* buffer = left_over();
        if (buffer == nullptr) buffer = new_buffer();
        if (buffer == nullptr) return nullptr;
        t_end.buffer = buffer;
        own = buffer;
    }
    ThreadBuffer& buffer = *t_end.buffer;  // the one in the list, even if the other one was in use
    own = &buffer;
    if (ThreadBuffer* other = buffer.other.load(std::memory_order_relaxed); other != nullptr) clear(*other);
    clear(buffer);
    buffer.machine = static_cast<std::uint16_t>(state.machines.fetch_add(1, std::memory_order_relaxed));
    const std::uint32_t trace = state.trace.load(std::memory_order_relaxed);
    buffer.origin = origin_of(buffer.machine, trace);
    buffer.limit.store(kSlots, std::memory_order_relaxed);
    buffer.trace.store(trace, std::memory_order_release);
    return &buffer;
}

ThreadBuffer* make_room(std::uint32_t slots) noexcept {
    ThreadBuffer* buffer = own;
    if (buffer == nullptr || !is_current(*buffer)) buffer = attach();
    if (buffer != nullptr && buffer->published.load(std::memory_order_relaxed) + slots > kSlots) {
        if (ThreadBuffer* other = background_writer::hand_over(*buffer); other != nullptr) return own = other;
        flush_own(state.file, *buffer);
    }
    if (buffer != nullptr && buffer->published.load(std::memory_order_relaxed) + slots <= kSlots) return buffer;
    state.file.drop(1);
    return nullptr;
}

}  // namespace fiberscope::trace::detail
