// An IO manager of step 5.4 with its descriptors.
#pragma once

#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/tests/support/stand.h"

namespace fiberscope::lab05::testing {

/// A manager, and a pipe or two for its events.
struct Managed {
    explicit Managed(kit::ClockKind clock = kVirtualTime) : stand(clock) {}

    Stand stand;
    IOManager manager{stand.source};
    Pair pair = Pair::sockets();
    Log log;

    IOManager::Callback note(const char* word) {
        return [this, word] { log.emplace_back(word); };
    }
    void put() const { static_cast<void>(!system_calls().write(pair.b, "x", 1)); }
    void take() const {
        char byte;
        static_cast<void>(!system_calls().read(pair.a, &byte, 1));
    }
};

}  // namespace fiberscope::lab05::testing
