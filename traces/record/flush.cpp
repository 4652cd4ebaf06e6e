#include "traces/record/flush.h"

#include <cerrno>

#include "traces/record/format.h"
#include "traces/record/symbols.h"

namespace fiberscope::trace::detail {
namespace {

/// Turns events from slot `from` on into one chunk, as many as fit.
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

// In this order, so that a signal handler never takes written slots for unwritten ones.
void empty(ThreadBuffer& buffer) noexcept {
    buffer.published.store(0, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    buffer.written = 0;
    buffer.has_registers = false;
}

void append_one(TraceFile& file, ThreadBuffer& buffer, Scratch& scratch) noexcept {
    const std::uint32_t end = buffer.published.load(std::memory_order_acquire);
    while (buffer.written < end) file.append(make_chunk(buffer, buffer.written, end, scratch));
}

bool is_handed(const ThreadBuffer& buffer) noexcept { return buffer.handed.load(std::memory_order_acquire); }

// Of a thread that has two. What was handed over is emptied too.
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

void write_handed(TraceFile& file, ThreadBuffer& buffer) noexcept {
    if (!is_handed(buffer)) return;
    append_one(file, buffer, buffer.scratch);
    empty(buffer);
    buffer.handed.store(false, std::memory_order_release);
}

void resolve_codes(ThreadBuffer& buffer, Scratch& scratch) noexcept {
    if (!buffer.has_registers) return;
    constexpr int kRounds = 16;
    const std::uint32_t end = buffer.published.load(std::memory_order_relaxed);
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t count = unresolved_codes(buffer, 0, end, scratch);
        if (count != 0) symbols::resolve({scratch.unresolved.data(), count});
        if (count < scratch.unresolved.size()) return;
    }
}

// A thread that ends the trace meanwhile writes the rest of this buffer too; then lock() fails, and what is here is in
// the file.
void flush_own(TraceFile& file, ThreadBuffer& buffer) noexcept {
    const int error = errno;
    if (ThreadBuffer* other = buffer.other.load(std::memory_order_relaxed); other != nullptr) {
        // What was handed over belongs to the writer until it says so; and it has no registers.
        for (ThreadBuffer* one : {&buffer, other})
            if (!is_handed(*one)) resolve_codes(*one, one->scratch);
        flush_both(file, buffer, *other);
        errno = error;
        return;
    }
    const std::uint32_t end = buffer.published.load(std::memory_order_relaxed);
    resolve_codes(buffer, buffer.scratch);
    for (std::uint32_t from = 0; from < end;) {
        const Chunk chunk = make_chunk(buffer, from, end, buffer.scratch);
        if (!file.lock()) {
            if (file.ended()) buffer.published.store(0, std::memory_order_relaxed);
            break;
        }
        file.append(chunk);
        from = chunk.upto;
        if (from == end) empty(buffer);
        file.unlock();
    }
    errno = error;
}

}  // namespace fiberscope::trace::detail
