// What a switch that is recorded says of itself.
#pragma once

#include <cstdint>
#include <span>

#include "traces/schema/schema.h"

namespace fiberscope::kit {

class Core;

/// Why control leaves `from` and in which state that leaves it.
struct Step {
    trace::Why why;
    trace::State left;
    std::int64_t until = trace::kAbsent;  ///< ns: when `from` sleeps, or waits with a limit
    const char* reason = nullptr;         ///< words, or null
};

/// What a recorded jump calls just before it jumps. It lies with the thread, not on the stack that is left, so that a
/// recorded switch too can be the last act of its function.
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
