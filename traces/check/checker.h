// Judges a trace by the invariants of docs/trace-format.md, which a correct program satisfies.
#pragma once

#include <optional>
#include <string>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// The first event that breaks an invariant.
struct Broken {
    std::size_t event;  ///< its number; the last one if the end of the trace is what is wrong
    std::size_t line;   ///< of the file
    int invariant;      ///< its number in docs/trace-format.md, from 1
    std::string why;    ///< one sentence, without a full stop, as a message
};

inline constexpr int kInvariants = 10;

/// What invariant `number` asks, in one sentence without a full stop.
std::string_view invariant_in_words(int number, Language language = Language::english);

/// The first event that breaks an invariant, or nothing. Of a recording that was cut short, or whose recorder had to
/// drop events, the end is not judged, and no more than judged_events().
std::optional<Broken> check(const Trace& trace);

/// How many events of a trace can be judged: all of one that is whole. Each machine delivers its events in pieces of
/// its own; so of a recording that was cut only those up to the moment up to which every machine has delivered. A
/// machine that stopped has delivered everything.
std::size_t judged_events(const Trace& trace);

}  // namespace fiberscope::trace
