#include "traces/record/recorder.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include "traces/record/background_writer.h"
#include "traces/record/flush.h"
#include "traces/record/head.h"
#include "traces/record/sets.h"
#include "traces/record/state.h"
#include "traces/record/symbols.h"

namespace fiberscope::trace {
namespace detail {

constinit std::atomic<bool> recording{false};
constinit State state;

}  // namespace detail

namespace {

using detail::state;
using detail::ThreadBuffer;

constinit thread_local ThreadBuffer* t_buffer = nullptr;

/// Guards open and close against each other, and the path.
struct Admin {
    std::mutex mutex;
    std::filesystem::path file;
    std::once_flag first_open;
};
Admin& admin() {
    static auto* the = new Admin;
    return *the;
}

// ---- threads --------------------------------------------------------------------------------------------------------

bool is_current(const ThreadBuffer& buffer) noexcept {
    return buffer.trace.load(std::memory_order_relaxed) == state.trace.load(std::memory_order_relaxed);
}

/// When its thread ends, what is in the buffer is written, and a thread of a later trace may have the memory.
struct ThreadEnd {
    ThreadBuffer* buffer = nullptr;
    ~ThreadEnd() {
        if (buffer == nullptr) return;
        if (is_current(*buffer)) flush_own(state.file, *buffer);
        if (buffer->published.load(std::memory_order_relaxed) == 0) detail::give_back_pages(*buffer);
        ThreadBuffer* other = buffer->other.load(std::memory_order_relaxed);
        if (other != nullptr && other->published.load(std::memory_order_relaxed) == 0) detail::give_back_pages(*other);
        buffer->in_use.store(false, std::memory_order_release);
    }
};
thread_local ThreadEnd t_end;

ThreadBuffer* left_buffer() noexcept {
    for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
        bool in_use = false;
        if (!is_current(*b) && b->in_use.compare_exchange_strong(in_use, true, std::memory_order_acquire)) return b;
    }
    return nullptr;
}

ThreadBuffer* new_buffer() noexcept {
    ThreadBuffer* buffer = detail::map_buffer();
    if (buffer == nullptr) return nullptr;
    buffer->next = state.buffers.load(std::memory_order_relaxed);
    while (!state.buffers.compare_exchange_weak(buffer->next, buffer, std::memory_order_release)) {
    }
    return buffer;
}

/// Nothing of an earlier trace is in it.
void clear(ThreadBuffer& buffer) noexcept {
    buffer.published.store(0, std::memory_order_relaxed);
    buffer.written.store(0, std::memory_order_relaxed);
    buffer.handed.store(false, std::memory_order_relaxed);
    buffer.last_t.store(0, std::memory_order_relaxed);
}

[[gnu::cold, gnu::noinline]] ThreadBuffer* attach() noexcept {
    if (t_buffer == nullptr) {
        ThreadBuffer* buffer = left_buffer();
        if (buffer == nullptr) buffer = new_buffer();
        if (buffer == nullptr) return nullptr;
        t_end.buffer = buffer;
        t_buffer = buffer;
    }
    ThreadBuffer& buffer = *t_end.buffer;  // the one in the list, also where the other one was in use
    t_buffer = &buffer;
    if (ThreadBuffer* other = buffer.other.load(std::memory_order_relaxed); other != nullptr) clear(*other);
    clear(buffer);
    buffer.machine = static_cast<std::uint16_t>(state.machines.fetch_add(1, std::memory_order_relaxed));
    const std::uint32_t trace = state.trace.load(std::memory_order_relaxed);
    buffer.origin = detail::origin_of(buffer.machine, trace);
    buffer.limit.store(detail::kSlots, std::memory_order_relaxed);
    buffer.trace.store(trace, std::memory_order_release);
    return &buffer;
}

/// The calling thread's buffer with room for `slots` more, or nullptr if the event has to be dropped.
[[gnu::cold, gnu::noinline]] ThreadBuffer* make_room(std::uint32_t slots) noexcept {
    ThreadBuffer* buffer = t_buffer;
    if (buffer == nullptr || !is_current(*buffer)) buffer = attach();
    if (buffer != nullptr && buffer->published.load(std::memory_order_relaxed) + slots > detail::kSlots) {
        if (ThreadBuffer* other = detail::background_writer::hand_over(*buffer); other != nullptr)
            return t_buffer = other;
        flush_own(state.file, *buffer);
    }
    if (buffer != nullptr && buffer->published.load(std::memory_order_relaxed) + slots <= detail::kSlots) return buffer;
    state.file.drop(1);
    return nullptr;
}

/// The calling thread's buffer if it has room for `slots` more, else nullptr.
inline ThreadBuffer* own_with_room(std::uint32_t slots) noexcept {
    ThreadBuffer* buffer = t_buffer;
    if (buffer == nullptr) return nullptr;
    const std::uint32_t end = buffer->published.load(std::memory_order_relaxed) + slots;
    return end <= buffer->limit.load(std::memory_order_relaxed) ? buffer : nullptr;
}

inline ThreadBuffer* room_for(std::uint32_t slots) noexcept {
    ThreadBuffer* buffer = own_with_room(slots);
    return buffer != nullptr ? buffer : make_room(slots);
}

// ---- one event ------------------------------------------------------------------------------------------------------

inline std::uint64_t raised(std::uint64_t t, const CausalStamp& touch, detail::Origin origin) noexcept {
    const auto [touched, by] = detail::parts(touch);
    if (by != origin) [[unlikely]] {  // another machine, or an earlier trace
        const bool same_trace =
            touch.trace == std::bit_cast<CausalStamp>(std::array<std::uint64_t, 2>{0, origin}).trace;
        return same_trace && touched >= t ? touched + 1 : t;
    }
    return touched > t ? touched : t;
}

/// Writes the nth word of 8 bytes of an object, in one piece: what is written in smaller ones cannot be loaded whole
/// until all of them have reached the cache.
template <class T>
inline void store(T& object, std::size_t n, std::uint64_t word) noexcept {
    std::memcpy(reinterpret_cast<char*>(&object) + n * sizeof word, &word, sizeof word);
}

/// Fills the slot behind the published ones and returns it; nothing is seen of it until publish().
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

// ---- the whole trace ------------------------------------------------------------------------------------------------

void before_fork() {
    admin().mutex.lock();
    detail::sets::hold();
    detail::symbols::hold();
}
void after_fork_in_parent() {
    detail::symbols::release();
    detail::sets::release();
    admin().mutex.unlock();
}
// A trace belongs to one process: the child does not record until it opens a trace of its own.
void after_fork_in_child() {
    detail::recording.store(false, std::memory_order_relaxed);
    state.file.forget();
    detail::background_writer::forget();
    after_fork_in_parent();
}

void at_exit() {
    if (state.file.ended()) return;
    if (t_buffer != nullptr && is_current(*t_buffer)) resolve_codes(*t_buffer, t_buffer->scratch);
    detail::end_abruptly(nullptr);
}

void prepare_process() {
    detail::symbols::locate_modules();
    // Here, so that the first times are not on a coroutine's stack: the C library binds what making a thread calls
    // (new, then from its cache of stacks) lazily, and that takes 3 KiB.
    const std::uint64_t any_code = reinterpret_cast<std::uintptr_t>(&prepare_process);
    for (int i = 0; i < 2; ++i) detail::symbols::resolve({&any_code, 1});
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    std::atexit(at_exit);
}

void make_directory(const std::filesystem::path& file) {
    if (!file.has_parent_path()) return;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) throw std::system_error(error, "cannot make the directory of the trace file " + file.string());
}

void begin_trace(const std::filesystem::path& file, const Meta& meta) {
    make_directory(file);
    detail::sets::clear();
    const int error = state.file.begin(file.c_str(), detail::head_text(meta));
    if (error == EWOULDBLOCK)
        throw std::system_error(error, std::generic_category(),
                                "another program is recording into the trace file " + file.string());
    if (error != 0)
        throw std::system_error(error, std::generic_category(), "cannot write the trace file " + file.string());
    state.ender.store(0, std::memory_order_relaxed);
    state.machines.store(0, std::memory_order_relaxed);
    for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
        b->limit.store(0, std::memory_order_relaxed);
        ThreadBuffer* other = b->other.load(std::memory_order_acquire);
        if (other != nullptr) other->limit.store(0, std::memory_order_relaxed);
    }
    state.trace.fetch_add(1, std::memory_order_relaxed);
}

void append_all() noexcept {
    for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
        if (!is_current(*b)) continue;
        resolve_codes(*b, b->scratch);
        append_rest(state.file, *b, b->scratch);
    }
}

}  // namespace

namespace detail {

ThreadBuffer* own_buffer() noexcept { return t_buffer; }

}  // namespace detail

void open(const std::filesystem::path& file, const Meta& meta) {
    Admin& the = admin();
    const std::lock_guard guard(the.mutex);
    if (!state.file.ended())
        throw std::logic_error("a trace is open already, " + the.file.string() + ": close it before the next one");
    std::call_once(the.first_open, prepare_process);
    begin_trace(file, meta);
    the.file = file;
    detail::recording.store(true, std::memory_order_release);
    attach_machine();
}

void close() {
    Admin& the = admin();
    const std::lock_guard guard(the.mutex);
    detail::recording.store(false, std::memory_order_relaxed);
    if (!state.file.lock()) return detail::background_writer::stop();
    append_all();
    state.file.end();
    state.file.unlock();
    detail::background_writer::stop();
    if (const int error = state.file.error(); error != 0)
        throw std::system_error(error, std::generic_category(),
                                "cannot write all of the trace file " + the.file.string());
}

void limit_file(std::uint64_t bytes) noexcept { state.file.limit(bytes); }

const std::filesystem::path& file() { return admin().file; }

std::uint16_t attach_machine() {
    if (!recording()) throw std::logic_error("no trace is open: a thread cannot become a machine of it");
    ThreadBuffer* buffer = t_buffer;
    if (buffer == nullptr || !is_current(*buffer)) buffer = attach();
    if (buffer == nullptr)
        throw std::system_error(ENOMEM, std::generic_category(), "no memory for a buffer of trace events");
    return buffer->machine;
}

void flush() noexcept {
    if (recording() && t_buffer != nullptr && is_current(*t_buffer)) flush_own(state.file, *t_buffer);
}

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
    const std::uint32_t index = detail::sets::add(name);
    key = detail::utf8_prefix(key, detail::kMostName);
    Event event;
    event.kind = Kind::set;
    event.set = index;
    event.x = owner;
    event.y = slots;
    event.e1 = static_cast<std::uint8_t>(role);
    event.e2 = static_cast<std::uint8_t>(structure);
    record(now, event, key);
    return index;
}

}  // namespace fiberscope::trace
