#include "traces/record/flush.h"

#include <cerrno>

#include "traces/record/format.h"
#include "traces/record/symbols/symbols.h"

namespace fiberscope::trace::detail {
namespace {

/// Formats events from slot `from` on as one chunk, as many as fit.
Chunk make_chunk(ThreadBuffer& buffer, std::uint32_t from, std::uint32_t end, Scratch& scratch) noexcept {
    Text out(scratch.text.data(), scratch.text.size());
    AddressWords words(scratch.pages);
    Chunk chunk{{}, &buffer, from, 0};
    while (chunk.upto < end && out.room() > kMostLine + kSeparator.size()) {
        const Stored stored = Stored::at(buffer, chunk.upto);
        out.put(kSeparator);
        format(out, stored, words);
        chunk.upto += stored.slots;
        ++chunk.events;
    }
    chunk.text = out.view();
    return chunk;
}

// In this order, so that a signal handler never treats written slots as unwritten.
void empty(ThreadBuffer& buffer) noexcept {
    buffer.published.store(0, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    buffer.written.store(0, std::memory_order_relaxed);
    buffer.has_registers.store(false, std::memory_order_relaxed);
}

void append_up_to(TraceFile& file, ThreadBuffer& buffer, std::uint32_t end, Scratch& scratch) noexcept {
    for (std::uint32_t from = 0; (from = buffer.written.load(std::memory_order_relaxed)) < end;)
        file.append(make_chunk(buffer, from, end, scratch));
}

void append_one(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept {
    append_up_to(file, buffer, buffer.published.load(std::memory_order_acquire), scratch);
}

bool is_handed(const ThreadBuffer& buffer) noexcept { return buffer.handed.load(std::memory_order_acquire); }

// For a thread with two buffers. The one that was passed to the writer is emptied too.
void flush_both(TraceFile& file, ThreadBuffer& buffer, ThreadBuffer& other) noexcept {
    const bool locked = file.lock();
    if (!locked && !file.ended()) return;
    if (locked) append_rest(file, buffer, buffer.scratch);
    for (ThreadBuffer* one : {&buffer, &other}) {
        empty(*one);
        one->handed.store(false, std::memory_order_release);
    }
    if (locked) file.unlock();
}

}  // namespace

void append_rest(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept {
    ThreadBuffer* other = buffer.other.load(std::memory_order_acquire);
    if (other != nullptr && is_handed(*other)) append_one(file, *other, scratch);
    append_one(file, buffer, scratch);
    if (other != nullptr) append_one(file, *other, scratch);
}

// Of two buffers only the one that its thread is filling holds anything unwritten that was not passed to the writer. If
// the thread swaps them between the two checks, the other one was passed on before, and that is detected.
void append_so_far(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept {
    ThreadBuffer* other = buffer.other.load(std::memory_order_acquire);
    std::uint32_t end = 0, end_of_other = 0;
    for (bool changed = true; changed;) {
        write_handed(file, buffer);
        if (other != nullptr) write_handed(file, *other);
        end = buffer.published.load(std::memory_order_acquire);
        end_of_other = other == nullptr ? 0 : other->published.load(std::memory_order_acquire);
        changed = is_handed(buffer) || (other != nullptr && is_handed(*other));
    }
    resolve_codes(buffer, end, scratch);
    append_up_to(file, buffer, end, scratch);
    if (other == nullptr) return;
    resolve_codes(*other, end_of_other, scratch);
    append_up_to(file, *other, end_of_other, scratch);
}

void write_handed(TraceFile& file, ThreadBuffer& buffer) noexcept {
    if (!is_handed(buffer)) return;
    append_one(file, buffer, buffer.scratch);
    empty(buffer);
    buffer.handed.store(false, std::memory_order_release);
}

void resolve_codes(ThreadBuffer& buffer, Scratch& scratch) noexcept {
    resolve_codes(buffer, buffer.published.load(std::memory_order_acquire), scratch);
}

void resolve_codes(ThreadBuffer& buffer, std::uint32_t end, Scratch& scratch) noexcept {
    if (!buffer.has_registers.load(std::memory_order_relaxed)) return;
    constexpr int kRounds = 16;
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t count = unresolved_codes(buffer, end, scratch);
        if (count != 0) symbols::resolve({scratch.unresolved.data(), count});
        if (count < scratch.unresolved.size()) return;
    }
}

// A thread that ends the trace in the meantime writes the rest of this buffer too; then lock() fails, and the events
// are already in the file.
void flush_own(TraceFile& file, ThreadBuffer& buffer) noexcept {
    const int error = errno;
    if (ThreadBuffer* other = buffer.other.load(std::memory_order_relaxed); other != nullptr) {
        // A buffer that was passed to the writer belongs to it until it is released, and has no registers.
        for (ThreadBuffer* one : {&buffer, other})
            if (!is_handed(*one)) resolve_codes(*one, one->scratch);
        flush_both(file, buffer, *other);
        errno = error;
        return;
    }
    const std::uint32_t end = buffer.published.load(std::memory_order_relaxed);
    resolve_codes(buffer, buffer.scratch);
    for (std::uint32_t from = buffer.written.load(std::memory_order_relaxed); end != 0;) {
        const Chunk chunk = make_chunk(buffer, from, end, buffer.scratch);
        if (!file.lock()) {
            if (file.ended()) buffer.published.store(0, std::memory_order_relaxed);
            break;
        }
        // Another thread may have written this chunk, or more, in the meantime.
        if (chunk.events != 0 && buffer.written.load(std::memory_order_relaxed) == from) file.append(chunk);
        from = buffer.written.load(std::memory_order_relaxed);
        const bool all = from == end;
        if (all) empty(buffer);
        file.unlock();
        if (all) break;
    }
    errno = error;
}

}  // namespace fiberscope::trace::detail
