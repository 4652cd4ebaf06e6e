// Judges a trace by the invariants of docs/trace-format.md, which a correct program satisfies.
#pragma once

#include <optional>
#include <string>

#include "traces/read/trace.h"

namespace fiberscope::trace {

/// The first event that breaks an invariant.
struct Broken {
    std::size_t event;  ///< its number; the last one if the end of the trace is what is wrong
    std::size_t line;   ///< of the file
    int invariant;      ///< its number in docs/trace-format.md, from 1
    std::string why;    ///< one sentence, without a full stop
};

inline constexpr int kInvariants = 9;

/// What invariant `number` asks, in one sentence without a full stop.
std::string_view invariant_in_words(int number) noexcept;

/// The first event that breaks an invariant, or nothing. The end of a trace that was cut short is not judged.
std::optional<Broken> check(const Trace& trace);

}  // namespace fiberscope::trace
