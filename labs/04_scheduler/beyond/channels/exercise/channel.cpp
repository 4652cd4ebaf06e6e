// Step 4.13: channels. The contracts are in ../channel.h; what you are given:
//
//     senders_, receivers_         the queues of the tasks that wait; claim_first takes the first one out with pop()
//     filled_, capacity_, closed_  values in the buffer, how many it may hold, and whether the channel is closed
//     claim(waiting)               false if another task has claimed that wait; after true only you complete it
//     complete(claimed, outcome)   tells its task how the operation ended, and wakes it
//     hand_over(sender, receiver)  moves the value from the one to the other
//     store(sender), fetch(receiver)  into the buffer, as the last; out of it, the oldest. They count filled_
//     insert_waiter, remove_waiter change the queue of an operation, and record it
//     park_in_queue(waiting)       the task parks, and comes back when it has been woken: not only by complete
//
// lock_ is held in all of them; no other changes anything meanwhile, other than in park_in_queue. Of an operation you
// need `waiting.claimed` (not null: it has been claimed) and `outcome` (what complete was told).
#include "labs/04_scheduler/beyond/channels/channel.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Operation* ChannelCore::claim_first(OperationQueue&) {
    kit::not_implemented("4.13", "ChannelCore::claim_first: the first of the queue that could be claimed");
}

Outcome ChannelCore::try_send(Operation&) {
    kit::not_implemented("4.13", "ChannelCore::try_send: to a receiver that waits, else into the buffer");
}

Outcome ChannelCore::try_receive(Operation&) {
    kit::not_implemented("4.13",
                         "ChannelCore::try_receive: the oldest value, and what then becomes of the first sender");
}

void ChannelCore::close_for_all() {
    kit::not_implemented("4.13", "ChannelCore::close_for_all: no more values, and no task waits any longer");
}

Outcome ChannelCore::wait(Operation&) {
    kit::not_implemented("4.13", "ChannelCore::wait: in the queue until it is claimed or cancelled");
}

}  // namespace fiberscope::lab04
