#include "labs/04_scheduler/parts/sets.h"

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/sets/heap.h"
#include "labs/kit/sets/table.h"
#include "labs/kit/sets/tree.h"
#include "labs/kit/sets/wheel.h"

namespace fiberscope::lab04 {

// ---- what sleeps ---------------------------------------------------------------------------------------------------
// ----------------------------------------------------------------------------------------------------

namespace {

constexpr const char* kSleeping = "sleeping";
constexpr const char* kDeadline = "deadline, ns";
std::string deadline_of(const Task& task) { return std::to_string(task.deadline) + " ns"; }

using SleepTree = kit::Tree<Task, &Task::sleep_node, &sleeps_before>;
using SleepWheel = kit::Wheel<Task, &Task::sleep_node, &Task::deadline, &sleeps_before>;
using SleepHeap = kit::Heap<Task, &Task::sleep_node, &sleeps_before>;

}  // namespace

// The selected data structure; an empty tree is small.
struct SleepSet::Kept {
    std::unique_ptr<SleepWheel> wheel;
    std::unique_ptr<SleepHeap> heap;
    SleepTree tree = SleepTree::keyed<&deadline_of>(kSleeping, trace::Role::sleep, kDeadline);

    template <class Act>
    void use(Act act) {
        if (wheel != nullptr) return act(*wheel);
        heap != nullptr ? act(*heap) : act(tree);
    }
};

SleepSet::SleepSet(SleepBy by) : kept_(std::make_unique<Kept>()) {
    if (by == SleepBy::wheel)
        kept_->wheel = std::make_unique<SleepWheel>(kSleeping, trace::Role::sleep, kDeadline, &deadline_of);
    if (by == SleepBy::heap)
        kept_->heap = std::make_unique<SleepHeap>(kSleeping, trace::Role::sleep, kDeadline, &deadline_of);
}
SleepSet::~SleepSet() = default;

bool SleepSet::contains(const Task& task) const noexcept { return task.sleep_node.inside(); }

void SleepSet::insert(Task& task) {
    ++size_;
    kept_->use([&](auto& set) { set.insert(task); });
}

void SleepSet::remove(Task& task) {
    --size_;
    kept_->use([&](auto& set) { set.remove(task); });
}

Task* SleepSet::first() const {
    if (kept_->wheel != nullptr) return kept_->wheel->first();
    return kept_->heap != nullptr ? kept_->heap->first() : kept_->tree.first();
}

Task* SleepSet::after(const Task& task) const noexcept { return kept_->tree.after(task); }

void SleepSet::belongs_to(unsigned machine, const std::string& name) {
    kept_->use([&](auto& set) { set.belongs_to(machine, name); });
}
void SleepSet::guarded_by(const kit::Lock* lock) noexcept {
    kept_->use([&](auto& set) { set.guarded_by(lock); });
}

// ---- what waits -----------------------------------------------------------------------------------------------------

namespace {

constexpr const char* kWaiting = "waiting";
constexpr const char* kDescriptor = "descriptor";
std::string descriptor_of(const Task& task) { return "fd " + std::to_string(task.fd); }

using WaitTree = kit::Tree<Task, &Task::wait_node, &waits_before>;
using WaitTable = kit::Table<Task, &Task::wait_node, &Task::fd>;

}  // namespace

struct WaitSet::Kept {
    bool by_table;
    WaitTree tree = WaitTree::keyed<&descriptor_of>(kWaiting, trace::Role::wait, kDescriptor);
    WaitTable table{kWaiting, trace::Role::wait, kDescriptor, &descriptor_of};
};

WaitSet::WaitSet(WaitBy by) : kept_(new Kept{by == WaitBy::table}) {}
WaitSet::~WaitSet() = default;

bool WaitSet::contains(const Task& task) const noexcept { return task.wait_node.inside(); }

void WaitSet::insert(Task& task) {
    ++size_;
    kept_->by_table ? kept_->table.insert(task) : kept_->tree.insert(task);
}

void WaitSet::remove(Task& task) {
    --size_;
    kept_->by_table ? kept_->table.remove(task) : kept_->tree.remove(task);
}

Task* WaitSet::first_of(int fd) const {
    if (kept_->by_table) return kept_->table.first_of(fd);
    Task* first = kept_->tree.first_not([fd](const Task& other) { return other.fd < fd; });
    return first != nullptr && first->fd == fd ? first : nullptr;
}

Task* WaitSet::next_of(const Task& task) const noexcept {
    if (kept_->by_table) return kept_->table.next_of(task);
    Task* next = kept_->tree.after(task);
    return next != nullptr && next->fd == task.fd ? next : nullptr;
}

void WaitSet::belongs_to(unsigned machine, const std::string& name) {
    kept_->tree.belongs_to(machine, name);
    kept_->table.belongs_to(machine, name);
}
void WaitSet::guarded_by(const kit::Lock* lock) noexcept {
    kept_->tree.guarded_by(lock);
    kept_->table.guarded_by(lock);
}

}  // namespace fiberscope::lab04
