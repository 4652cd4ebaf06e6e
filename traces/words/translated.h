// Sentences of the trace reader, the checker and the explorer, which are in English, in another language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// What the reader, the checker or the explorer says in English: they know no languages. What they do not say stays as
/// it is.
std::string translated(std::string_view english, Language language);

/// The same for what a demo of a lab notes in its trace.
std::string translated_note(std::string_view english, Language language);

/// The name of a set, also where it says whose it is ("runnable of machine 1"); one that no lab gives stays as it is.
std::string set_in(std::string_view name, Language language);

/// What a set is ordered by: "descriptor".
std::string order_in(std::string_view key, Language language);

/// The name of a coroutine. One that has none is called by its number, and that in each language.
std::string name_in(const Trace& trace, std::uint32_t co, Language language);

}  // namespace fiberscope::trace
