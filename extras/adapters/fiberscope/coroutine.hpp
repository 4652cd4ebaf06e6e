// Records C++20 coroutines. A promise that derives from fiberscope::recorded_promise tells when its coroutine is made,
// enters, suspends and ends; what resumes it asks fiberscope::resume in place of handle.resume().
//
//     struct task { struct promise_type : fiberscope::recorded_promise { ... }; };
//
// Awaiters whose await_suspend returns void or bool are recorded; one that returns a handle (symmetric transfer) is not
// supported. A coroutine may be resumed by another thread each time; each thread calls fiberscope::this_thread first.
#pragma once

#include <coroutine>
#include <type_traits>
#include <utility>

#include <fiberscope/record.h>

namespace fiberscope {

namespace detail {
inline fiberscope_co& running() {
    static thread_local fiberscope_co number = FIBERSCOPE_NONE;
    return number;
}

template <class Awaitable>
decltype(auto) awaiter_of(Awaitable&& awaitable) {
    if constexpr (requires { std::forward<Awaitable>(awaitable).operator co_await(); })
        return std::forward<Awaitable>(awaitable).operator co_await();
    else if constexpr (requires { operator co_await(std::forward<Awaitable>(awaitable)); })
        return operator co_await(std::forward<Awaitable>(awaitable));
    else
        return std::forward<Awaitable>(awaitable);
}

/// Around an awaiter: tells the promise that its coroutine leaves, and comes back.
template <class Recorded, class Inner>
struct recorded_awaiter {
    Recorded& promise;
    Inner inner;
    bool await_ready() { return inner.await_ready(); }
    // Recorded before the other one is told: it may be resumed by another thread at once.
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> handle) {
        using Answer = decltype(inner.await_suspend(handle));
        static_assert(std::is_void_v<Answer> || std::is_same_v<Answer, bool>, "symmetric transfer is not recorded");
        promise.leave(FIBERSCOPE_YIELD, FIBERSCOPE_SUSPENDED);
        if constexpr (std::is_void_v<Answer>) {
            inner.await_suspend(handle);
            return true;
        } else {
            if (inner.await_suspend(handle)) return true;
            promise.enter();
            return false;
        }
    }
    decltype(auto) await_resume() { return inner.await_resume(); }
};
}  // namespace detail

/// Says that this thread runs coroutines. Once a thread, after fiberscope_open.
inline void this_thread(const char* name) { detail::running() = fiberscope_thread(name); }

/// What a promise derives from. `name` may be null.
class recorded_promise {
  public:
    explicit recorded_promise(const char* name = nullptr)
        : co_(fiberscope_spawn(FIBERSCOPE_TASK, name, detail::running(), 0)) {}
    recorded_promise(const recorded_promise&) = delete;
    recorded_promise& operator=(const recorded_promise&) = delete;
    /// One that is destroyed before its end is dead.
    ~recorded_promise() {
        if (state_ != FIBERSCOPE_DEAD) fiberscope_set_state(co_, state_, FIBERSCOPE_DEAD, FIBERSCOPE_STOP);
    }

    fiberscope_co number() const noexcept { return co_; }

    /// What is recorded when it enters, and when it leaves again to the one that resumed it.
    void enter() {
        caller_ = detail::running();
        const auto why = state_ == FIBERSCOPE_NEW ? FIBERSCOPE_START : FIBERSCOPE_RESUME;
        fiberscope_switch(caller_, co_, why, FIBERSCOPE_NORMAL, nullptr);
        detail::running() = co_;
        state_ = FIBERSCOPE_RUNNING;
    }
    void leave(fiberscope_why why, fiberscope_state left, const char* reason = nullptr) {
        fiberscope_switch(co_, caller_, why, left, reason);
        detail::running() = caller_;
        state_ = left;
    }

    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
        struct final_awaiter {
            recorded_promise& promise;
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<>) const noexcept {
                promise.leave(FIBERSCOPE_EXIT, FIBERSCOPE_DEAD);
            }
            void await_resume() const noexcept {}
        };
        return final_awaiter{*this};
    }

    template <class Awaitable>
    auto await_transform(Awaitable&& awaitable) {
        using Inner = decltype(detail::awaiter_of(std::forward<Awaitable>(awaitable)));
        return detail::recorded_awaiter<recorded_promise, Inner>{
            *this, detail::awaiter_of(std::forward<Awaitable>(awaitable))};
    }
    /// For co_yield: a promise's yield_value returns this.
    auto yielded() { return await_transform(std::suspend_always{}); }

  private:
    fiberscope_co co_;
    fiberscope_co caller_ = FIBERSCOPE_NONE;
    fiberscope_state state_ = FIBERSCOPE_NEW;
};

/// In place of handle.resume().
template <class Promise>
void resume(std::coroutine_handle<Promise> handle) {
    handle.promise().enter();
    handle.resume();
}

}  // namespace fiberscope
