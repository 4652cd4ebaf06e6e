// Checks a trace against the invariants of docs/trace-format.md, which every correct program satisfies.
#pragma once

#include <optional>
#include <string>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// The first event that breaks an invariant.
struct Broken {
    std::size_t event;  ///< index of the event; the last one if the error is at the end of the trace
    std::size_t line;   ///< of the file
    int invariant;      ///< its number in docs/trace-format.md, from 1
    std::string why;    ///< a message: one sentence, without a full stop
};

inline constexpr int kInvariants = 10;

/// The requirement of invariant `number`: one sentence without a full stop.
std::string_view invariant_in_words(int number, Language language = Language::english);

/// Returns the first event that breaks an invariant, or nothing. For a recording that was cut short, or whose recorder
/// dropped events, the end is not checked, and only judged_events() events are.
std::optional<Broken> check(const Trace& trace);

/// The number of events that can be checked: all of them if the trace is complete. Each machine writes its events in
/// chunks, so in a recording that was cut only the events up to the time that every machine has reached can be checked.
/// A machine that stopped has written everything.
std::size_t judged_events(const Trace& trace);

}  // namespace fiberscope::trace
