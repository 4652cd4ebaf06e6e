// How fast several machines are on real processors, beside peers; and how Boost.Fiber runs on several threads.
#pragma once

#include <boost/fiber/all.hpp>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fiberscope::lab04 {

/// `PROGRAM --scale [N,N…] [flags of run_benchmarks]`: the programs of scale/shapes.h by each strategy that has several
/// machines, by Go and by Boost.Fiber, on 1 and on these numbers of machines; prints speed-ups, and times beside the
/// peers'. Returns what run_benchmarks returns; 2 for a wrong number.
int scale_main(int argc, char** argv);

/// Runs `root` as a fiber, on `threads` that share their fibers by `Algorithm`.
template <class Algorithm, class... Arguments>
void boost_on(unsigned threads, const std::function<void()>& root, Arguments... arguments) {
    bool over = false;
    boost::fibers::mutex mutex;
    boost::fibers::condition_variable_any end;
    const auto serve = [&](bool first) {
        boost::fibers::use_scheduling_algorithm<Algorithm>(arguments...);
        if (first)
            boost::fibers::fiber([&] {
                root();
                const std::lock_guard lock(mutex);
                over = true;
                end.notify_all();
            }).detach();
        std::unique_lock lock(mutex);
        end.wait(lock, [&] { return over; });
    };
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i) all.emplace_back(serve, i + 1 == threads);
    for (std::thread& one : all) one.join();
}

}  // namespace fiberscope::lab04
