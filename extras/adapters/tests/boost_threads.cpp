// Fibers of Boost.Fiber that any of three threads runs: they yield, sleep and wait; two have names. boost_threads FILE
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstdint>
#include <fiberscope/boost_fiber.hpp>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace {

using Algorithm = fiberscope::recorded<boost::fibers::algo::shared_work>;
constexpr int kFibers = 6;

boost::fibers::mutex mutex;
boost::fibers::condition_variable_any changed;
int ended = 0;

void work(int which) {
    if (which < 2) fiberscope::name_fiber(which == 0 ? "first" : "second");
    for (int turn = 0; turn < 20; ++turn) {
        boost::this_fiber::yield();
        if (turn % 5 == 0) boost::this_fiber::sleep_for(std::chrono::milliseconds(2));
    }
    const std::unique_lock lock(mutex);
    if (++ended == kFibers) changed.notify_all();
}

void wait_for_all() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ended == kFibers; });
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
    return fiberscope_close();
}
