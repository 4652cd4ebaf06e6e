#include "labs/kit/run/core.h"

#include <atomic>

namespace fiberscope::kit {

namespace {
std::atomic<std::uint32_t> next_id{0};
}

std::uint32_t Core::id() const noexcept {
    if (id_ == trace::kNone) id_ = next_id.fetch_add(1, std::memory_order_relaxed);
    return id_;
}

bool Core::is_alone() noexcept { return next_id.load(std::memory_order_relaxed) <= 1; }

std::string Core::name() const {
    if (const std::string_view given = given_name(); !given.empty()) return std::string(given);
    return "coroutine " + std::to_string(id());
}

// Out of line and cold. Out of memory ends the program: no exception can be thrown in the middle of a switch.
Core::ColdState& Core::make_cold_state() noexcept {
    cold_state_ = std::make_unique<ColdState>();
    return *cold_state_;
}

}  // namespace fiberscope::kit
