// Incremental work, for a single-threaded program that draws between two slices. Where a thread is available, it calls
// step() in a loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace fiberscope::trace {

/// Parts that are executed one after the other, each in slices.
class Slices {
  public:
    /// `items`: the maximum number of events (or other units) that a slice processes. By default a slice takes a few
    /// milliseconds, in a browser too.
    explicit Slices(std::size_t items = 2048) : items_(items) {}

    /// Adds a part whose calls each execute a slice and return its progress, 1 at the end. `share`: its fraction of the
    /// whole work; all shares add up to 1. Whatever it refers to must not move until it has finished.
    void add(double share, std::function<double()> part) { parts_.push_back({share, std::move(part)}); }
    /// Adds a part that consists of a single slice.
    void add_once(std::function<void()> part) {
        add(0, [part = std::move(part)] { return part(), 1.0; });
    }
    /// Adds a part that calls `each` with 0, 1, … below `size()`, which is evaluated when the part begins.
    template <class Size, class Each>
    void add_pass(double share, Size size, Each each) {
        add(share, [size, each, items = items_, at = std::size_t{0}, end = std::size_t{0}]() mutable {
            if (at == 0) end = size();
            for (const std::size_t to = std::min(end, at + items); at < to; ++at) each(at);
            return at == end ? 1 : static_cast<double>(at) / static_cast<double>(end);
        });
    }

    /// Executes a slice; returns false if none is left. Throws what a part throws; must not be called again after that.
    bool step() {
        if (parts_.empty()) return false;
        part_done_ = parts_.front().work();
        if (part_done_ < 1) return true;
        done_ += parts_.front().share;
        part_done_ = 0;
        parts_.pop_front();
        return !parts_.empty();
    }
    /// Executes everything that is left.
    void finish() {
        while (step()) {
        }
    }
    /// Progress, from 0 to 1.
    double share() const noexcept {
        return std::min(1.0, done_ + (parts_.empty() ? 0 : part_done_ * parts_.front().share));
    }
    std::size_t items() const noexcept { return items_; }

  private:
    struct Part {
        double share;
        std::function<double()> work;
    };
    std::size_t items_;
    std::deque<Part> parts_;
    double done_ = 0, part_done_ = 0;
};

}  // namespace fiberscope::trace
