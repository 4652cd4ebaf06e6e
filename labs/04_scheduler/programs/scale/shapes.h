// Four programs whose speed-up is measured on 1 to 64 machines (docs/scale.md). `Tasks` has `Handle go(function)`,
// `join(Handle&)`, `yield()`, and `work(us)`, which works, or simulates work, for that many microseconds. At most about
// 1,100 tasks are alive at once, the limit of the stack pool.
#pragma once

#include <vector>

namespace fiberscope::lab04::scale {

template <class Tasks>
using Handles = std::vector<typename Tasks::Handle>;
template <class Tasks>
void join_all(Handles<Tasks>& all) {
    for (auto& one : all) Tasks::join(one);
}

/// Short independent tasks, in four rounds.
template <class Tasks>
void run_tasks() {
    for (int round = 0; round < 4; ++round) {
        Handles<Tasks> all;
        for (int i = 0; i < 1024; ++i) all.push_back(Tasks::go([] { Tasks::work(5); }));
        join_all<Tasks>(all);
    }
}

/// Tasks that yield after each microsecond.
template <class Tasks>
void run_yields() {
    Handles<Tasks> all;
    for (int i = 0; i < 256; ++i)
        all.push_back(Tasks::go([] {
            for (int n = 0; n < 64; ++n) {
                Tasks::work(1);
                Tasks::yield();
            }
        }));
    join_all<Tasks>(all);
}

/// A task that starts three others and waits for them, `levels` deep.
template <class Tasks>
void run_tree(int levels) {
    Tasks::work(5);
    Handles<Tasks> all;
    for (int i = 0; levels > 0 && i < 3; ++i) all.push_back(Tasks::go([levels] { run_tree<Tasks>(levels - 1); }));
    join_all<Tasks>(all);
}
/// Four trees of 1,093 tasks, one after the other.
template <class Tasks>
void run_tree() {
    for (int round = 0; round < 4; ++round) run_tree<Tasks>(6);
}

/// One in 31 is 32 times as long as the others.
template <class Tasks>
void run_uneven() {
    Handles<Tasks> all;
    for (int i = 0; i < 1024; ++i) {
        const int us = i % 31 == 0 ? 320 : 10;
        all.push_back(Tasks::go([us] { Tasks::work(us); }));
    }
    join_all<Tasks>(all);
}

}  // namespace fiberscope::lab04::scale
