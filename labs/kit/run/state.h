// The state of what can run, apart from the rest of it (core.h): as much as a lab's interface needs to know.
#pragma once

#include <cstdint>
#include <string_view>

#include "traces/schema/words.h"

namespace fiberscope::kit {

using trace::State;

class Core;

/// A step away from a switch. Throws Misuse if trace::legal_step refuses it.
void set_state(Core& core, State to, trace::Cause cause = trace::Cause::none, std::string_view error = {});

/// What every Core begins with.
class Status {
  public:
    State state() const noexcept { return static_cast<State>(status_ & kStateBits); }

  protected:
    // The state, and what a switch must know besides: in one word, so that one comparison finds the usual case.
    static constexpr std::uint32_t kStateBits = 0xff;

    std::uint32_t status_ = static_cast<std::uint32_t>(State::new_);
};

}  // namespace fiberscope::kit
