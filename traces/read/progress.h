// How far the reading of a file is: told by the thread that reads, asked by another, which may also end it.
#pragma once

#include <atomic>

namespace fiberscope::trace {

/// What is thrown on the thread that reads once another has called Progress::cancel().
struct Cancelled {};

class Progress {
  public:
    /// How much is done, from 0 to 1. On any thread.
    double share() const noexcept { return share_.load(std::memory_order_relaxed); }
    /// The reading ends soon, by Cancelled. On any thread.
    void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

    /// What is told from now on lies between these shares of the whole. On the thread that reads, as tell().
    void begin(double from, double to) noexcept {
        from_ = from;
        to_ = to;
    }
    /// So much of the present part is done, from 0 to 1. Throws Cancelled.
    void tell(double part) {
        if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
        share_.store(from_ + (to_ - from_) * part, std::memory_order_relaxed);
    }

  private:
    std::atomic<double> share_ = 0;
    std::atomic<bool> cancelled_ = false;
    double from_ = 0, to_ = 1;
};

}  // namespace fiberscope::trace
