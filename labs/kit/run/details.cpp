#include "labs/kit/run/details.h"

#include <atomic>

namespace fiberscope::kit {

namespace {
std::atomic<bool> details_wanted{true};
}

void record_details(bool wanted) noexcept { details_wanted.store(wanted, std::memory_order_relaxed); }
bool records_details() noexcept { return details_wanted.load(std::memory_order_relaxed); }

}  // namespace fiberscope::kit
