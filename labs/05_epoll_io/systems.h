// Given: the five systems as whole servers: which parts of labs 04 and 05 each of them joins.
#pragma once

#include <span>
#include <string_view>

#include "labs/04_scheduler/scheduler.h"
#include "labs/05_epoll_io/epoller.h"

namespace fiberscope::lab05 {

struct System {
    const char* name;
    const char* strategy;     ///< of lab 04
    const char* server;       ///< of EchoServer
    bool several;             ///< it runs on several machines
    lab04::SleepBy sleep_by;  ///< what keeps its sleepers
    TimeBy time_by;           ///< what ends its wait in epoll
    const char* loop;         ///< in words: what turns,
    const char* poller;       ///< what waits for events,
    const char* timers;       ///< what keeps the time, and
    const char* connections;  ///< where a connection lives
};

std::span<const System> systems() noexcept;
/// Throws std::invalid_argument, with the names that there are.
const System& system_named(std::string_view name);
/// Its scheduler's, on `source`, which must have been made with its time_by.
lab04::Settings settings_of(const System& system, EpollSource& source, unsigned machines);

}  // namespace fiberscope::lab05
