#include "labs/06_timers/tree_store.h"

namespace fiberscope::lab06 {

bool expires_before(const Timer& a, const Timer& b) {
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.order < b.order;
}

void TreeStore::insert(Timer& timer) { tree_.insert(timer); }

void TreeStore::remove(Timer& timer) { tree_.remove(timer); }

std::uint64_t TreeStore::first_deadline() const { return tree_.first()->deadline; }

void TreeStore::take(std::uint64_t now, Expired& expired) {
    for (Timer* first = tree_.first(); first != nullptr && first->deadline <= now; first = tree_.first()) {
        tree_.remove(*first);
        expired.push(*first);
    }
}

}  // namespace fiberscope::lab06
