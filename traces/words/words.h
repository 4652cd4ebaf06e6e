// Sentences about a trace: what an event did, and why a coroutine is not running. Used by the viewer, the command-line
// tool and the grader, so that all three say the same thing. In English, unless another language is asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "traces/replay/idle.h"
#include "traces/replay/replay.h"

namespace fiberscope::trace {

/// "main resumes ping (first entry); main waits for it" — one sentence, without a full stop.
std::string describe(const Trace& trace, std::size_t event, Language language = Language::english);

/// Why coroutine `co` is not running at the playhead: "resumed B 1 µs ago and waits for it", "yielded to main 2
/// µs ago", "has waited 1.2 ms for fd 7 to be readable, 3 ms left", "is dead: it ended 5 µs ago"; "is running on
/// machine 0" if it is.
std::string why_not_running(const Replay& replay, std::uint32_t co, Language language = Language::english);

/// Where coroutines stand in the sets of the playhead. To be made once where many are asked about: to look for each in
/// all sets would take the square of their number.
class Places {
  public:
    struct Place {
        std::size_t set;     ///< index in Replay::sets()
        std::size_t number;  ///< from 1
    };
    explicit Places(const Replay& replay);
    /// Only of coroutine `co`.
    Places(const Replay& replay, std::uint32_t co);
    /// Its place in a set of role ready, or in one of role pool; nullptr if it is in none.
    const Place* ready(std::uint32_t co) const noexcept { return find(ready_, co); }
    const Place* pool(std::uint32_t co) const noexcept { return find(pool_, co); }

  private:
    Places(const Replay& replay, std::uint32_t first, std::size_t count);
    void add(const SetNow& set, std::size_t index);
    const Place* find(const std::vector<Place>& places, std::uint32_t co) const noexcept;
    std::uint32_t first_;              // coroutine that both begin with
    std::vector<Place> ready_, pool_;  // a number of 0: it is in none
};
/// The same as why_not_running(replay, co), from places that are known.
std::string why_not_running(const Replay& replay, const Places& places, std::uint32_t co,
                            Language language = Language::english);

/// What machine m does while it is idle, of the span in which the playhead lies: "waits in the poller of machine 0,
/// since 1.2 µs", "is parked", "goes round and round and finds no task to run". For the task that runs there.
std::string why_idle(const Replay& replay, std::uint32_t m, const IdleSpan& span,
                     Language language = Language::english);

/// The same in a few words, where its state is shown already: "for 8.3 µs, 2 of 5", "fd 7 to be readable, 1.2 ms, 3 ms
/// left".
std::string why_in_short(const Replay& replay, const Places& places, std::uint32_t co,
                         Language language = Language::english);

/// The word of a state: "suspended".
std::string state_word(State state, Language language);
/// A state where a sentence names it: the lab's own word ("runnable"), or "ready" where the lab has none.
std::string state_called(const Trace& trace, State state, Language language);
/// A state in words: "suspended", or with the lab's own word "SUSPEND (suspended)"; one word if both are the same.
std::string state_name(const Trace& trace, State state, Language language);

/// The reason that a switch recorded, as it stands in a sentence: "fd 7 to be readable", "the lock 'table' to read". A
/// program's own words stay as they are; empty for kNone.
std::string reason_in_words(const Trace& trace, std::uint32_t reason, Language language);

/// What a text of the recording says, printable.
std::string printable_text(const Replay& replay, std::uint32_t text);

/// A duration or time in words with at most three digits and a fitting unit: "850 ns", "1.25 µs", "3.04 ms".
std::string in_words(std::uint64_t ns);

/// The same with all digits: "59.995 s", "40.0007 ms".
std::string exactly(std::uint64_t ns);

/// A key of a set, printable: "45000000 ns" is "45 ms", and "45000001 ns" "45.000001 ms".
std::string key_in_words(Foreign key);
/// Whether an event of a set is about a value in a channel's buffer: its key is "value 3".
bool is_value(const Trace& trace, const Event& event) noexcept;
/// What enters or leaves a set, or moves in it: "A", "timer 3", "value 3 of A".
std::string member_in_words(const Trace& trace, const Event& event, Language language);

/// A count with its digits in groups of three: "1,072".
std::string grouped(std::int64_t n);

}  // namespace fiberscope::trace
