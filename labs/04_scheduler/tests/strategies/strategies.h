// Steps 4.4 and 4.5: tests for every strategy. The including file defines which one, and for which step:
//
//     #define FIBERSCOPE_STEP "4.4"
//     #define FIBERSCOPE_STRATEGY "producer_consumer"
//     #define FIBERSCOPE_MACHINES 2   (if it has several)
//     #include "labs/04_scheduler/tests/strategies/strategies.h"
#pragma once

#include "labs/04_scheduler/tests/strategies/strategies_rounds.h"
#include "labs/04_scheduler/tests/strategies/strategies_whole.h"
