#include "labs/04_scheduler/programs/demos.h"

namespace fiberscope::lab04 {

namespace {

void fanout_deque(const kit::DemoOptions& options) { run_workload("fanout", options); }

constexpr const char* kDeque[] = {"deque"};
constexpr kit::Acting kOfDeque{true, kDeque};
const kit::MoreDemos known({
    {"fanout_deque", "the same with a deque without a lock for each machine", fanout_deque, kGoNames, kDeque, kOfDeque},
});

}  // namespace

}  // namespace fiberscope::lab04
