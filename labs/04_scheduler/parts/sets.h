// Given: the three sets of a scheduler. NtyCo keeps what sleeps and what waits in red-black trees (steps 4.2, 4.3), and
// so does this one unless the settings say something else; libco has a wheel for what sleeps, netco a heap, and sylar a
// table for what waits, because the numbers of descriptors are small and have few gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fiberscope::kit {
class Lock;
}

namespace fiberscope::lab04 {

struct Task;

/// What keeps the tasks that sleep.
enum class SleepBy : std::uint8_t {
    tree,   ///< log n for everything but the first, which is at hand; a replay shows it with its links
    wheel,  ///< 60,000 slots of a millisecond; the first is looked for from the hand on
    heap    ///< log n for what comes and goes; the first is at hand
};

/// What finds the tasks that wait for a descriptor.
enum class WaitBy : std::uint8_t {
    tree,  ///< of n tasks, log n are looked at; a replay shows it with its links
    table  ///< one is looked at; it has a place for every number up to the largest
};

/// Owns none of its members, which sleeps_before orders. A task is in it at most once; its `deadline` and `order` must
/// not change meanwhile.
class SleepSet {
  public:
    explicit SleepSet(SleepBy by);
    ~SleepSet();

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    bool contains(const Task& task) const noexcept;
    void insert(Task& task);
    void remove(Task& task);
    /// The one that stands before all others; null if none sleeps.
    Task* first() const;
    /// By the tree only: the next one in its order, or null.
    Task* after(const Task& task) const noexcept;

    /// See kit::RecordedSet.
    void belongs_to(unsigned machine, const std::string& name);
    void guarded_by(const kit::Lock* lock) noexcept;

  private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
    std::size_t size_ = 0;
};

/// Owns none of its members, which waits_before orders. A task is in it at most once; its `fd` and `order` must not
/// change meanwhile.
class WaitSet {
  public:
    explicit WaitSet(WaitBy by);
    ~WaitSet();

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    bool contains(const Task& task) const noexcept;
    void insert(Task& task);
    void remove(Task& task);
    /// Of the tasks that wait for `fd`, the one that came first; null if there is none. By the tree: down to the first
    /// whose descriptor is not smaller.
    Task* first_of(int fd) const;
    /// The next one of those that wait for the same descriptor, or null.
    Task* next_of(const Task& task) const noexcept;

    /// See kit::RecordedSet.
    void belongs_to(unsigned machine, const std::string& name);
    void guarded_by(const kit::Lock* lock) noexcept;

  private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
    std::size_t size_ = 0;
};

}  // namespace fiberscope::lab04
