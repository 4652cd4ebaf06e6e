// A recorded generator and a chain of recorded tasks, as C++20 coroutines. cxx20_demo FILE
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fiberscope/coroutine.hpp>

namespace {

std::uint64_t ticks = 0;
std::uint64_t now() { return ticks += 100; }

struct Generator {
    struct promise_type : fiberscope::recorded_promise {
        promise_type() : recorded_promise("squares") {}
        Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        auto yield_value(int n) {
            value = n;
            return yielded();
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
        int value = 0;
    };
    std::coroutine_handle<promise_type> handle;
};

Generator squares(int end) {
    for (int i = 0; i < end; ++i) co_yield i* i;
}

struct Task {
    struct promise_type : fiberscope::recorded_promise {
        promise_type() : recorded_promise("sum") {}
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

Task sum(Generator from, int& total) {
    for (;;) {
        fiberscope::resume(from.handle);
        if (from.handle.done()) break;
        total += from.handle.promise().value;
        co_await std::suspend_always{};
    }
}

}  // namespace

int main(int argc, char** argv) {
    const fiberscope_options options{"C++20", "generator", now};
    if (argc != 2 || fiberscope_open(argv[1], &options) != 0) return 2;
    fiberscope::this_thread("main");
    int total = 0;
    const Generator numbers = squares(5), unused = squares(1);
    const Task task = sum(numbers, total);
    while (!task.handle.done()) fiberscope::resume(task.handle);
    for (const auto handle : {numbers.handle, unused.handle}) handle.destroy();
    task.handle.destroy();
    std::printf("%d\n", total);
    return fiberscope_close() != 0 || total != 30;
}
