// Given for step 4.9: access to the loop of a scheduler.
#include <stdexcept>

#include "labs/04_scheduler/event_loop.h"
#include "labs/04_scheduler/scheduler.h"

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kLibco[] = {
    {"program", "", "4.9", "exercise/event_loop.cpp"},
    {"taken", "ready", "4.9", "exercise/event_loop.cpp", "void EventLoop::run(", "ready().pop()"},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_libco(
    {.name = "libco",
     .make = &KnownStrategy::make<EventLoop>,
     .rule = mark("the active list from its head; those whose time-out or event has come are appended to it"),
     .code = kLibco,
     .only = "libco event_loop"});
}

EventLoop& event_loop_of(Scheduler& scheduler) {
    auto* loop = dynamic_cast<EventLoop*>(&scheduler.strategy());
    if (loop == nullptr)
        throw std::logic_error("this scheduler has no libco event loop; create it with the strategy \"libco\"");
    return *loop;
}

}  // namespace fiberscope::lab04
