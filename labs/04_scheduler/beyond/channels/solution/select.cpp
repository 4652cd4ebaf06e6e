#include "labs/04_scheduler/beyond/channels/select.h"

#include <algorithm>
#include <utility>

namespace fiberscope::lab04 {

void Select::lock_all() KIT_UNCHECKED {  // a variable number of locks
    const auto earlier = [](const ChannelCore* a, const ChannelCore* b) { return a->number() < b->number(); };
    std::sort(channels_.begin(), channels_.end(), earlier);
    channels_.erase(std::unique(channels_.begin(), channels_.end()), channels_.end());
    for (ChannelCore* channel : channels_) channel->lock_.lock();
}

Operation* Select::try_cases() {
    std::vector<Operation*> untried = cases_;
    while (!untried.empty()) {
        std::swap(untried[random_below(untried.size())], untried.back());
        if (try_now(*untried.back()) != Outcome::must_wait) return untried.back();
        untried.pop_back();
    }
    return nullptr;
}

Operation* Select::wait_for_one() {
    for (Operation* one : cases_) insert_waiter(*one);
    Wake woken = Wake::event;
    while (waiting_.claimed == nullptr && woken != Wake::cancelled) woken = park_in_queues();
    for (Operation* one : cases_) remove_waiter(*one);
    return waiting_.claimed;
}

Operation* Select::choose(bool may_wait) {
    lock_all();
    Operation* chosen = try_cases();
    if (chosen == nullptr && may_wait) chosen = wait_for_one();
    unlock_all();
    return chosen;
}

}  // namespace fiberscope::lab04
