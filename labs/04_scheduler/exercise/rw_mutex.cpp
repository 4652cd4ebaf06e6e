// Step 4.10: a lock for readers and writers. The contracts are in ../rw_mutex.h. Given:
//
//     queue_, readers_, writer_    the waiting tasks, in order; the readers; the writer, or null
//     add_holder, remove_holder    change readers_ and writer_, and record it
//     insert_waiter, remove_waiter change queue_, and record it
//     park_in_queue(waiter)        parks until the task is woken, possibly by something other than admit
//     admit(waiter)                removes it from the queue, gives it the lock, sets `admitted`, wakes it
//
// lock_ is held in all functions; nothing changes meanwhile, except in park_in_queue.
#include "labs/04_scheduler/rw_mutex.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

bool RWMutex::free_for(Mode) const {
    kit::not_implemented(
        "4.10", "RWMutex::free_for: readers share it, writers are exclusive, and nobody overtakes a waiting task");
}

bool RWMutex::take(Task&, Mode) {
    kit::not_implemented("4.10",
                         "RWMutex::take: acquire it immediately, or wait in the queue until admitted or cancelled");
}

void RWMutex::give_back(Task&) { kit::not_implemented("4.10", "RWMutex::give_back: release it, and admit the next"); }

void RWMutex::admit_next() {
    kit::not_implemented("4.10", "RWMutex::admit_next: admit one writer, or all readers before the next writer");
}

}  // namespace fiberscope::lab04
