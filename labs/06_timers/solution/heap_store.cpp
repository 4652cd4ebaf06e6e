#include "labs/06_timers/heap_store.h"

namespace fiberscope::lab06 {

namespace {

bool before(const HeapArray::Entry& a, const HeapArray::Entry& b) {
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order;
}

std::size_t parent_of(std::size_t place) { return (place - 1) / 2; }

}  // namespace

void HeapStore::rise(std::size_t place, const HeapArray::Entry& entry) {
    while (place > 0 && before(entry, array_[parent_of(place)])) {
        array_.put(place, array_[parent_of(place)]);
        place = parent_of(place);
    }
    array_.put(place, entry);
}

void HeapStore::sink(std::size_t place, const HeapArray::Entry& entry) {
    for (std::size_t child = 2 * place + 1; child < array_.size(); child = 2 * place + 1) {
        if (child + 1 < array_.size() && before(array_[child + 1], array_[child])) ++child;
        if (!before(array_[child], entry)) break;
        array_.put(place, array_[child]);
        place = child;
    }
    array_.put(place, entry);
}

void HeapStore::insert(Timer& timer) {
    array_.append(timer);
    rise(timer.place, {timer.deadline, timer.order, &timer});
}

void HeapStore::remove(Timer& timer) {
    const std::size_t hole = timer.place;
    const HeapArray::Entry last = array_.shrink(timer);
    if (last.timer == &timer) return;
    if (hole > 0 && before(last, array_[parent_of(hole)]))
        rise(hole, last);
    else
        sink(hole, last);
}

std::uint64_t HeapStore::first_deadline() const { return array_[0].deadline; }

void HeapStore::take(std::uint64_t now, Expired& expired) {
    while (!array_.empty() && array_[0].deadline <= now) {
        Timer& first = *array_[0].timer;
        remove(first);
        expired.push(first);
    }
}

}  // namespace fiberscope::lab06
