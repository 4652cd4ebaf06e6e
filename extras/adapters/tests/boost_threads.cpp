// Fibers of Boost.Fiber that migrate between three threads: they yield, sleep and wait; two have names.
// boost_threads FILE
#include <atomic>
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstdio>
#include <fiberscope/boost_fiber.hpp>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace {

using Algorithm = fiberscope::recorded<boost::fibers::algo::shared_work>;
constexpr int kFibers = 6;

boost::fibers::mutex mutex;
std::atomic<int> ended = 0, sleeps = 0;
std::atomic<bool> migrated = false;

void sleep() {
    ++sleeps;
    boost::this_fiber::sleep_for(std::chrono::milliseconds(20));
}

/// Yields until a fiber has run on two threads, at least 20 times.
void work(int which) {
    if (which < 2) fiberscope::name_fiber(which == 0 ? "first" : "second");
    std::set<std::thread::id> threads;
    for (int turn = 0; turn < 20 || !migrated; ++turn) {
        if (threads.insert(std::this_thread::get_id()); threads.size() > 1) migrated = true;
        // While this fiber blocks its thread, another thread runs the ready ones.
        if (!migrated) std::this_thread::sleep_for(std::chrono::milliseconds(3));
        boost::this_fiber::yield();
        if (turn % 5 == 0) sleep();
    }
    const std::unique_lock lock(mutex);
    ++ended;
}

/// Sleeps, because a waiting algorithm is not notified of fibers that other threads make ready.
void wait_for_all() {
    while (ended < kFibers) boost::this_fiber::sleep_for(std::chrono::milliseconds(1));
}

void help(const char* name) {
    if (name != nullptr) fiberscope::name_thread(name);
    boost::fibers::use_scheduling_algorithm<Algorithm>(true);
    wait_for_all();
}

}  // namespace

int main(int argc, char** argv) {
    const fiberscope_options options{"Boost.Fiber", "threads", nullptr};
    if (argc != 2 || fiberscope_open(argv[1], &options) != 0) return 2;
    boost::fibers::use_scheduling_algorithm<Algorithm>(true);
    std::vector<std::thread> helpers;
    helpers.emplace_back(help, "helper");
    helpers.emplace_back(help, nullptr);
    for (int which = 0; which < kFibers; ++which)
        boost::fibers::fiber(boost::fibers::launch::post, work, which).detach();
    boost::fibers::fiber(boost::fibers::launch::dispatch, [] { boost::this_fiber::yield(); }).join();
    wait_for_all();
    for (std::thread& helper : helpers) helper.join();
    std::printf("%d\n", sleeps.load());
    return fiberscope_close();
}
