// Sentences about a trace: what an event did, and why a coroutine is not running. Used by the viewer, the command-line
// tool and the grader, so that all three say the same thing.
#pragma once

#include <string>
#include <string_view>

#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// "main resumes ping (first entry); main waits for it" — one sentence, without a full stop.
std::string describe(const Trace& trace, std::size_t event);

/// Why coroutine `co` is not running at the playhead: "resumed B 1 µs ago and waits for it", "yielded to main 2
/// µs ago", "has waited 1.2 ms for fd 7 to be readable, 3 ms left", "is dead: it ended 5 µs ago"; "is running on machine
/// 0" if it is.
std::string why_not_running(const Replay& replay, std::uint32_t co);

/// The same in a few words, where its state is shown already: "for 8.3 µs, 2 of 5", "fd 7 readable, 1.2 ms, 3 ms left".
std::string why_in_short(const Replay& replay, std::uint32_t co);

/// What a coroutine waits for, as it stands in a sentence: the program's "fd 7 readable" is "fd 7 to be readable" there.
std::string awaited(std::string_view reason);

/// A duration or time in words with at most three digits and a fitting unit: "850 ns", "1.25 µs", "3.04 ms".
std::string in_words(std::uint64_t ns);

/// A count with its digits in groups of three: "1,072".
std::string grouped(std::int64_t n);

}  // namespace fiberscope::trace
