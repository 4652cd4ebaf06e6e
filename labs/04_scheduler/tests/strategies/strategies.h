// Steps 4.4 and 4.5: what both strategies must do. A file says which one, and under which step:
//
//     #define FIBERSCOPE_STEP "4.4"
//     #define FIBERSCOPE_STRATEGY "producer_consumer"
//     #define FIBERSCOPE_MACHINES 2   (of a strategy that has several)
//     #include "labs/04_scheduler/tests/strategies/strategies.h"
#pragma once

#include "labs/04_scheduler/tests/strategies/strategies_rounds.h"
#include "labs/04_scheduler/tests/strategies/strategies_whole.h"
