// Whether a call waits for a lock that another thread holds.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "labs/kit/machines/lock.h"

namespace fiberscope::kit::testing {

/// Returns whether `call` waits for a lock that another thread holds for a moment. With the lock held, that thread
/// calls `look` to check what `call` may not have changed yet.
template <class Call, class Look>
bool waits_for(kit::Lock& lock, const Call& call, const Look& look) {
    std::atomic<bool> held{false}, calling{false}, released{false};
    std::thread holder([&] {
        lock.lock();
        held = true;
        while (!calling) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        look();
        released = true;
        lock.unlock();
    });
    while (!held) std::this_thread::yield();
    calling = true;
    call();
    const bool waited = released;
    holder.join();
    return waited;
}
template <class Call>
bool waits_for(kit::Lock& lock, const Call& call) {
    return waits_for(lock, call, [] {});
}

}  // namespace fiberscope::kit::testing
