// Measures benchmarks in a process of its own. Some figures depend on where the kernel places code and stacks, which
// address space layout randomization decides anew for each process. So a median over rounds must be one over processes.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace fiberscope::testing {

/// One result of a benchmark: nanoseconds an item, or why it failed.
struct Measurement {
    std::string name;
    double ns = 0;
    std::string failure;  ///< empty: it did not fail
};

/// A second process of this program, started with the same command line. It waits for names and measures them.
class BenchWorker {
  public:
    BenchWorker() = default;  ///< The process starts with the first measurement.
    BenchWorker(const BenchWorker&) = delete;
    BenchWorker& operator=(const BenchWorker&) = delete;
    ~BenchWorker() { stop(); }

    /// Measures the benchmark `name` (as Google Benchmark lists it) and calls `result` for each of its runs. A process
    /// that ends early is reported as a failure.
    void measure(const std::string& name, const std::function<void(const Measurement&)>& result);
    /// Ends the process; the next measurement starts another one.
    void stop();

    /// The worker's side: if this process is a worker, measures what it is asked for and returns true when the parent
    /// has stopped it. Google Benchmark must be initialized.
    static bool serve();

  private:
    bool start();

    pid_t process_ = -1;
    int names_ = -1;    ///< to the worker, a line each
    int results_ = -1;  ///< from the worker: lines, and an empty one after each benchmark
};

}  // namespace fiberscope::testing
