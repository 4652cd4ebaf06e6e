// The workloads by Boost.Fiber and its round_robin.
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstdint>
#include <fiberscope/boost_fiber.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace library {

using Thread = boost::fibers::fiber;

inline Thread begin(std::string name, std::function<void()> body) {
    return Thread([name = std::move(name), body = std::move(body)] {
        if (fiberscope_recording()) fiberscope::name_fiber(name.c_str());
        body();
    });
}
inline void join(Thread& thread) { thread.join(); }
inline void yield() { boost::this_fiber::yield(); }
inline void sleep(std::uint64_t ns) { boost::this_fiber::sleep_for(std::chrono::nanoseconds(ns)); }

class Condition {
  public:
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock);
    }
    bool wait_for(std::uint64_t ns) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::nanoseconds(ns)) == boost::fibers::cv_status::no_timeout;
    }
    void notify() { changed_.notify_one(); }

  private:
    boost::fibers::mutex mutex_;
    boost::fibers::condition_variable changed_;
};

/// Boost.Fiber cannot cancel: the waiting fiber must be notified.
inline bool waits_in_vain(Condition& never) {
    never.wait();
    return true;
}
inline void cancel(Thread&, Condition& never) { never.notify(); }

}  // namespace library

#include "workloads.hpp"

int main(int argc, char** argv) {
    const workloads::Arguments given = workloads::arguments(argc, argv);
    workloads::record(given, "Boost.Fiber");
    if (given.file != nullptr)
        boost::fibers::use_scheduling_algorithm<fiberscope::recorded<boost::fibers::algo::round_robin>>();
    const auto run = given.workload == "mixed"    ? workloads::mixed
                     : given.workload == "fanout" ? workloads::fanout
                                                  : workloads::pipeline;
    return workloads::finish(given, run(given.seed));
}
