// Step 6.1: the sleep tree of lab 04 as a store of timers.
#pragma once

#include "labs/06_timers/timer.h"

namespace fiberscope::lab06 {

using TimerTree = kit::Tree<Timer, &Timer::tree_node, &expires_before>;

/// A red-black tree by (deadline, order), as for NtyCo's sleepers and nginx's timers. All operations take O(log n).
class TreeStore : public TimerStore {
  public:
    TreeStore()
        : TimerStore(1), tree_(TimerTree::keyed<&deadline_in_words>("timers", trace::Role::timer, "deadline, ns")) {}

  protected:
    void insert(Timer& timer) override;
    void remove(Timer& timer) override;
    std::uint64_t first_deadline() const override;
    void take(std::uint64_t now, Expired& expired) override;

  private:
    TimerTree tree_;
};

}  // namespace fiberscope::lab06
