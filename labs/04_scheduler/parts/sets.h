// Given: the three sets of a scheduler. NtyCo keeps sleeping and waiting tasks in red-black trees (steps 4.2, 4.3), the
// default here too. For sleeping tasks libco has a timing wheel and netco a heap; for waiting tasks sylar has a table,
// because descriptor numbers are small and dense.
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

/// Data structure of the sleep set.
enum class SleepBy : std::uint8_t {
    tree,   ///< O(log n); first in O(1). Replays show it with its links
    wheel,  ///< 60,000 slots of a millisecond; first by a search from the hand on
    heap    ///< O(log n) insert and remove; first in O(1)
};

/// Data structure of the wait set.
enum class WaitBy : std::uint8_t {
    tree,  ///< O(log n). Replays show it with its links
    table  ///< O(1); has an entry for every number up to the largest
};

/// The sleeping tasks, ordered by sleeps_before. Does not own them. A task is in it at most once; its `deadline` and
/// `order` must not change meanwhile.
class SleepSet {
  public:
    explicit SleepSet(SleepBy by);
    ~SleepSet();

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    bool contains(const Task& task) const noexcept;
    void insert(Task& task);
    void remove(Task& task);
    /// The first task in order; null if the set is empty.
    Task* first() const;
    /// The next task in order, or null. SleepBy::tree only.
    Task* after(const Task& task) const noexcept;

    /// See kit::RecordedSet.
    void belongs_to(unsigned machine, const std::string& name);
    void guarded_by(const kit::Lock* lock) noexcept;

  private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
    std::size_t size_ = 0;
};

/// The tasks that wait for descriptors, ordered by waits_before. Does not own them. A task is in it at most once; its
/// `fd` and `order` must not change meanwhile.
class WaitSet {
  public:
    explicit WaitSet(WaitBy by);
    ~WaitSet();

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    bool contains(const Task& task) const noexcept;
    void insert(Task& task);
    void remove(Task& task);
    /// Returns the first task that waits for `fd`, in order of arrival; null if there is none. In the tree: a
    /// lower-bound search by descriptor.
    Task* first_of(int fd) const;
    /// The next task that waits for the same descriptor, or null.
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
