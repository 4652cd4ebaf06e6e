// Step 4.13: channels. The contracts are in ../channel.h. Given:
//
//     senders_, receivers_         the queues of waiting tasks; claim_first removes the first one with pop()
//     filled_, capacity_, closed_  number of values in the buffer, its capacity, whether the channel is closed
//     claim(waiting)               false if another task has claimed that wait; after true only you complete it
//     complete(claimed, outcome)   sets the outcome of the operation, and wakes its task
//     hand_over(sender, receiver)  moves the value from the sender to the receiver
//     store(sender), fetch(receiver)  append to the buffer; remove the oldest. Both update filled_
//     insert_waiter, remove_waiter change the queue of an operation, and record it
//     park_in_queue(waiting)       parks until the task is woken, possibly by something other than complete
//
// lock_ is held in all functions; nothing changes meanwhile, except in park_in_queue. Of an operation you need
// `waiting.claimed` (not null if it has been claimed) and `outcome` (set by complete).
#include "labs/04_scheduler/beyond/channels/channel.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Operation* ChannelCore::claim_first(OperationQueue&) {
    kit::not_implemented("4.13",
                         "ChannelCore::claim_first: return the first operation of the queue that can be claimed");
}

Outcome ChannelCore::try_send(Operation&) {
    kit::not_implemented("4.13",
                         "ChannelCore::try_send: hand the value to a waiting receiver, else store it in the buffer");
}

Outcome ChannelCore::try_receive(Operation&) {
    kit::not_implemented("4.13", "ChannelCore::try_receive: take the oldest value, and complete the first sender");
}

void ChannelCore::close_for_all() {
    kit::not_implemented("4.13", "ChannelCore::close_for_all: refuse more values, and complete all waiting operations");
}

Outcome ChannelCore::wait(Operation&) {
    kit::not_implemented("4.13", "ChannelCore::wait: stay in the queue until claimed or cancelled");
}

}  // namespace fiberscope::lab04
