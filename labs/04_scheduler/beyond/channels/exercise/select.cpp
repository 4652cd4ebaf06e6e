// Step 4.14: select. The contracts are in ../select.h. Given:
//
//     cases_                       the operations, in program order
//     channels_                    the channel of each case; channel->number() is the locking order, and
//                                  channel->lock_.lock() locks it
//     unlock_all()                 unlocks every channel in channels_
//     random_below(n)              0 to n - 1, uniformly distributed
//     try_now(one)                 calls step 4.13's try_send or try_receive
//     insert_waiter, remove_waiter insert into, and remove from, the queue of one case
//     park_in_queues()             unlocks all, parks, and locks all again (by your lock_all) when woken
//     waiting_.claimed             the case that another task has chosen, or null
#include "labs/04_scheduler/beyond/channels/select.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Select::lock_all() KIT_UNCHECKED {  // a variable number of locks
    kit::not_implemented("4.14", "Select::lock_all: lock every channel once, in the order of their numbers");
}

Operation* Select::try_cases() {
    kit::not_implemented("4.14", "Select::try_cases: try them in a random order, until one need not wait");
}

Operation* Select::wait_for_one() {
    kit::not_implemented("4.14", "Select::wait_for_one: wait in all queues, then leave all of them");
}

Operation* Select::choose(bool) { kit::not_implemented("4.14", "Select::choose: lock, try, wait if it may, unlock"); }

}  // namespace fiberscope::lab04
