// The buffers of the hot path: one per thread, made of event-sized slots. Texts and registers follow their event in
// further slots. Only the owning thread appends to a buffer; other threads read what is published.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "traces/record/recorder.h"
#include "traces/record/text.h"

namespace fiberscope::trace::detail {

inline constexpr std::uint32_t kSlots = 4096;
inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kMostText = 8 * 1024;
inline constexpr std::size_t kMostName = 256;
/// Upper bound for the length of a line: all texts escaped, and two sets of registers.
inline constexpr std::size_t kMostLine = 64 * 1024;
static_assert(6 * kMostText + 2 * kMostRegisters * kMostName + 2048 < kMostLine);

/// Registers as stored in a buffer after their switch, whose Event::e3 is 1.
struct RegisterBlock {
    struct Stack {
        std::uint64_t top = 0, size = 0;
    };
    std::uint32_t saved_count = 0, loaded_count = 0;
    Stack saved, loaded;
    std::array<std::uint64_t, 2 * kMostRegisters> values;  ///< saved_count values, then loaded_count

    static constexpr std::size_t bytes(std::size_t values) noexcept {
        return offsetof(RegisterBlock, values) + values * sizeof(std::uint64_t);
    }
};

constexpr std::uint32_t slots_for(std::size_t bytes) noexcept {
    return static_cast<std::uint32_t>((bytes + sizeof(Event) - 1) / sizeof(Event));
}
static_assert(1 + slots_for(RegisterBlock::bytes(2 * kMostRegisters)) + slots_for(2 * kMostText) < kSlots);

/// Cache of which pages are mapped, as last reported by the kernel.
struct PageCache {
    struct Entry {
        std::uintptr_t page = 0;
        bool mapped = false;
    };
    std::array<Entry, 64> entries{};
};

/// Memory for formatting, too large for a coroutine's stack.
struct Scratch {
    static constexpr std::size_t kText = 2 * kMostLine;
    PageCache pages;
    std::array<std::uint64_t, 256> unresolved;  ///< code addresses without a resolved name
    std::array<char, kText> text;
};

/// Machine and trace of a buffer or of a touch, as one integer, so that both are compared and written at once.
using Origin = std::uint64_t;
constexpr std::array<std::uint64_t, 2> parts(const CausalStamp& touch) noexcept {
    return std::bit_cast<std::array<std::uint64_t, 2>>(touch);  // t, origin
}
constexpr Origin origin_of(std::uint16_t machine, std::uint32_t trace) noexcept {
    return parts(CausalStamp{0, machine, 0, trace})[1];
}

/// Never freed, so that the thread that ends a trace can read it after the owning thread has ended.
struct ThreadBuffer {
    std::atomic<std::uint32_t> published{
        0};                                ///< slots that are whole; grows by its thread, reset under the file's lock
    std::atomic<std::uint32_t> limit{0};   ///< kSlots while the owning thread is a machine of the open trace, else 0
    std::atomic<std::uint64_t> last_t{0};  ///< of its last event
    Origin origin = 0;
    std::uint16_t machine = 0;
    std::atomic<bool> has_registers{false};  ///< it contains events with registers; set by the owning thread
    std::atomic<std::uint32_t> written{0};   ///< slots that have been written to the file; guarded by the file's lock
    std::atomic<std::uint32_t> trace{0};     ///< the trace that its content belongs to
    std::atomic<bool> in_use{true};          ///< the owning thread is alive
    ThreadBuffer* next = nullptr;            ///< in the list of all buffers; immutable once linked
    std::atomic<ThreadBuffer*> other{nullptr};  ///< the second of a pair of buffers; only one of the two is in the list
    std::atomic<bool> handed{false};            ///< full, and to be written before the content of the other one
    Scratch scratch;
    alignas(kPage) std::array<Event, kSlots> slots;

    /// Starts empty, as the continuation of `full` for the same machine and trace.
    void take_over(const ThreadBuffer& full) noexcept;
};

/// Returns a new buffer with its pages populated, so that recording causes no page faults; nullptr if out of memory.
ThreadBuffer* map_buffer() noexcept;

/// Releases the memory of an empty buffer, except its first page, until it is used again, after its thread has ended.
void give_back_pages(ThreadBuffer& buffer) noexcept;

/// A view of one event in a buffer, with its text and registers.
struct Stored {
    Event event;
    const RegisterBlock* registers = nullptr;
    std::string_view text;  ///< for a `set` its key: the name is in the table of sets
    std::uint32_t slots = 1;

    /// Returns the event that begins at `slot` of `buffer`; the slot must be published.
    static Stored at(const ThreadBuffer& buffer, std::uint32_t slot) noexcept;
};

}  // namespace fiberscope::trace::detail
