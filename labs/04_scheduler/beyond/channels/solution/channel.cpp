#include "labs/04_scheduler/beyond/channels/channel.h"

namespace fiberscope::lab04 {

Operation* ChannelCore::claim_first(OperationQueue& queue) {
    while (Operation* first = queue.pop())
        if (claim(*first)) return first;
    return nullptr;
}

Outcome ChannelCore::try_send(Operation& self) {
    if (closed_) return Outcome::closed;
    if (Operation* receiver = claim_first(receivers_)) {
        hand_over(self, *receiver);
        complete(*receiver, Outcome::done);
        return Outcome::done;
    }
    if (filled_ == capacity_) return Outcome::must_wait;
    store(self);
    return Outcome::done;
}

Outcome ChannelCore::try_receive(Operation& self) {
    const bool from_buffer = filled_ > 0;
    if (from_buffer) fetch(self);
    if (Operation* sender = claim_first(senders_)) {
        if (from_buffer)
            store(*sender);
        else
            hand_over(*sender, self);
        complete(*sender, Outcome::done);
        return Outcome::done;
    }
    if (from_buffer) return Outcome::done;
    return closed_ ? Outcome::closed : Outcome::must_wait;
}

void ChannelCore::close_for_all() {
    closed_ = true;
    while (Operation* receiver = claim_first(receivers_)) complete(*receiver, Outcome::closed);
    while (Operation* sender = claim_first(senders_)) complete(*sender, Outcome::closed);
}

Outcome ChannelCore::wait(Operation& self) {
    insert_waiter(self);
    Wake woken = Wake::event;
    while (self.waiting.claimed == nullptr && woken != Wake::cancelled) woken = park_in_queue(self);
    remove_waiter(self);
    return self.waiting.claimed == nullptr ? Outcome::cancelled : self.outcome;
}

}  // namespace fiberscope::lab04
