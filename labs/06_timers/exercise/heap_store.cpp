// Step 6.2, first part: the heap. The contracts are in ../timer.h and ../heap_store.h; what you are given:
//
//     array_[place]          an entry {deadline, order, timer}; array_.size(), array_.empty()
//     array_.append(timer)   one place more; the timer stands in the last
//     array_.put(place, e)   writes an entry into a place; the timer learns its new place
//     array_.shrink(timer)   one place less; returns what stood in the last place
//     timer.place            where a timer stands
#include "labs/06_timers/heap_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void HeapStore::rise(std::size_t, const HeapArray::Entry&) {
    kit::not_implemented("6.2", "HeapStore::rise: parents that expire later go down into the hole");
}

void HeapStore::sink(std::size_t, const HeapArray::Entry&) {
    kit::not_implemented("6.2", "HeapStore::sink: the earlier child goes up into the hole, if it expires earlier");
}

void HeapStore::insert(Timer&) { kit::not_implemented("6.2", "HeapStore::insert: at the end, and then it rises"); }

void HeapStore::remove(Timer&) {
    kit::not_implemented("6.2", "HeapStore::remove: the last entry goes into the hole, and rises or sinks from there");
}

std::uint64_t HeapStore::first_deadline() const {
    kit::not_implemented("6.2", "HeapStore::first_deadline: that of the first place");
}

void HeapStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.2", "HeapStore::take: as long as the first has expired, it is removed and pushed");
}

}  // namespace fiberscope::lab06
