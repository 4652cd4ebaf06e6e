// Shared by the tests of step 6.2: a manager on a heap, and a log of calls.
#pragma once

#include "labs/06_timers/heap_store.h"
#include "labs/06_timers/manager.h"
#include "labs/06_timers/tests/support.h"
#include "labs/kit/machines/work.h"

namespace fiberscope::lab06::testing {

struct ManagerDesk {
    HeapStore store;
    TimerManager manager{store};
    Log log;

    ManagerDesk() { use_virtual_time(); }
    Callback write(const char* word) {
        return [this, word] { log.emplace_back(word); };
    }
    /// Advances to each deadline and calls what is due, until `end`.
    void run_until(std::uint64_t end) {
        for (std::uint64_t next = manager.next_deadline(); next <= end; next = manager.next_deadline()) {
            kit::idle_until(next);
            manager.run_expired();
        }
        kit::idle_until(end);
    }
};

}  // namespace fiberscope::lab06::testing
