// Given: the tasks that wait for descriptors, in a tree or in a table, behind one interface. NtyCo has a red-black tree
// (step 4.3); sylar has a table, because the numbers of descriptors are small and have few gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/kit/sets/table.h"
#include "labs/kit/sets/tree.h"

namespace fiberscope::lab04 {

/// What finds the tasks that wait for a descriptor.
enum class WaitBy : std::uint8_t {
    tree,  ///< of n tasks, log n are looked at; a replay shows it with its links
    table  ///< one is looked at; it has a place for every number up to the largest
};

/// Owns none of its members, which `Before` orders by (descriptor, order). A task is in it at most once; its `fd` and
/// `order` must not change meanwhile.
template <class Task, bool (*Before)(const Task&, const Task&)>
class DescriptorSet {
  public:
    explicit DescriptorSet(WaitBy by) noexcept
        : by_table_(by == WaitBy::table),
          tree_(Tree::template keyed<&key_of>(kName, trace::Role::wait, kKey)),
          table_(kName, trace::Role::wait, kKey, &key_of) {}

    bool empty() const noexcept { return size() == 0; }
    std::size_t size() const noexcept { return by_table_ ? table_.size() : tree_.size(); }
    bool contains(const Task& task) const noexcept { return task.wait_node.inside(); }
    void insert(Task& task) { by_table_ ? table_.insert(task) : tree_.insert(task); }
    void remove(Task& task) { by_table_ ? table_.remove(task) : tree_.remove(task); }

    /// Of the tasks that wait for `fd`, the one that came first; null if there is none. By the tree: down to the first
    /// whose descriptor is not smaller.
    Task* first_of(int fd) const {
        if (by_table_) return table_.first_of(fd);
        Task* first = tree_.first_not([fd](const Task& other) { return other.fd < fd; });
        return first != nullptr && first->fd == fd ? first : nullptr;
    }
    /// The next one of those that wait for the same descriptor, or null.
    Task* next_of(const Task& task) const noexcept {
        if (by_table_) return table_.next_of(task);
        Task* next = tree_.after(task);
        return next != nullptr && next->fd == task.fd ? next : nullptr;
    }

    /// See kit::RecordedSet.
    void belongs_to(unsigned machine, const std::string& name) {
        tree_.belongs_to(machine, name);
        table_.belongs_to(machine, name);
    }

    void guarded_by(const kit::Lock* lock) noexcept {
        tree_.guarded_by(lock);
        table_.guarded_by(lock);
    }

  private:
    using Tree = kit::Tree<Task, &Task::wait_node, Before>;
    using Table = kit::Table<Task, &Task::wait_node, &Task::fd>;
    static constexpr const char* kName = "waiting";
    static constexpr const char* kKey = "descriptor";
    static std::string key_of(const Task& task) { return "fd " + std::to_string(task.fd); }

    bool by_table_;
    Tree tree_;
    Table table_;
};

}  // namespace fiberscope::lab04
