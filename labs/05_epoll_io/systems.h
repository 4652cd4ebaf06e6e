// Given: the five systems as complete servers, each a combination of parts of labs 04 and 05.
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
    bool several;             ///< runs on several machines
    lab04::SleepBy sleep_by;  ///< container of sleeping tasks
    TimeBy time_by;           ///< how a wait in epoll is ended
    const char* loop;         ///< descriptions: the loop,
    const char* poller;       ///< the poller,
    const char* timers;       ///< the timers,
    const char* connections;  ///< and the task of a connection
};

std::span<const System> systems() noexcept;
/// Throws std::invalid_argument, listing the known names.
const System& system_named(std::string_view name);
/// Returns the settings of the system's scheduler; `source` must have been made with the system's time_by.
lab04::Settings settings_of(const System& system, EpollSource& source, unsigned machines);

}  // namespace fiberscope::lab05
