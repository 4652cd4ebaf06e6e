// The tasks of this lab, for the programs of shapes.h.
#pragma once

#include <functional>
#include <utility>

#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04::scale {

/// `Work` is called with microseconds.
template <void (&Work)(int us)>
struct Ours {
    using Handle = lab04::Handle;
    static Handle go(std::function<void()> body) { return lab04::go(std::move(body)); }
    static void join(Handle& task) { lab04::join(task); }
    static void yield() { lab04::yield(); }
    static void work(int us) { Work(us); }
};

}  // namespace fiberscope::lab04::scale
