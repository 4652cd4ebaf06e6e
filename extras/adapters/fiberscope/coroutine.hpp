// Records C++20 coroutines. A promise that derives from fiberscope::recorded_promise records when its coroutine is
// created, entered, suspended and ended.
//
//     struct task { struct promise_type : fiberscope::recorded_promise { ... }; };
//
// A promise with initial_suspend, final_suspend or await_transform of its own passes what they return through
// recorded_initial, recorded_final and recorded_promise::await_transform. await_suspend may return void, bool or a
// handle: symmetric transfer to a recorded coroutine is a swap (a jump if the current one has ended), any other returns
// to the resumer. A coroutine may be resumed by different threads.
#pragma once

#include <atomic>
#include <coroutine>
#include <mutex>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <fiberscope/record.h>

namespace fiberscope {

class recorded_promise;

namespace detail {
/// The coroutine running on this thread. A thread that resumes a coroutine without this_thread() is recorded without a
/// name.
inline fiberscope_co& running() {
    static thread_local fiberscope_co number = FIBERSCOPE_NONE;
    if (number == FIBERSCOPE_NONE) number = fiberscope_thread(nullptr);
    return number;
}

/// The recorded coroutines by the addresses of their frames: a std::coroutine_handle<> has no access to its promise.
class frames {
  public:
    static void add(const void* frame, recorded_promise* promise) {
        const std::lock_guard lock(one().mutex_);
        one().promises_[frame] = promise;
    }
    static void remove(const void* frame) {
        const std::lock_guard lock(one().mutex_);
        one().promises_.erase(frame);
    }
    static recorded_promise* find(const void* frame) {
        const std::lock_guard lock(one().mutex_);
        const auto found = one().promises_.find(frame);
        return found == one().promises_.end() ? nullptr : found->second;
    }

  private:
    static frames& one() {
        static auto* one = new frames;  // leaked, for coroutines destroyed at the end of the program
        return *one;
    }
    std::mutex mutex_;
    std::unordered_map<const void*, recorded_promise*> promises_;
};

template <class Awaitable>
decltype(auto) awaiter_of(Awaitable&& awaitable) {
    if constexpr (requires { std::forward<Awaitable>(awaitable).operator co_await(); })
        return std::forward<Awaitable>(awaitable).operator co_await();
    else if constexpr (requires { operator co_await(std::forward<Awaitable>(awaitable)); })
        return operator co_await(std::forward<Awaitable>(awaitable));
    else
        return std::forward<Awaitable>(awaitable);
}

template <class Inner>
struct recorded_awaiter;
template <class Inner>
struct initial_awaiter;
template <class Inner>
struct final_awaiter;

template <class>
inline constexpr bool is_initial = false;
template <class Inner>
inline constexpr bool is_initial<initial_awaiter<Inner>> = true;
template <class>
inline constexpr bool is_final = false;
template <class Inner>
inline constexpr bool is_final<final_awaiter<Inner>> = true;
}  // namespace detail

/// Names this thread. To be called once per thread, after fiberscope_open.
inline void this_thread(const char* name) { detail::running() = fiberscope_thread(name); }

/// Base class of a promise. `name` may be null.
class recorded_promise {
  public:
    explicit recorded_promise(const char* name = nullptr)
        : co_(fiberscope_spawn(FIBERSCOPE_TASK, name, detail::running(), 0)) {}
    recorded_promise(const recorded_promise&) = delete;
    recorded_promise& operator=(const recorded_promise&) = delete;
    /// A coroutine that is destroyed before its end is recorded as dead.
    ~recorded_promise() {
        settle();
        if (frame_ != nullptr) detail::frames::remove(frame_);
        if (state_ != FIBERSCOPE_DEAD) fiberscope_set_state(co_, state_, FIBERSCOPE_DEAD, FIBERSCOPE_STOP);
    }

    fiberscope_co number() const noexcept { return co_; }
    void name(const char* name) noexcept { fiberscope_name(co_, name); }

    /// Records that it is entered, unless that is already recorded.
    void enter() {
        settle();
        if (state_ == FIBERSCOPE_RUNNING) return;
        caller_ = detail::running();
        const auto why = state_ == FIBERSCOPE_NEW ? FIBERSCOPE_START : FIBERSCOPE_RESUME;
        fiberscope_switch(caller_, co_, why, FIBERSCOPE_NORMAL, nullptr);
        detail::running() = co_;
        state_ = FIBERSCOPE_RUNNING;
    }
    /// Records that it returns to its resumer.
    void leave(fiberscope_why why, fiberscope_state left, const char* reason = nullptr) {
        fiberscope_switch(co_, caller_, why, left, reason);
        detail::running() = caller_;
        state_ = left;
    }

    detail::initial_awaiter<std::suspend_always> initial_suspend() noexcept;
    detail::final_awaiter<std::suspend_always> final_suspend() noexcept;

    /// Around the awaiter that the initial_suspend, or the noexcept final_suspend, of a promise returns.
    template <class Awaiter>
    detail::initial_awaiter<Awaiter> recorded_initial(Awaiter awaiter) {
        return {*this, std::move(awaiter)};
    }
    template <class Awaiter>
    detail::final_awaiter<Awaiter> recorded_final(Awaiter awaiter) noexcept {
        return {*this, std::move(awaiter)};
    }

    template <class Awaitable>
    auto await_transform(Awaitable&& awaitable) {
        using Inner = decltype(detail::awaiter_of(std::forward<Awaitable>(awaitable)));
        return detail::recorded_awaiter<Inner>{*this, detail::awaiter_of(std::forward<Awaitable>(awaitable))};
    }
    /// For co_yield: a promise's yield_value returns this.
    detail::recorded_awaiter<std::suspend_always> yielded() noexcept;

    /// Suspends by an awaiter. Everything is recorded before another thread can resume or destroy the coroutine.
    template <class Inner, class Promise>
    auto suspend(Inner& inner, std::coroutine_handle<Promise> handle, fiberscope_why why, fiberscope_state left) {
        using Answer = decltype(inner.await_suspend(handle));
        know(handle);
        if constexpr (std::is_void_v<Answer> || std::is_same_v<Answer, bool>) {
            leave(why, left);
            return inner.await_suspend(handle);
        } else {
            return transfer(inner, handle, why, left);
        }
    }

    /// Stores the address of the frame, by which others transfer to it.
    template <class Promise>
    void know(std::coroutine_handle<Promise> handle) {
        static_assert(detail::is_initial<decltype(handle.promise().initial_suspend())>,
                      "initial_suspend() of a recorded promise returns recorded_initial(awaiter)");
        static_assert(detail::is_final<decltype(handle.promise().final_suspend())>,
                      "final_suspend() of a recorded promise returns recorded_final(awaiter)");
        if (frame_ != nullptr || co_ == FIBERSCOPE_NONE) return;
        frame_ = handle.address();
        detail::frames::add(frame_, this);
    }

  private:
    /// A transfer whose target await_suspend has not returned yet. Meanwhile the coroutine is suspended, and somebody
    /// else may resume or destroy it.
    struct departure {
        fiberscope_why why;
        fiberscope_state left;
        bool recorded = false;
    };

    template <class Inner, class Promise>
    std::coroutine_handle<> transfer(Inner& inner, std::coroutine_handle<Promise> handle, fiberscope_why why,
                                     fiberscope_state left) {
        departure here{why, left};
        departure_ = &here;
        departs_on_.store(&detail::running(), std::memory_order_release);
        std::coroutine_handle<> target;
        try {
            target = inner.await_suspend(handle);
        } catch (...) {
            if (!here.recorded) departs_on_.store(nullptr, std::memory_order_release);
            throw;
        }
        recorded_promise* const to = detail::frames::find(target.address());
        if (here.recorded) {  // *this may be destroyed
            if (to != nullptr) to->enter();
            return target;
        }
        if (to == nullptr)
            leave(why, left);
        else if (to != this)
            swap_to(*to, why, left);
        departs_on_.store(nullptr, std::memory_order_release);
        return target;
    }

    /// Records a swap to `to`, or a jump at the end of this coroutine.
    void swap_to(recorded_promise& to, fiberscope_why why, fiberscope_state left) {
        to.settle();
        const auto symmetric = why == FIBERSCOPE_EXIT ? FIBERSCOPE_JUMP : FIBERSCOPE_SWAP;
        fiberscope_switch(co_, to.co_, to.state_ == FIBERSCOPE_NEW ? FIBERSCOPE_START : symmetric, left, nullptr);
        to.caller_ = caller_;
        to.state_ = FIBERSCOPE_RUNNING;
        detail::running() = to.co_;
        state_ = left;
    }

    /// Before anything else is recorded of this coroutine: waits until its departure on another thread is recorded, and
    /// records one on this thread, where await_suspend itself resumes or destroys it.
    void settle() {
        for (const void* on; (on = departs_on_.load(std::memory_order_acquire)) != nullptr;) {
            if (on != &detail::running()) {
                std::this_thread::yield();
                continue;
            }
            departure_->recorded = true;
            departs_on_.store(nullptr, std::memory_order_release);
            leave(departure_->why, departure_->left);
        }
    }

    fiberscope_co co_;
    fiberscope_co caller_ = FIBERSCOPE_NONE;
    fiberscope_state state_ = FIBERSCOPE_NEW;
    void* frame_ = nullptr;
    departure* departure_ = nullptr;
    std::atomic<const void*> departs_on_{nullptr};  ///< the thread, while it departs
};

namespace detail {
/// Wraps an awaiter: notifies the promise that its coroutine leaves, and comes back.
template <class Inner>
struct recorded_awaiter {
    recorded_promise& promise;
    Inner inner;
    bool await_ready() { return inner.await_ready(); }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> handle) {
        try {
            return promise.suspend(inner, handle, FIBERSCOPE_YIELD, FIBERSCOPE_SUSPENDED);
        } catch (...) {
            promise.enter();
            throw;
        }
    }
    decltype(auto) await_resume() {
        promise.enter();
        return inner.await_resume();
    }
};

template <class Inner>
struct initial_awaiter {
    recorded_promise& promise;
    Inner inner;
    bool await_ready() { return inner.await_ready(); }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> handle) {
        promise.know(handle);
        return inner.await_suspend(handle);
    }
    void await_resume() {
        promise.enter();
        inner.await_resume();
    }
};

template <class Inner>
struct final_awaiter {
    recorded_promise& promise;
    Inner inner;
    /// A coroutine that does not suspend is destroyed immediately.
    bool await_ready() noexcept {
        if (!inner.await_ready()) return false;
        promise.leave(FIBERSCOPE_EXIT, FIBERSCOPE_DEAD);
        return true;
    }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> handle) noexcept {
        return promise.suspend(inner, handle, FIBERSCOPE_EXIT, FIBERSCOPE_DEAD);
    }
    void await_resume() noexcept {}
};
}  // namespace detail

inline detail::initial_awaiter<std::suspend_always> recorded_promise::initial_suspend() noexcept { return {*this, {}}; }
inline detail::final_awaiter<std::suspend_always> recorded_promise::final_suspend() noexcept { return {*this, {}}; }
inline detail::recorded_awaiter<std::suspend_always> recorded_promise::yielded() noexcept { return {*this, {}}; }

/// Same as handle.resume().
template <class Promise>
void resume(std::coroutine_handle<Promise> handle) {
    handle.resume();
}

}  // namespace fiberscope
