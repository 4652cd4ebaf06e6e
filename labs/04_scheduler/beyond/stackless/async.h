// Given for step 4.18: async functions, and what they await. The implementation is in stackless.h.
#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "labs/04_scheduler/beyond/channels/channel.h"
#include "labs/04_scheduler/beyond/stackless/stackless.h"

namespace fiberscope::lab04::stackless {

void record_call(const Frame& callee);
void record_end(const Frame& callee);

template <class T>
class Async;

template <class T>
struct CallOf : Call {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) {
        const std::coroutine_handle<> next = enter(caller.promise());
        record_call(callee);
        return next;
    }
    T await_resume();
};

struct Promise : Frame {
    template <class T>
    CallOf<T> await_transform(Async<T>&& call, unsigned at = __builtin_LINE()) noexcept {
        line = at;
        return {{call.give()}};
    }
    Leave await_transform(Leave how, unsigned at = __builtin_LINE()) noexcept {
        line = at;
        return how;
    }
};

template <class T>
struct PromiseOf : Promise {
    std::optional<T> value;
    void return_value(T result) { value.emplace(std::move(result)); }
    T result() { return std::move(value.value()); }
};
template <>
struct PromiseOf<void> : Promise {
    void return_void() const noexcept {}
    void result() const noexcept {}
};

/// A call of an async function that has not been awaited yet: owns the frame, which has not begun. `co_await` and
/// stackless::go take over the frame.
template <class T>
class [[nodiscard]] Async {
  public:
    struct promise_type : PromiseOf<T> {
        Async get_return_object(const char* name = __builtin_FUNCTION()) noexcept {
            this->function = name;
            this->handle = std::coroutine_handle<promise_type>::from_promise(*this);
            return Async(*this);
        }
    };

    Async(Async&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    Async& operator=(Async&&) = delete;
    ~Async() {
        if (frame_ != nullptr) frame_->handle.destroy();
    }
    Frame& give() noexcept { return *std::exchange(frame_, nullptr); }

  private:
    explicit Async(Frame& frame) noexcept : frame_(&frame) {}
    Frame* frame_;
};

template <class T>
T CallOf<T>::await_resume() {
    struct Gone {
        Frame& frame;
        ~Gone() { frame.handle.destroy(); }
    } const gone{callee};
    record_end(callee);
    finish();
    return static_cast<PromiseOf<T>&>(callee).result();
}

// ---- given: functions for programs ---------------------------------------------------------------------------------
// ----------------------------------------------------------------------------------

/// Starts `function` as a task of this thread's scheduler, alongside native ones. Throws std::logic_error for the
/// strategy hand_off, which switches directly between native stacks.
Handle go(Async<void> function, Attributes attributes = {});

// For use with co_await in an async function. As lab04's functions of the same names.
inline Leave yield() noexcept { return {State::ready, 0, nullptr, nullptr}; }
inline Leave sleep_for(std::uint64_t ns) noexcept {
    return {ns == 0 ? State::ready : State::sleeping, ns, nullptr, nullptr};
}
inline Leave park(const char* reason) noexcept { return {State::waiting, kNever, reason, nullptr}; }
inline Leave park(const char* reason, kit::Lock& lock) KIT_UNCHECKED { return {State::waiting, kNever, reason, &lock}; }
Async<Wake> join(Handle handle);

/// Sends and receives (step 4.13) in an async function.
struct Exchange {
    /// `element` as in Operation; must stay valid until the end.
    static Async<Outcome> run(ChannelCore& channel, Direction direction, void* element);

  private:
    struct InQueue;
};
/// Returns `done` or `cancelled`. Throws ClosedChannel.
template <class T>
Async<Outcome> send(Channel<T>& channel, T value) {
    co_return co_await Exchange::run(channel, Direction::send, &value);
}
template <class T>
Async<Received<T>> receive(Channel<T>& channel) {
    Received<T> received;
    received.outcome = co_await Exchange::run(channel, Direction::receive, static_cast<std::optional<T>*>(&received));
    co_return received;
}

/// "visit:17; tour:31": describes each frame by its function and the line of the co_await at which it is suspended,
/// innermost first; see the event `frame`.
std::string frames_in_words(const Frame* innermost);

}  // namespace fiberscope::lab04::stackless
