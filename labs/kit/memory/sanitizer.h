// Announces every switch to AddressSanitizer and ThreadSanitizer through their fiber interfaces, so that a student's
// own lab runs under them. Without a sanitizer all functions here are no-ops.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define FIBERSCOPE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBERSCOPE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define FIBERSCOPE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FIBERSCOPE_TSAN 1
#endif
#endif

#ifdef FIBERSCOPE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#ifdef FIBERSCOPE_TSAN
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/tsan_interface.h>
#endif

namespace fiberscope::kit {

#ifdef FIBERSCOPE_ASAN
inline constexpr bool kUnderAsan = true;
#else
inline constexpr bool kUnderAsan = false;
#endif
#ifdef FIBERSCOPE_TSAN
inline constexpr bool kUnderTsan = true;
#else
inline constexpr bool kUnderTsan = false;
#endif
/// A sanitizer needs many times the stack and the time, which tests allow for.
inline constexpr bool kUnderSanitizer = kUnderAsan || kUnderTsan;

/// The sanitizers' state of one stack. Created and destroyed with the coroutine, but never on its own stack.
class SanitizerFiber {
  public:
    enum class Of { new_stack, this_thread };

#ifdef FIBERSCOPE_TSAN
    explicit SanitizerFiber(Of of)
        : fiber_(of == Of::new_stack ? __tsan_create_fiber(0) : __tsan_get_current_fiber()),
          owned_(of == Of::new_stack) {}
    ~SanitizerFiber() {
        if (owned_) __tsan_destroy_fiber(fiber_);
    }
#else
    explicit SanitizerFiber(Of) {}
    ~SanitizerFiber() = default;
#endif
    SanitizerFiber(const SanitizerFiber&) = delete;
    SanitizerFiber& operator=(const SanitizerFiber&) = delete;

    /// Called on the stack being left, just before the switch to `to`, whose stack is [bottom, bottom + size).
    void before_switch([[maybe_unused]] SanitizerFiber& to, [[maybe_unused]] const void* bottom,
                       [[maybe_unused]] std::size_t size, [[maybe_unused]] bool leaves_for_good) noexcept {
#ifdef FIBERSCOPE_ASAN
        __sanitizer_start_switch_fiber(leaves_for_good ? nullptr : &fake_stack_, bottom, size);
#endif
#ifdef FIBERSCOPE_TSAN
        __tsan_switch_to_fiber(to.fiber_, 0);
#endif
    }
    /// As before_switch, for a switch that the C library makes after this function and its callers have returned.
    /// ThreadSanitizer counts calls and returns: these returns still belong to the stack being left, so it is notified
    /// on arrival.
    void before_return_to_library([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FIBERSCOPE_ASAN
        __sanitizer_start_switch_fiber(nullptr, bottom, size);
#endif
    }
    /// Called on the stack that was entered, first thing after the switch.
    void after_switch() noexcept {
#ifdef FIBERSCOPE_TSAN
        if (__tsan_get_current_fiber() != fiber_) __tsan_switch_to_fiber(fiber_, 0);
#endif
#ifdef FIBERSCOPE_ASAN
        __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
#endif
    }

  private:
#ifdef FIBERSCOPE_ASAN
    void* fake_stack_ = nullptr;
#endif
#ifdef FIBERSCOPE_TSAN
    void* fiber_;
    bool owned_;
#endif
};

/// Clears the poison that frames which never returned have left on a stack, before it goes back to a pool.
inline void forget_frames([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FIBERSCOPE_ASAN
    __asan_unpoison_memory_region(bottom, size);
#endif
}
/// Registers a stack with LeakSanitizer, which does not scan mapped memory: objects reachable only from a coroutine's
/// stack would be reported as leaks.
inline void scan_for_leaks([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FIBERSCOPE_ASAN
    __lsan_register_root_region(bottom, size);
#endif
}
inline void stop_scanning_for_leaks([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FIBERSCOPE_ASAN
    __lsan_unregister_root_region(bottom, size);
#endif
}

}  // namespace fiberscope::kit
