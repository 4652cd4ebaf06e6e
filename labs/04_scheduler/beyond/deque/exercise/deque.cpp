// Step 4.19 (challenge): a work-stealing deque. The contracts are in ../deque.h; what you use:
//
//     top_, bottom_                      kit::Atomic: load, store, compare_exchange_strong, as of std::atomic; each
//                                        takes a memory order, and without one it is std::memory_order_seq_cst
//     kit::atomic_thread_fence(order)    as std::atomic_thread_fence; an explorer sees these, and not the std ones
//     ring_                              kit::Atomic<Ring*>: the ring that is used; ring() is what the owner reads
//     ring().get(at), ring().put(at, g)  the G at a position, wherever that stands in the ring
//     add_ring(capacity)                 a new ring, which lives as long as the deque
//     own(i)                             machine i: gs, its deque; turns; oldest_first
//     insert(machine, g)                 push, and it is recorded; to the global queue if there is no memory for a ring
//     gs.take_newest(), gs.take_oldest() pop and steal, and it is recorded
//     take_global(sched)                 the first of the global queue; takes the scheduler's lock itself
//     sched.idle(), sched.unpark_one(), record_steal(victim, n)   as in step 4.8
#include "labs/04_scheduler/beyond/deque/deque.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Deque::push(Task&) {
    kit::not_implemented("4.19", "Deque::push: into the ring at bottom, which then goes on by one; grow if it is full");
}

void Deque::grow(Position, Position) {
    kit::not_implemented("4.19", "Deque::grow: a ring of twice the capacity, with the same Gs at the same positions");
}

Task* Deque::pop() {
    kit::not_implemented("4.19", "Deque::pop: bottom goes back by one; of the last one a compare-exchange decides");
}

Task* Deque::steal() {
    kit::not_implemented("4.19", "Deque::steal: the G at top, if the compare-exchange of top succeeds");
}

Task* GoDeques::next(WorkerPool&, Machine&) {
    kit::not_implemented("4.19", "GoDeques::next: the newest, or the oldest; the global queue; another machine's");
}

Task* GoDeques::steal_from_others(const Machine&) {
    kit::not_implemented("4.19",
                         "GoDeques::steal_from_others: half of the first that has two, one by one; record_steal");
}

void GoDeques::push_local(WorkerPool&, Machine&, Task&) {
    kit::not_implemented("4.19",
                         "GoDeques::push_local: insert, behind all others: oldest_first; call a parked machine");
}

}  // namespace fiberscope::lab04
