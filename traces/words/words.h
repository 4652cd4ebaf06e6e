// Sentences about a trace: descriptions of events, and why a coroutine is not running. Shared by the viewer, the
// command-line tool and the grader. In English, unless another language is given.
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

/// Positions of coroutines in the sets at the playhead. To be built once for queries about many coroutines: searching
/// all sets for each one would be quadratic.
class Places {
  public:
    struct Place {
        std::size_t set;     ///< index in Replay::sets()
        std::size_t number;  ///< from 1
    };
    explicit Places(const Replay& replay);
    /// Only of coroutine `co`.
    Places(const Replay& replay, std::uint32_t co);
    /// Its position in a set of role ready or role pool; nullptr if it is in none.
    const Place* ready(std::uint32_t co) const noexcept { return find(ready_, co); }
    const Place* pool(std::uint32_t co) const noexcept { return find(pool_, co); }

  private:
    Places(const Replay& replay, std::uint32_t first, std::size_t count);
    void add(const SetNow& set, std::size_t index);
    const Place* find(const std::vector<Place>& places, std::uint32_t co) const noexcept;
    std::uint32_t first_;              // the first coroutine in both
    std::vector<Place> ready_, pool_;  // number 0: it is in none
};
/// The same as why_not_running(replay, co), with known positions.
std::string why_not_running(const Replay& replay, const Places& places, std::uint32_t co,
                            Language language = Language::english);

/// The activity of machine m while it is idle, for the span at the playhead: "waits in the poller of machine 0, since
/// 1.2 µs", "is parked", "goes round and round and finds no task to run". For the task that runs there.
std::string why_idle(const Replay& replay, std::uint32_t m, const IdleSpan& span,
                     Language language = Language::english);

/// A shorter form, for use where its state is already shown: "for 8.3 µs, 2 of 5", "fd 7 to be readable, 1.2 ms, 3 ms
/// left".
std::string why_in_short(const Replay& replay, const Places& places, std::uint32_t co,
                         Language language = Language::english);

/// The name of a state: "suspended".
std::string state_word(State state, Language language);
/// A state within a sentence: the lab's own name ("runnable"), or the format's name if the lab has none.
std::string state_called(const Trace& trace, State state, Language language);
/// A state's full name: "suspended", or with the lab's own name "SUSPEND (suspended)"; one word if both are the same.
std::string state_name(const Trace& trace, State state, Language language);

/// The reason that a switch recorded, as part of a sentence: "fd 7 to be readable", "the lock 'table' to read". A
/// program's own text is unchanged; empty for kNone.
std::string reason_in_words(const Trace& trace, std::uint32_t reason, Language language);

/// A text of the recording, printable.
std::string printable_text(const Replay& replay, std::uint32_t text);

/// A duration or time in words with at most three digits and a fitting unit: "850 ns", "1.25 µs", "3.04 ms".
std::string in_words(std::uint64_t ns);

/// The same with all digits: "59.995 s", "40.0007 ms".
std::string exactly(std::uint64_t ns);

/// A key of a set, printable: "45000000 ns" is "45 ms", and "45000001 ns" "45.000001 ms".
std::string key_in_words(Foreign key);
/// Whether a set event is about a value in a channel's buffer: its key is "value 3".
bool is_value(const Trace& trace, const Event& event) noexcept;
/// The member that a set event is about: "A", "timer 3", "value 3 of A".
std::string member_in_words(const Trace& trace, const Event& event, Language language);

/// A count with its digits in groups of three: "1,072".
std::string grouped(std::int64_t n);

}  // namespace fiberscope::trace
