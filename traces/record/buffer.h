// What the hot path writes into: one buffer a thread, of slots of the size of an event. What belongs to an event
// (texts, registers) follows it in further slots. Only its thread adds to a buffer; others read what is published.
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
/// No line of the file is longer: its texts escaped at worst, and two sets of registers in words.
inline constexpr std::size_t kMostLine = 64 * 1024;
static_assert(6 * kMostText + 2 * kMostRegisters * kMostName + 2048 < kMostLine);

/// Registers as they lie in a buffer behind their switch; Event::e3 of the switch is 1 then.
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

/// Which pages are mapped, as asked of the kernel lately.
struct PageCache {
    struct Entry {
        std::uintptr_t page = 0;
        bool mapped = false;
    };
    std::array<Entry, 64> entries{};
};

/// Memory to write text in; too big for a coroutine's stack.
struct Scratch {
    static constexpr std::size_t kText = 2 * kMostLine;
    PageCache pages;
    std::array<std::uint64_t, 256> unresolved;  ///< code addresses that have no words yet
    std::array<char, kText> text;
};

/// Machine and trace of a buffer, or of a touch, as one number: both are compared and written at once.
using Origin = std::uint64_t;
constexpr std::array<std::uint64_t, 2> parts(const CausalStamp& touch) noexcept {
    return std::bit_cast<std::array<std::uint64_t, 2>>(touch);  // t, origin
}
constexpr Origin origin_of(std::uint16_t machine, std::uint32_t trace) noexcept {
    return parts(CausalStamp{0, machine, 0, trace})[1];
}

/// Lives as long as the process, so that the thread that ends a trace can read it after its thread has ended.
struct ThreadBuffer {
    std::atomic<std::uint32_t> published{
        0};                                ///< slots that are whole; grows by its thread, reset under the file's lock
    std::atomic<std::uint32_t> limit{0};   ///< kSlots while its thread is a machine of the open trace, else 0
    std::atomic<std::uint64_t> last_t{0};  ///< of its last event
    Origin origin = 0;
    std::uint16_t machine = 0;
    std::atomic<bool> has_registers{false};     ///< an event in it has registers; set by its thread
    std::atomic<std::uint32_t> written{0};      ///< slots that are in the file; changed under the file's lock
    std::atomic<std::uint32_t> trace{0};        ///< the trace that its content belongs to
    std::atomic<bool> in_use{true};             ///< its thread lives
    ThreadBuffer* next = nullptr;               ///< in the list of all; never changes once it is there
    std::atomic<ThreadBuffer*> other{nullptr};  ///< of two that a thread fills in turns; one of them is in the list
    std::atomic<bool> handed{false};            ///< full, and to be written before what the other one holds
    Scratch scratch;
    alignas(kPage) std::array<Event, kSlots> slots;

    /// Goes on, empty, where `full` ends: for the same machine of the same trace.
    void take_over(const ThreadBuffer& full) noexcept;
};

/// A new buffer whose pages are there, so that recording meets no page fault; nullptr without memory.
ThreadBuffer* map_buffer() noexcept;

/// Gives the memory of an empty buffer's slots back until it is used again: its thread has ended.
void give_back_pages(ThreadBuffer& buffer) noexcept;

/// One event as it lies in a buffer, with what follows it.
struct Stored {
    Event event;
    const RegisterBlock* registers = nullptr;
    std::string_view text;  ///< of a `set` its key: the name is in the table of sets
    std::uint32_t slots = 1;

    /// What begins at `slot` of `buffer`; the slot must be published.
    static Stored at(const ThreadBuffer& buffer, std::uint32_t slot) noexcept;
};

}  // namespace fiberscope::trace::detail
