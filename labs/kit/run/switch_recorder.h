// The parameters of a recorded switch.
#pragma once

#include <cstdint>
#include <span>

#include "traces/schema/schema.h"

namespace fiberscope::kit {

class Core;

/// Why control leaves `from`, and the new state of `from`.
struct Step {
    trace::Why why;
    trace::State left;
    std::int64_t until = trace::kAbsent;  ///< ns: deadline if `from` sleeps or waits with a limit
    const char* reason = nullptr;         ///< text, or null
};

/// Called by a recorded jump immediately before it jumps. Stored per thread and not on the stack that is left, so that
/// a recorded switch can also be a tail call.
class SwitchRecorder {
  public:
    SwitchRecorder() = default;
    SwitchRecorder(Core& from, Core& to, Step step) noexcept : from_(&from), to_(&to), step_(step) {}
    void operator()(std::span<const std::uint64_t> saved, std::span<const std::uint64_t> loaded) const noexcept;

  private:
    Core* from_ = nullptr;
    Core* to_ = nullptr;
    Step step_{};
};

}  // namespace fiberscope::kit
