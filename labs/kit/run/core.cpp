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

std::string Core::name() const {
    if (!name_.empty()) return name_;
    return "coroutine " + std::to_string(id());
}

}  // namespace fiberscope::kit
