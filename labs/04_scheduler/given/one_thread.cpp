// Given: registration of the strategies that consist only of a loop, which the student writes.
#include "labs/04_scheduler/hand_off.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kProducerConsumer[] = {
    {"program", "", "4.4", "exercise/producer_consumer.cpp"},
    {"taken", "ready", "4.4", "exercise/producer_consumer.cpp", "void ProducerConsumer::run(", "ready().pop()"},
};

constexpr kit::CodeRow kMultiState[] = {
    {"program", "", "4.5", "exercise/multi_state.cpp"},
    {"taken", "ready", "4.5", "exercise/multi_state.cpp", "void MultiState::run(", "ready().pop()"},
    {"taken", "sleeping", "4.5", "exercise/multi_state.cpp", "void MultiState::run(", "sched.expired("},
    {"taken", "waiting", "4.5", "exercise/multi_state.cpp", "void MultiState::run(", "sched.waiter("},
};

constexpr kit::CodeRow kHandOff[] = {
    {"program", "", "4.12", "exercise/hand_off.cpp"},
    {"taken", "ready", "4.12", "exercise/hand_off.cpp", "void HandOff::run(", "ready().pop()"},
    {"handed", "ready", "4.12", "exercise/hand_off.cpp", "void HandOff::leave(", "ready().pop()"},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_producer_consumer(
    {.name = "producer_consumer",
     .make = &KnownStrategy::make<ProducerConsumer>,
     .rule = mark("the longest ready goes first; the loop looks for those that sleep or wait once in a round"),
     .code = kProducerConsumer,
     .only = ""});
KnownStrategy fiberscope_strategy_multi_state(
    {.name = "multi_state",
     .make = &KnownStrategy::make<MultiState>,
     .rule = mark("first the sleepers whose time has come, then those that are ready, then those whose event has come"),
     .code = kMultiState,
     .only = "multi_state ntyco"});
KnownStrategy fiberscope_strategy_hand_off({.name = "hand_off",
                                            .make = &KnownStrategy::make<HandOff>,
                                            .rule = mark("a task that leaves switches to the longest ready itself"),
                                            .code = kHandOff});
}

}  // namespace fiberscope::lab04
