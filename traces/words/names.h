// Names of coroutines, sets and timers, and the texts of notes, in the reader's language.
#pragma once

#include <cstdint>
#include <string>

#include "languages/message.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// Values of a message: a coroutine (by number if it has no name), a timer, a set, a state.
Value name_value(const Trace& trace, std::uint32_t co);
Value timer_value(std::uint32_t timer);
Value set_value(Foreign name);
Value state_value(State state);

/// The name of a coroutine.
std::string name_in(const Trace& trace, std::uint32_t co, Language language);
/// The name of a set, which may be a message ("runnable of machine {0}"); names not in the catalogue are unchanged.
std::string set_in(Foreign name, Language language);
/// The key by which a set is ordered: "descriptor".
std::string order_in(Foreign key, Language language);
/// A note: a message of a demo, or text of the program.
std::string note_in(Foreign note, Language language);

}  // namespace fiberscope::trace
