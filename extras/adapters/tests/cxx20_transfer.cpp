// Tasks with symmetric transfer, as in most libraries: three nested ones below a detached task, which destroys itself
// at its end, and a task that moves to another thread. cxx20_transfer FILE
#include <atomic>
#include <coroutine>
#include <exception>
#include <fiberscope/coroutine.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

namespace {

/// Lazy: started by its awaiter, which it resumes at its end.
class Task {
  public:
    struct promise_type : fiberscope::recorded_promise {
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        auto final_suspend() noexcept {
            struct Continue {
                bool await_ready() noexcept { return false; }
                std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
                    return ended.promise().continuation;
                }
                void await_resume() noexcept {}
            };
            return recorded_final(Continue{});
        }
        void return_value(int n) { value = n; }
        void unhandled_exception() { std::terminate(); }
        std::coroutine_handle<> continuation = std::noop_coroutine();
        int value = 0;
    };
    Task(Task&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
        if (handle) handle.destroy();
    }

    auto operator co_await() const noexcept {
        struct Awaiter {
            std::coroutine_handle<promise_type> handle;
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
                handle.promise().continuation = awaiting;
                return handle;
            }
            int await_resume() const noexcept { return handle.promise().value; }
        };
        return Awaiter{handle};
    }
    Task& named(const char* name) {
        handle.promise().name(name);
        return *this;
    }
    std::coroutine_handle<promise_type> handle;

  private:
    explicit Task(std::coroutine_handle<promise_type> handle) : handle(handle) {}
};

/// Starts immediately, and is destroyed at its end.
struct Detached {
    struct promise_type : fiberscope::recorded_promise {
        promise_type() : recorded_promise("detached") {}
        Detached get_return_object() { return {}; }
        auto initial_suspend() { return recorded_initial(std::suspend_never{}); }
        auto final_suspend() noexcept { return recorded_final(std::suspend_never{}); }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

std::coroutine_handle<> stopped;  // resumed by main

struct Stop {
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> self) const { stopped = self; }
    void await_resume() const {}
};

/// Resumes its own coroutine before it returns a handle.
struct Hasty {
    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) const {
        self.resume();
        return std::noop_coroutine();
    }
    void await_resume() const {}
};

/// Does not suspend: returns its own handle, or throws.
struct Stay {
    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) const { return self; }
    void await_resume() const {}
};
struct Fail {
    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("no"); }
    void await_resume() const {}
};

Task inner() {
    co_await Stop{};
    co_await Stay{};
    co_return 1;
}
Task middle() {
    int failed = 0;
    try {
        co_await Fail{};
    } catch (const std::runtime_error&) {
        failed = 1;
    }
    co_return failed + co_await inner().named("inner") + co_await inner().named("inner");
}
Task outer() { co_return 1 + co_await middle().named("middle"); }

Detached detached(int& result) {
    result = co_await outer().named("outer");
    co_await Hasty{};
    ++result;
}

/// Continues on another thread.
std::thread helper;
struct Move {
    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) const {
        std::atomic<bool> begins = false;
        helper = std::thread([self, &begins] {
            begins = true;
            self.resume();
        });
        while (!begins) std::this_thread::yield();
        return std::noop_coroutine();
    }
    void await_resume() const {}
};
Task moved() {
    co_await Move{};
    co_return 7;
}

}  // namespace

int main(int argc, char** argv) {
    const fiberscope_options options{"C++20", "transfer", nullptr};
    if (argc != 2 || fiberscope_open(argv[1], &options) != 0) return 2;
    fiberscope::this_thread("main");
    int result = 0;
    detached(result);
    while (stopped) std::exchange(stopped, nullptr).resume();
    if (result != 5) return 1;
    Task task = moved();
    task.named("moved").handle.resume();
    helper.join();
    if (task.handle.promise().value != 7) return 1;
    return fiberscope_close();
}
