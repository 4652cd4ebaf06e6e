// Given for select: its cases, parking in several queues, and reproducible random numbers.
#include "labs/04_scheduler/beyond/channels/select.h"

#include <algorithm>

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/time/clock.h"
#include "languages/message.h"

namespace fiberscope::lab04 {

Select::Select(std::span<Operation> cases, Waiting& waiting) : waiting_(waiting) {
    for (Operation& one : cases) {
        one.number = static_cast<int>(cases_.size());
        cases_.push_back(&one);
        channels_.push_back(&one.channel);
    }
}

const Operation* Select::run(bool may_wait) {
    const Operation* const done = choose(may_wait);
    if (done != nullptr && done->direction == Direction::send && done->outcome == Outcome::closed)
        done->channel.refuse_closed("a value is sent to");
    return done;
}

void Select::unlock_all() KIT_UNCHECKED {  // a variable number of locks
    for (ChannelCore* channel : channels_) channel->lock_.unlock();
}

Outcome Select::try_now(Operation& one) KIT_UNCHECKED { return one.channel.try_now(one); }
void Select::insert_waiter(Operation& one) KIT_UNCHECKED {
    try {
        one.channel.insert_waiter(one);
    } catch (...) {  // from the first one, if the task is on a shared stack
        unlock_all();
        throw;
    }
}
void Select::remove_waiter(Operation& one) KIT_UNCHECKED { one.channel.remove_waiter(one); }

namespace {

constexpr Text kOneOf = mark("one of the channels {0}");

/// splitmix64: the next pseudo-random number.
std::uint64_t next_random(std::uint64_t& state) noexcept {
    std::uint64_t x = state += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

}  // namespace

// Depends on the seed, the time and the number of selects, so that selects at the same time differ.
std::size_t Select::random_below(std::size_t n) KIT_UNCHECKED {
    if (random_ == 0) {
        random_ = waiting_.task.sched->settings().seed + kit::now();
        random_ = next_random(random_) + ++channels_.front()->selects_;
    }
    return static_cast<std::size_t>(next_random(random_) % n);
}

std::string Select::reason() const {
    if (cases_.empty()) return message("a select that has no cases");
    std::string names;
    for (const Operation* one : cases_) names += (names.empty() ? "'" : ", '") + one->channel.name() + "'";
    return message(kOneOf, names);
}

Wake Select::park_in_queues() KIT_UNCHECKED {  // the loop releases the wait's lock
    const std::string words = reason();
    waiting_.lock.lock();
    unlock_all();
    Wake woken;
    try {
        woken = park(words.c_str(), waiting_.lock);
    } catch (...) {  // the stack is being unwound
        lock_all();
        for (Operation* each : cases_) remove_waiter(*each);
        unlock_all();
        throw;
    }
    lock_all();
    return woken;
}

namespace {

constexpr kit::CodeRow kSelectCode[] = {
    {"waiting", kOneOf.english, "4.14", "beyond/channels/exercise/select.cpp", "Operation* Select::wait_for_one("},
};
const kit::KnownCode select_code("04_scheduler", kSelectCode);

}  // namespace

}  // namespace fiberscope::lab04
