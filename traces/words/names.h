// Names of coroutines, sets and timers, and what a demo notes, in the language of the reader.
#pragma once

#include <cstdint>
#include <string>

#include "languages/message.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// Values of a message: a coroutine, which is named by its number if it has no name; a timer; a set; a state.
Value name_value(const Trace& trace, std::uint32_t co);
Value timer_value(std::uint32_t timer);
Value set_value(Foreign name);
Value state_value(State state);

/// The name of a coroutine.
std::string name_in(const Trace& trace, std::uint32_t co, Language language);
/// The name of a set, which may be a message ("runnable of machine {0}"); one that no lab gives stays as it is.
std::string set_in(Foreign name, Language language);
/// What a set is ordered by: "descriptor".
std::string order_in(Foreign key, Language language);
/// A note: a message of a demo, or a program's own words.
std::string note_in(Foreign note, Language language);

}  // namespace fiberscope::trace
