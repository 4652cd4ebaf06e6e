// Fibers of Boost on two threads, and coroutines of Boost.Context; it knows nothing of fiberscope.
#include <boost/context/fiber.hpp>
#include <boost/fiber/all.hpp>
#include <chrono>
#include <thread>

namespace {

using Context = boost::context::fiber;

void sleep_twice() {
    for (int i = 0; i < 2; ++i) boost::this_fiber::sleep_for(std::chrono::milliseconds(1));
}

struct Numbers {
    Context operator()(Context&& back) {
        for (int i = 0; i < 3; ++i) back = std::move(back).resume();
        return std::move(back);
    }
};

}  // namespace

int main() {
    Context numbers{Numbers()}, left_alone{Numbers()};
    while (numbers) numbers = std::move(numbers).resume();
    left_alone = std::move(left_alone).resume();
    boost::fibers::fiber sleeper(sleep_twice), yielder([] { boost::this_fiber::yield(); });
    std::thread other([] { boost::fibers::fiber(sleep_twice).join(); });
    sleeper.join();
    yielder.join();
    other.join();
}
