// Step 4.10: a lock for readers and writers. The contracts are in ../rw_mutex.h; what you are given:
//
//     queue_, readers_, writer_    the tasks that wait, in order; that have it to read; that has it to write, or null
//     add_holder, remove_holder    change readers_ and writer_, and record it
//     insert_waiter, remove_waiter change queue_, and record it
//     park_in_queue(waiter)        the task parks, and comes back when it has been woken: not only by admit
//     admit(waiter)                out of the queue; it has the lock; it is told so (`admitted`), and woken
//
// lock_ is held in all of them; no other changes anything meanwhile, other than in park_in_queue.
#include "labs/04_scheduler/rw_mutex.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

bool RWMutex::free_for(Mode) const {
    kit::not_implemented("4.10", "RWMutex::free_for: readers together, writers alone, and none before one that waits");
}

bool RWMutex::take(Task&, Mode) {
    kit::not_implemented("4.10", "RWMutex::take: at once, or wait in the queue until it is yours or you are cancelled");
}

void RWMutex::give_back(Task&) {
    kit::not_implemented("4.10", "RWMutex::give_back: it is yours no longer; whose is it now?");
}

void RWMutex::admit_next() {
    kit::not_implemented("4.10", "RWMutex::admit_next: one writer, or all readers before the next writer");
}

}  // namespace fiberscope::lab04
