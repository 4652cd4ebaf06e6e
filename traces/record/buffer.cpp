#include "traces/record/buffer.h"

#include <sys/mman.h>

#include <new>

namespace fiberscope::trace::detail {

ThreadBuffer* map_buffer() noexcept {
    void* memory = ::mmap(nullptr, sizeof(ThreadBuffer), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return memory == MAP_FAILED ? nullptr : new (memory) ThreadBuffer;
}

void ThreadBuffer::take_over(const ThreadBuffer& full) noexcept {
    published.store(0, std::memory_order_relaxed);
    written.store(0, std::memory_order_relaxed);
    origin = full.origin;
    machine = full.machine;
    last_t.store(full.last_t.load(std::memory_order_relaxed), std::memory_order_relaxed);
    limit.store(kSlots, std::memory_order_relaxed);
    trace.store(full.trace.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

// Where pages are larger than kPage this fails and no memory is released.
void give_back_pages(ThreadBuffer& buffer) noexcept {
    ::madvise(reinterpret_cast<char*>(&buffer) + kPage, sizeof buffer - kPage, MADV_DONTNEED);
}

Stored Stored::at(const ThreadBuffer& buffer, std::uint32_t slot) noexcept {
    Stored stored;
    stored.event = buffer.slots[slot];
    const auto* next = reinterpret_cast<const char*>(&buffer.slots[slot] + 1);
    std::size_t bytes = 0;
    if (stored.event.kind == Kind::switch_ && stored.event.e3 != 0) {
        stored.registers = reinterpret_cast<const RegisterBlock*>(next);
        bytes = RegisterBlock::bytes(stored.registers->saved_count + stored.registers->loaded_count);
    }
    if (stored.event.text != kNone) {
        stored.text = {next + bytes, stored.event.text};
        bytes += stored.event.text;
    }
    stored.slots = 1 + slots_for(bytes);
    return stored;
}

}  // namespace fiberscope::trace::detail
