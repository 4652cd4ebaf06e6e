// The stretches of a lane: the states of a coroutine over time. Only the events that begin them are stored; the rest is
// read from the trace on demand.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "traces/read/trace.h"

namespace fiberscope::trace {

/// A period that a coroutine spent in one state; drawn as part of a lane of the timeline.
struct Stretch {
    std::uint64_t from, to;  ///< ns
    std::uint32_t event;     ///< the event that began it
    std::uint32_t machine;   ///< where it ran, for `running`; else kNone
    State state;
};

/// Calls `f(co)` for each coroutine that begins a stretch at this event; twice if a switch enters the coroutine that it
/// leaves.
template <class F>
void for_each_beginning(const Event& e, F&& f) {
    if (e.kind != Kind::spawn && e.kind != Kind::switch_ && e.kind != Kind::state) return;
    f(e.co);
    if (e.kind == Kind::switch_) f(e.other);
}

/// The stretches of one coroutine, in order of time. Reads like a vector of Stretch.
class Stretches {
  public:
    Stretches() = default;
    /// `events`: the events that begin a stretch of `co`. The last stretch ends at `end`, ns. The trace must outlive
    /// this.
    Stretches(const Trace& trace, std::uint32_t co, std::span<const std::uint32_t> events, std::uint64_t end) noexcept
        : trace_(&trace), events_(events), end_(end), co_(co) {}

    class Iterator {
      public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = Stretch;
        using difference_type = std::ptrdiff_t;
        struct pointer {
            Stretch stretch;
            const Stretch* operator->() const noexcept { return &stretch; }
        };
        using reference = Stretch;

        Iterator() = default;
        Iterator(const Stretches& all, std::ptrdiff_t at) noexcept : all_(&all), at_(at) {}
        Stretch operator*() const noexcept { return (*all_)[static_cast<std::size_t>(at_)]; }
        pointer operator->() const noexcept { return {**this}; }
        Stretch operator[](std::ptrdiff_t n) const noexcept { return *(*this + n); }
        Iterator& operator+=(std::ptrdiff_t n) noexcept {
            at_ += n;
            return *this;
        }
        Iterator& operator-=(std::ptrdiff_t n) noexcept { return *this += -n; }
        Iterator& operator++() noexcept { return *this += 1; }
        Iterator& operator--() noexcept { return *this += -1; }
        Iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
        Iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
        friend Iterator operator+(Iterator i, std::ptrdiff_t n) noexcept { return i += n; }
        friend Iterator operator+(std::ptrdiff_t n, Iterator i) noexcept { return i += n; }
        friend Iterator operator-(Iterator i, std::ptrdiff_t n) noexcept { return i -= n; }
        friend std::ptrdiff_t operator-(Iterator a, Iterator b) noexcept { return a.at_ - b.at_; }
        friend bool operator==(Iterator a, Iterator b) noexcept { return a.at_ == b.at_; }
        friend std::strong_ordering operator<=>(Iterator a, Iterator b) noexcept { return a.at_ <=> b.at_; }

      private:
        const Stretches* all_ = nullptr;
        std::ptrdiff_t at_ = 0;
    };

    std::size_t size() const noexcept { return events_.size(); }
    bool empty() const noexcept { return events_.empty(); }
    Stretch operator[](std::size_t n) const noexcept;
    Stretch front() const noexcept { return (*this)[0]; }
    Stretch back() const noexcept { return (*this)[size() - 1]; }
    std::uint64_t from(std::size_t n) const noexcept { return trace_->time(events_[n]); }
    std::uint64_t to(std::size_t n) const noexcept { return std::max(from(n), n + 1 < size() ? from(n + 1) : end_); }
    /// Invalidated when the object that returned it is destroyed.
    Iterator begin() const noexcept { return {*this, 0}; }
    Iterator end() const noexcept { return {*this, static_cast<std::ptrdiff_t>(size())}; }

  private:
    const Trace* trace_ = nullptr;
    std::span<const std::uint32_t> events_;
    std::uint64_t end_ = 0;
    std::uint32_t co_ = kNone;
};

}  // namespace fiberscope::trace
