// What lab 04 gives of the strategies that have nothing but a loop, which the student writes: their names.
#include "labs/04_scheduler/hand_off.h"
#include "labs/04_scheduler/strategy.h"

namespace fiberscope::lab04 {

extern "C" {
KnownStrategy fiberscope_strategy_producer_consumer("producer_consumer", &KnownStrategy::make<ProducerConsumer>);
KnownStrategy fiberscope_strategy_multi_state("multi_state", &KnownStrategy::make<MultiState>);
KnownStrategy fiberscope_strategy_hand_off("hand_off", &KnownStrategy::make<HandOff>);
}

}  // namespace fiberscope::lab04
