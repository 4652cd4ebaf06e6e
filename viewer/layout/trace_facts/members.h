// The members of sets as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "traces/replay/replay.h"
#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// "7 that sleep", "13 timers".
std::string counted(trace::Role role, std::size_t members, Language language = Language::english);

/// The name of a set with its machine: "local queue of machine 1".
std::string set_title(const trace::Trace& trace, std::uint32_t set, std::int64_t owner,
                      Language language = Language::english);

/// The name of a coroutine, or "timer 5" if there is none.
std::string item_name(const trace::Trace& trace, std::uint32_t co, std::uint32_t timer,
                      Language language = Language::english);

/// The key by which a set is ordered, "deadline", without its unit, since each key here has its own.
std::string key_name(std::string_view name);

/// A key in the format of the time axis: "40000100 ns" is "40.0001 ms"; unchanged if it is not a time.
std::string key_in_words(std::string_view key);
/// The same if it fits into `width`; if it is not a time, its number; else empty.
std::string key_that_fits(const Metrics& metrics, float width, std::string_view key);

/// The member that has just left `set`: removed by the event at the playhead, or earlier if it is in transit to another
/// set or place, which it enters at the playhead at the earliest.
struct JustLeft {
    trace::Event event;  ///< its `remove`
    std::string step;    ///< "wake", "steal"; empty if it has no destination
};
std::optional<JustLeft> just_left(const trace::Replay& replay, std::uint32_t set, Language language);
/// "reader of 7 leaves", "wake: reader of 7 leaves"
std::string just_left_in_words(const trace::Trace& trace, const JustLeft& left, Language language);

/// The event at the playhead, if it concerns `set`; else nothing.
std::optional<trace::Event> event_about(const trace::Replay& replay, std::uint32_t set) noexcept;

}  // namespace fiberscope::viewer
