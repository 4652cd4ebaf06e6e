// Given: the tasks that sleep, in a tree, in a wheel or in a heap, behind one interface. NtyCo and sylar have a
// red-black tree (step 4.2), libco a wheel, netco a heap. Lab 06 builds all three for timers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "labs/kit/sets/heap.h"
#include "labs/kit/sets/tree.h"
#include "labs/kit/sets/wheel.h"

namespace fiberscope::lab04 {

/// What keeps the tasks that sleep.
enum class SleepBy : std::uint8_t {
    tree,   ///< log n for everything but the first, which is at hand; a replay shows it with its links
    wheel,  ///< 60,000 slots of a millisecond; the first is looked for from the hand on
    heap    ///< log n for what comes and goes; the first is at hand
};

/// Owns none of its members, which `Before` orders by (deadline, order). A task is in it at most once; its `deadline`
/// and `order` must not change meanwhile.
template <class Task, bool (*Before)(const Task&, const Task&)>
class SleepSet {
  public:
    using Tree = kit::Tree<Task, &Task::sleep_node, Before>;

    explicit SleepSet(SleepBy by) : tree_(Tree::template keyed<&key_of>(kName, trace::Role::sleep, kKey)) {
        if (by == SleepBy::wheel) wheel_ = std::make_unique<Wheel>(kName, trace::Role::sleep, kKey, &key_of);
        if (by == SleepBy::heap) heap_ = std::make_unique<Heap>(kName, trace::Role::sleep, kKey, &key_of);
    }

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    bool contains(const Task& task) const noexcept { return task.sleep_node.inside(); }
    void insert(Task& task) {
        ++size_;
        in_the_set([&](auto& set) { set.insert(task); });
    }
    void remove(Task& task) {
        --size_;
        in_the_set([&](auto& set) { set.remove(task); });
    }
    /// The one that stands before all others; null if none sleeps.
    Task* first() const {
        if (wheel_ != nullptr) return wheel_->first();
        return heap_ != nullptr ? heap_->first() : tree_.first();
    }
    /// By the tree only: the next one in its order, or null.
    Task* after(const Task& task) const noexcept { return tree_.after(task); }

    /// See kit::RecordedSet.
    void belongs_to(unsigned machine, const std::string& name) {
        in_the_set([&](auto& set) { set.belongs_to(machine, name); });
    }
    void guarded_by(const kit::Lock* lock) noexcept {
        in_the_set([&](auto& set) { set.guarded_by(lock); });
    }

  private:
    using Wheel = kit::Wheel<Task, &Task::sleep_node, &Task::deadline, Before>;
    using Heap = kit::Heap<Task, &Task::sleep_node, Before>;
    static constexpr const char* kName = "sleeping";
    static constexpr const char* kKey = "deadline, ns";
    static std::string key_of(const Task& task) { return std::to_string(task.deadline) + " ns"; }

    template <class Act>
    void in_the_set(Act act) {
        if (wheel_ != nullptr) return act(*wheel_);
        heap_ != nullptr ? act(*heap_) : act(tree_);
    }

    std::size_t size_ = 0;
    std::unique_ptr<Wheel> wheel_;
    std::unique_ptr<Heap> heap_;
    Tree tree_;
};

}  // namespace fiberscope::lab04
