// Step 6.2, first part: the heap. The contracts are in ../timer.h and ../heap_store.h. Given:
//
//     array_[place]          an entry {deadline, order, timer}; array_.size(), array_.empty()
//     array_.append(timer)   adds a last place, with the timer in it
//     array_.put(place, e)   writes an entry into a place and updates its timer.place
//     array_.shrink(timer)   removes the last place and returns its entry
//     timer.place            the place of a timer
#include "labs/06_timers/heap_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void HeapStore::rise(std::size_t, const HeapArray::Entry&) {
    kit::not_implemented("6.2", "HeapStore::rise: move parents that expire later down into the hole");
}

void HeapStore::sink(std::size_t, const HeapArray::Entry&) {
    kit::not_implemented("6.2", "HeapStore::sink: move the earlier child up into the hole if it expires earlier");
}

void HeapStore::insert(Timer&) { kit::not_implemented("6.2", "HeapStore::insert: append, then rise"); }

void HeapStore::remove(Timer&) {
    kit::not_implemented("6.2", "HeapStore::remove: put the last entry into the hole, where it rises or sinks");
}

std::uint64_t HeapStore::first_deadline() const {
    kit::not_implemented("6.2", "HeapStore::first_deadline: that of the first place");
}

void HeapStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.2", "HeapStore::take: remove and push the first as long as it has expired");
}

}  // namespace fiberscope::lab06
