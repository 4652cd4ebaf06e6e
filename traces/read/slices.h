// Work in slices, for a program with one thread that draws between two of them. With a thread to spare the same work is
// done by calling step() until it is done.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace fiberscope::trace {

/// Parts that are done one after the other, each a slice at a time.
class Slices {
  public:
    /// `items`: what a slice does of a part, at most: so many events, or as many of something else. By default it takes
    /// some milliseconds, in a browser too.
    explicit Slices(std::size_t items = 2048) : items_(items) {}

    /// Adds a part that does a slice in each call, and returns how much of it is done, 1 at its end. `share`: of the
    /// whole work; all shares are 1 together. What it refers to must stay where it is until it is done.
    void add(double share, std::function<double()> part) { parts_.push_back({share, std::move(part)}); }
    /// Adds a part that is done in one slice.
    void add_once(std::function<void()> part) {
        add(0, [part = std::move(part)] { return part(), 1.0; });
    }
    /// Adds a part that calls `each` with 0, 1, … below `size()`, which is asked at its begin.
    template <class Size, class Each>
    void add_pass(double share, Size size, Each each) {
        add(share, [size, each, items = items_, at = std::size_t{0}, end = std::size_t{0}]() mutable {
            if (at == 0) end = size();
            for (const std::size_t to = std::min(end, at + items); at < to; ++at) each(at);
            return at == end ? 1 : static_cast<double>(at) / static_cast<double>(end);
        });
    }

    /// Does a slice; false if nothing is left. Throws what a part throws; then it must not be called again.
    bool step() {
        if (parts_.empty()) return false;
        part_done_ = parts_.front().work();
        if (part_done_ < 1) return true;
        done_ += parts_.front().share;
        part_done_ = 0;
        parts_.pop_front();
        return !parts_.empty();
    }
    /// Does all that is left.
    void finish() {
        while (step()) {
        }
    }
    /// How much is done, from 0 to 1.
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
