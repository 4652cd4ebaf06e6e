// The state of a context, separate from core.h: all that a lab's interface needs.
#pragma once

#include <cstdint>
#include <string_view>

#include "traces/schema/words.h"

namespace fiberscope::kit {

using trace::State;

class Core;

/// A state change without a switch. Throws Misuse if trace::legal_step rejects it.
void set_state(Core& core, State to, trace::Cause cause = trace::Cause::none, std::string_view error = {});

/// The base of every Core.
class Status {
  public:
    State state() const noexcept { return static_cast<State>(status_ & kStateBits); }

  protected:
    // The state and flags for the switch in one word, so that one comparison detects the usual case.
    static constexpr std::uint32_t kStateBits = 0xff;

    std::uint32_t status_ = static_cast<std::uint32_t>(State::new_);
};

}  // namespace fiberscope::kit
