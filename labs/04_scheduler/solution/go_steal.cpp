#include "labs/04_scheduler/go_scheduler.h"

namespace fiberscope::lab04 {

Task* GoScheduler::steal(Machine& thief) {
    LocalQueue& mine = local(thief.index);
    for (unsigned i = 1; i < machines(); ++i) {
        const unsigned victim = (thief.index + i) % machines();
        LocalQueue& theirs = local(victim);
        const kit::GuardOfTwo both(theirs.lock, mine.lock);
        const std::size_t half = theirs.runnable.size() / 2;
        if (half == 0) continue;
        for (std::size_t n = 0; n < half; ++n) mine.runnable.push(*theirs.runnable.pop());
        record_steal(victim, half);
        return mine.runnable.pop();
    }
    return nullptr;
}

}  // namespace fiberscope::lab04
