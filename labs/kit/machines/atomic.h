// Atomics and fences whose every use is a choice point while a lab is explored (choice.h). Otherwise they are those of
// the standard library.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "labs/kit/machines/choice.h"

namespace fiberscope::kit {

/// As std::atomic<T>, for values of at most 8 bytes.
template <class T>
class Atomic {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

  public:
    constexpr Atomic(T value = T()) noexcept : value_(value) {}
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

    T load(std::memory_order order = std::memory_order_seq_cst) const {
        if (explorer() != nullptr) [[unlikely]]
            return load_by_choice();
        return value_.load(order);
    }
    void store(T value, std::memory_order order = std::memory_order_seq_cst) {
        if (explorer() != nullptr) [[unlikely]]
            return store_by_choice(value, order);
        value_.store(value, order);
    }
    T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
        before_change();
        return value_.exchange(value, order);
    }
    bool compare_exchange_strong(T& expected, T value, std::memory_order order = std::memory_order_seq_cst) {
        before_change();
        return value_.compare_exchange_strong(expected, value, order);
    }
    T fetch_add(T more, std::memory_order order = std::memory_order_seq_cst) {
        before_change();
        return value_.fetch_add(more, order);
    }
    T fetch_sub(T less, std::memory_order order = std::memory_order_seq_cst) {
        before_change();
        return value_.fetch_sub(less, order);
    }
    T seen_by_all() const noexcept { return value_.load(std::memory_order_relaxed); }  ///< no choice point
    operator T() const { return load(); }
    T operator=(T value) {
        store(value);
        return value;
    }
    T operator++() { return fetch_add(1) + 1; }
    T operator--() { return fetch_sub(1) - 1; }

  private:
    static std::uint64_t bits_of(T value) noexcept {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        return bits;
    }
    static T value_of(std::uint64_t bits) noexcept {
        T value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    static void apply(void* atomic, std::uint64_t bits) {
        static_cast<Atomic*>(atomic)->value_.store(value_of(bits), std::memory_order_relaxed);
    }

    [[gnu::noinline, gnu::cold]] T load_by_choice() const {
        choice(Act::load, this);
        const int machine = explored_machine();
        const std::uint64_t* own = machine < 0 ? nullptr : explorer()->own_store(this, static_cast<unsigned>(machine));
        return own != nullptr ? value_of(*own) : value_.load(std::memory_order_relaxed);
    }
    [[gnu::noinline, gnu::cold]] void store_by_choice(T value, std::memory_order order) {
        choice(Act::store, this);
        const int machine = explored_machine();
        if (machine >= 0) {
            const auto self = static_cast<unsigned>(machine);
            if (order == std::memory_order_seq_cst)
                explorer()->drain(self);
            else if (explorer()->keeps({this, bits_of(value), &apply}, self))
                return;
        }
        value_.store(value, std::memory_order_relaxed);
    }
    void before_change() {
        if (explorer() == nullptr) [[likely]]
            return;
        choice(Act::change, this);
        if (const int machine = explored_machine(); machine >= 0) explorer()->drain(static_cast<unsigned>(machine));
    }

    std::atomic<T> value_;
};

namespace detail {
void fence_by_choice(std::memory_order order);
}

/// As std::atomic_thread_fence. On x86-64 clang compiles a seq_cst fence to mfence, which takes several times as long
/// as the locked instruction that g++ uses.
inline void atomic_thread_fence(std::memory_order order) {
    if (explorer() != nullptr) [[unlikely]]
        return detail::fence_by_choice(order);
#if defined(__x86_64__) && defined(__clang__)
    if (order == std::memory_order_seq_cst) {
        // In the red zone, where the next call or return does not read.
        asm volatile("lock orl $0, -64(%%rsp)" ::: "memory", "cc");
        return;
    }
#endif
    std::atomic_thread_fence(order);
}

}  // namespace fiberscope::kit
