// Step 4.19 (challenge): a work-stealing deque. The contracts are in ../deque.h. Used here:
//
//     top_, bottom_                      kit::Atomic: load, store, compare_exchange_strong, as std::atomic; each
//                                        takes a memory order (default: std::memory_order_seq_cst)
//     kit::atomic_thread_fence(order)    as std::atomic_thread_fence, but visible to an explorer
//     ring_                              kit::Atomic<Ring*>: the current ring; ring() is the owner's accessor
//     ring().get(at), ring().put(at, g)  the G at a position
//     add_ring(capacity)                 allocates a ring that lives as long as the deque
//     own(i)                             machine i: gs, its deque; turns; oldest_first
//     insert(machine, g)                 push with recording; into the global queue if no ring can be allocated
//     gs.take_newest(), gs.take_oldest() pop and steal with recording
//     take_global(sched)                 removes the first of the global queue; acquires the scheduler's lock itself
//     sched.idle(), sched.unpark_one(), record_steal(victim, n)   as in step 4.8
#include "labs/04_scheduler/beyond/deque/deque.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Deque::push(Task&) {
    kit::not_implemented("4.19",
                         "Deque::push: store into the ring at bottom, then increment bottom; grow if it is full");
}

void Deque::grow(Position, Position) {
    kit::not_implemented("4.19",
                         "Deque::grow: add a ring of twice the capacity, with the same Gs at the same positions");
}

Task* Deque::pop() {
    kit::not_implemented("4.19", "Deque::pop: decrement bottom; for the last G a compare-exchange decides");
}

Task* Deque::steal() {
    kit::not_implemented("4.19", "Deque::steal: take the G at top, if the compare-exchange of top succeeds");
}

Task* GoDeques::next(WorkerPool&, Machine&) {
    kit::not_implemented("4.19",
                         "GoDeques::next: take the newest, or the oldest; else from the global queue; else steal");
}

Task* GoDeques::steal_from_others(const Machine&) {
    kit::not_implemented(
        "4.19", "GoDeques::steal_from_others: take half of the first deque with two or more, one by one; record_steal");
}

void GoDeques::push_local(WorkerPool&, Machine&, Task&) {
    kit::not_implemented(
        "4.19", "GoDeques::push_local: insert, set oldest_first so that it runs after all others; unpark a machine");
}

}  // namespace fiberscope::lab04
