// Step 4.14: select. The contracts are in ../select.h; what you are given:
//
//     cases_                       the operations, as they stand in the program
//     channels_                    the channel of each case; channel->number() says when it was made, and
//                                  channel->lock_.lock() locks it
//     unlock_all()                 releases every channel that stands in channels_
//     random_below(n)              0 to n - 1, all being as likely
//     try_now(one)                 step 4.13's try_send or try_receive: what it returns
//     insert_waiter, remove_waiter into the queue of one case, and out of it
//     park_in_queues()             unlocks all, parks, and locks all again (by your lock_all) when it has been woken
//     waiting_.claimed             the case that another task has chosen; null: none has
#include "labs/04_scheduler/beyond/channels/select.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Select::lock_all() KIT_UNCHECKED {  // as many as there are
    kit::not_implemented("4.14", "Select::lock_all: every channel once, in the order of their numbers");
}

Operation* Select::try_cases() {
    kit::not_implemented("4.14", "Select::try_cases: in a random order, until one need not wait");
}

Operation* Select::wait_for_one() {
    kit::not_implemented("4.14", "Select::wait_for_one: in all queues at once, and then in none");
}

Operation* Select::choose(bool) { kit::not_implemented("4.14", "Select::choose: lock, try, wait if it may, unlock"); }

}  // namespace fiberscope::lab04
