// The hot path: an event goes into its thread's buffer, without locking or allocating.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "languages/message.h"
#include "traces/record/own_buffer.h"
#include "traces/record/recorder.h"
#include "traces/record/sets.h"
#include "traces/record/text.h"

namespace fiberscope::trace {
namespace {

using detail::make_room;
using detail::own_with_room;
using detail::room_for;
using detail::ThreadBuffer;

inline std::uint64_t raised(std::uint64_t t, const CausalStamp& touch, detail::Origin origin) noexcept {
    const auto [touched, by] = detail::parts(touch);
    if (by != origin) [[unlikely]] {  // another machine, or an earlier trace
        const bool same_trace =
            touch.trace == std::bit_cast<CausalStamp>(std::array<std::uint64_t, 2>{0, origin}).trace;
        return same_trace && touched >= t ? touched + 1 : t;
    }
    return touched > t ? touched : t;
}

/// Writes the nth 8-byte word of an object in one store: a load that spans several smaller stores stalls until all of
/// them have reached the cache (no store forwarding).
template <class T>
inline void store(T& object, std::size_t n, std::uint64_t word) noexcept {
    std::memcpy(reinterpret_cast<char*>(&object) + n * sizeof word, &word, sizeof word);
}

/// Fills the slot after the published ones and returns it; not visible until publish().
template <class... Touches>
inline Event& put(ThreadBuffer& buffer, std::uint64_t now, const detail::PackedEvent& event, std::size_t text,
                  Touches&... touches) noexcept {
    [[maybe_unused]] const detail::Origin origin = buffer.origin;
    const std::uint64_t last = buffer.last_t.load(std::memory_order_relaxed);
    Event& slot = buffer.slots[buffer.published.load(std::memory_order_relaxed)];
    std::uint64_t t = now > last ? now : last;
    ((t = raised(t, touches, origin)), ...);
    ((store(touches, 0, t), store(touches, 1, origin)), ...);
    buffer.last_t.store(t, std::memory_order_relaxed);
    store(slot, 0, t);
    store(slot, 1, event.x);
    store(slot, 2, event.y);
    store(slot, 3, event.co_other);
    store(slot, 4, event.set | text << 32U);
    store(slot, 5, event.kinds | buffer.machine);
    return slot;
}

inline char* behind(Event& slot) noexcept { return reinterpret_cast<char*>(&slot + 1); }

inline void publish(ThreadBuffer& buffer, std::uint32_t slots) noexcept {
    buffer.published.store(buffer.published.load(std::memory_order_relaxed) + slots, std::memory_order_release);
}

template <class... Touches>
[[gnu::noinline]] void record_text(std::uint64_t now, const detail::PackedEvent& event, std::string_view text,
                                   Touches&... touches) noexcept {
    text = detail::utf8_prefix(text, detail::kMostText);
    const std::uint32_t slots = 1 + detail::slots_for(text.size());
    ThreadBuffer* buffer = room_for(slots);
    if (buffer == nullptr) return;
    std::memcpy(behind(put(*buffer, now, event, text.size(), touches...)), text.data(), text.size());
    publish(*buffer, slots);
}

template <class... Touches>
[[gnu::noinline, gnu::cold]] void record_in_new_buffer(std::uint64_t now, const detail::PackedEvent& event,
                                                       Touches&... touches) noexcept {
    ThreadBuffer* buffer = make_room(1);
    if (buffer == nullptr) return;
    put(*buffer, now, event, 0, touches...);
    publish(*buffer, 1);
}

template <class... Touches>
inline void record_any(std::uint64_t now, const detail::PackedEvent& event, std::string_view text,
                       Touches&... touches) noexcept {
    if (!text.empty()) return record_text(now, event, text, touches...);
    ThreadBuffer* buffer = own_with_room(1);
    if (buffer == nullptr) [[unlikely]]
        return record_in_new_buffer(now, event, touches...);
    put(*buffer, now, event, 0, touches...);
    publish(*buffer, 1);
}

void put_registers(detail::RegisterBlock& block, const Registers& saved, const Registers& loaded) noexcept {
    const std::size_t n = std::min(saved.values.size(), kMostRegisters);
    const std::size_t k = std::min(loaded.values.size(), kMostRegisters);
    block.saved_count = static_cast<std::uint32_t>(n);
    block.loaded_count = static_cast<std::uint32_t>(k);
    block.saved = {saved.stack_top, saved.stack_size};
    block.loaded = {loaded.stack_top, loaded.stack_size};
    std::copy_n(saved.values.begin(), n, block.values.begin());
    std::copy_n(loaded.values.begin(), k, block.values.begin() + static_cast<std::ptrdiff_t>(n));
}

}  // namespace

namespace detail {

[[gnu::noinline]] void record(std::uint64_t now, const PackedEvent& event, std::string_view text) noexcept {
    record_any(now, event, text);
}
[[gnu::noinline]] void record(std::uint64_t now, const PackedEvent& event, std::string_view text,
                              CausalStamp& touch) noexcept {
    record_any(now, event, text, touch);
}
[[gnu::noinline]] void record(std::uint64_t now, const PackedEvent& event, std::string_view text, CausalStamp& touch,
                              CausalStamp& other) noexcept {
    record_any(now, event, text, touch, other);
}

}  // namespace detail

[[gnu::noinline]] void record_switch(std::uint64_t now, const Event& event, CausalStamp& from, CausalStamp& to,
                                     std::string_view reason, const Registers& saved,
                                     const Registers& loaded) noexcept {
    reason = detail::utf8_prefix(reason, detail::kMostText);
    const std::size_t values =
        std::min(saved.values.size(), kMostRegisters) + std::min(loaded.values.size(), kMostRegisters);
    const std::size_t block_bytes = values == 0 ? 0 : detail::RegisterBlock::bytes(values);
    const std::uint32_t slots = 1 + detail::slots_for(block_bytes + reason.size());
    ThreadBuffer* buffer = room_for(slots);
    if (buffer == nullptr) return;
    Event& slot = put(*buffer, now, detail::packed(event), reason.size(), from, to);
    if (values != 0) {
        slot.e3 = 1;
        buffer->has_registers.store(true, std::memory_order_relaxed);
        put_registers(*reinterpret_cast<detail::RegisterBlock*>(behind(slot)), saved, loaded);
    }
    std::copy(reason.begin(), reason.end(), behind(slot) + block_bytes);
    publish(*buffer, slots);
}

std::uint32_t declare_set(std::uint64_t now, std::string_view name, Role role, Structure structure,
                          std::string_view key, std::int64_t owner, std::int64_t slots) noexcept {
    if (!recording()) return kNone;
    const std::uint32_t index = detail::sets::add(english_of(name));
    std::string texts(detail::utf8_prefix(key, detail::kMostName));
    if (name.find('\t') != name.npos) (texts += '\t') += name;
    Event event;
    event.kind = Kind::set;
    event.set = index;
    event.x = owner;
    event.y = slots;
    event.e1 = static_cast<std::uint8_t>(role);
    event.e2 = static_cast<std::uint8_t>(structure);
    record(now, event, texts);
    return index;
}

}  // namespace fiberscope::trace
