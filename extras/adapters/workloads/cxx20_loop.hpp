// A single-threaded event loop for C++20 coroutines: a ready queue, sleepers and conditions.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <utility>

#include <fiberscope/coroutine.hpp>

#include "numbers.hpp"

namespace loop {

struct Promise;
using Coroutine = std::coroutine_handle<Promise>;

/// A FIFO queue of waiting coroutines.
using Waiting = std::deque<Coroutine>;

inline std::deque<Coroutine>& ready() {
    static std::deque<Coroutine> one;
    return one;
}
inline std::multimap<std::uint64_t, Coroutine>& sleepers() {
    static std::multimap<std::uint64_t, Coroutine> one;
    return one;
}
inline fiberscope_set& ready_set() {
    static fiberscope_set one = FIBERSCOPE_NONE;
    return one;
}

/// A coroutine of the loop: started immediately, destroyed with the Task.
struct Promise : fiberscope::recorded_promise {
    using recorded_promise::recorded_promise;
    Coroutine get_return_object() { return Coroutine::from_promise(*this); }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
    bool ended = false, cancelled = false, told = false;
    Waiting joining;
    Waiting* waits_in = nullptr;
};

inline void make_ready(Coroutine one, bool is_new = false) {
    fiberscope_set_state(one.promise().number(), is_new ? FIBERSCOPE_NEW : FIBERSCOPE_SUSPENDED, FIBERSCOPE_READY,
                         is_new ? FIBERSCOPE_SPAWNED : FIBERSCOPE_EVENT);
    fiberscope_insert(ready_set(), one.promise().number(), nullptr);
    ready().push_back(one);
}

/// Removes a coroutine from its wait queue, and makes it ready.
inline void wake(Coroutine one, bool told) {
    if (Waiting* in = std::exchange(one.promise().waits_in, nullptr)) std::erase(*in, one);
    std::erase_if(sleepers(), [one](const auto& sleeper) { return sleeper.second == one; });
    one.promise().told = told;
    make_ready(one);
}

class Task {
  public:
    using promise_type = Promise;
    Task(Coroutine coroutine) : coroutine_(coroutine) { make_ready(coroutine, true); }
    Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
        if (coroutine_) coroutine_.destroy();
    }
    Coroutine coroutine() const { return coroutine_; }

    auto join() const {
        struct Awaiter {
            Coroutine other;
            bool await_ready() const { return other.promise().ended; }
            void await_suspend(Coroutine self) const { other.promise().joining.push_back(self); }
            void await_resume() const {}
        };
        return Awaiter{coroutine_};
    }
    void cancel() const {
        coroutine_.promise().cancelled = true;
        wake(coroutine_, false);
    }

  private:
    Coroutine coroutine_;
};

struct yield {
    bool await_ready() const { return false; }
    void await_suspend(Coroutine self) const { make_ready(self); }
    void await_resume() const {}
};

struct sleep {
    std::uint64_t ns;
    bool await_ready() const { return false; }
    void await_suspend(Coroutine self) const { sleepers().emplace(workloads::since_begin() + ns, self); }
    void await_resume() const {}
};

class Condition {
  public:
    /// Returns an awaiter of false if it was not notified within `limit` ns, or was cancelled.
    auto wait(std::uint64_t limit = 0) {
        struct Awaiter {
            Waiting& waiting;
            std::uint64_t limit;
            Coroutine self;
            bool await_ready() const { return false; }
            void await_suspend(Coroutine coroutine) {
                self = coroutine;
                self.promise().waits_in = &waiting;
                waiting.push_back(self);
                if (limit != 0) sleepers().emplace(workloads::since_begin() + limit, self);
            }
            bool await_resume() const { return self.promise().told; }
        };
        return Awaiter{waiting_, limit, nullptr};
    }
    void notify() {
        if (!waiting_.empty()) wake(waiting_.front(), true);
    }

  private:
    Waiting waiting_;
};

inline void run_next() {
    const Coroutine one = ready().front();
    ready().pop_front();
    fiberscope_remove(ready_set(), one.promise().number());
    fiberscope::resume(one);
    if (!one.done()) return;
    one.promise().ended = true;
    for (const Coroutine joining : std::exchange(one.promise().joining, {})) make_ready(joining);
}

/// Runs until all coroutines have ended.
inline void run() {
    for (;;) {
        while (!sleepers().empty() && sleepers().begin()->first <= workloads::since_begin())
            wake(sleepers().begin()->second, false);
        if (!ready().empty())
            run_next();
        else if (sleepers().empty())
            return;
    }
}

}  // namespace loop
