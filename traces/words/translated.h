// Sentences of the trace reader, the checker and the explorer, which are in English, in another language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/read/printable.h"
#include "traces/read/trace.h"
#include "traces/words/texts/say.h"

namespace fiberscope::trace {

/// The reader, the checker and the explorer know no languages: they say in English what is wrong. This finds their
/// sentence, and what stands in it, among the texts of the English table. What is not there stays as it is.
std::string translated(std::string_view english, Language language);

/// The same for a step of a schedule, as an explorer tells it: "reads the length of queue 0".
std::string translated_step(std::string_view english, Language language);

/// The same for what is wrong with a call of fiberscope-trace.
std::string translated_call(std::string_view english, Language language);

/// The same for what a demo of a lab notes in its trace (texts/noted.h).
std::string translated_note(std::string_view english, Language language);

/// The name of a set, also where it says whose it is ("runnable of machine 1"); one that no lab gives stays as it is.
std::string set_in(std::string_view name, Language language);
inline std::string set_in(Foreign name, Language language) { return set_in(printable(name), language); }

/// What a set is ordered by: "descriptor".
std::string order_in(std::string_view key, Language language);

/// The name of a coroutine. One that has none is called by its number, and that in each language.
std::string name_in(const Trace& trace, std::uint32_t co, Language language);

}  // namespace fiberscope::trace
