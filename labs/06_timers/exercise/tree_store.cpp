// Step 6.1: the sleep tree as a store of timers. The contracts are in ../timer.h and ../tree_store.h. Given:
//
//     tree_             insert(timer), remove(timer), first(): the earliest, or null
//     expired.push(t)   reports t as expired; remove it from the tree first
#include "labs/06_timers/tree_store.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

bool expires_before(const Timer&, const Timer&) {
    kit::not_implemented("6.1", "expires_before: by deadline, and by order if the deadlines are equal");
}

void TreeStore::insert(Timer&) { kit::not_implemented("6.1", "TreeStore::insert: insert into the tree"); }

void TreeStore::remove(Timer&) { kit::not_implemented("6.1", "TreeStore::remove: remove from the tree"); }

std::uint64_t TreeStore::first_deadline() const {
    kit::not_implemented("6.1", "TreeStore::first_deadline: that of the first in the tree");
}

void TreeStore::take(std::uint64_t, Expired&) {
    kit::not_implemented("6.1", "TreeStore::take: remove and push the first as long as it has expired");
}

}  // namespace fiberscope::lab06
