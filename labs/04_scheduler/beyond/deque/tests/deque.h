// Shared by the tests of step 4.19: a deque, and Gs that never run.
#pragma once

#include <utility>
#include <vector>

#include "labs/04_scheduler/beyond/deque/deque.h"
#include "labs/04_scheduler/tests/support.h"

namespace fiberscope::lab04::testing {

/// Gs named "g0", "g1", … of a scheduler that does not run them.
struct IdleGs {
    explicit IdleGs(int count, unsigned machines = 1) : sched(Settings{.machines = machines}) {
        use_virtual_time();
        for (int i = 0; i < count; ++i) {
            sched.go([] {}, Attributes{.name = "g" + std::to_string(i), .stack_size = kit::kDefaultStackSize});
            all.push_back(sched.ready().pop());
        }
    }
    ~IdleGs() {
        for (Task* g : all) sched.ready().push(*g);
    }
    IdleGs(const IdleGs&) = delete;
    IdleGs& operator=(const IdleGs&) = delete;

    Task& operator[](std::size_t i) const { return *all[i]; }
    /// Returns its index; -1 for null, -2 for a G that is not in this list.
    int number(const Task* g) const {
        if (g == nullptr) return -1;
        const auto found = std::ranges::find(all, g);
        return found == all.end() ? -2 : static_cast<int>(found - all.begin());
    }

    Scheduler sched;
    std::vector<Task*> all;
};

/// A deque of such Gs, addressed by their numbers.
struct Numbered {
    explicit Numbered(int count, std::size_t capacity = Deque::kCapacity) : gs(count), deque(capacity) {}

    void push(int number) { deque.push(gs[static_cast<std::size_t>(number)]); }
    void push(int from, int to) {
        for (int i = from; i <= to; ++i) push(i);
    }
    int pop() { return gs.number(deque.pop()); }
    int steal() { return gs.number(deque.steal()); }

    IdleGs gs;
    Deque deque;
};

inline constexpr int kNone = -1;
using Numbers = std::vector<int>;

}  // namespace fiberscope::lab04::testing
