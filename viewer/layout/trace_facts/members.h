// The members of sets in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "traces/replay/replay.h"
#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// "7 that sleep", "13 timers".
std::string counted(trace::Role role, std::size_t members, Language language = Language::english);

/// The name of a set, with the machine that it belongs to: "local queue of machine 1".
std::string set_title(const trace::Trace& trace, std::uint32_t set, std::int64_t owner,
                      Language language = Language::english);

/// The name of a coroutine, or "timer 5" if there is none.
std::string item_name(const trace::Trace& trace, std::uint32_t co, std::uint32_t timer,
                      Language language = Language::english);

/// What the members of a set are ordered by, without a unit, because each key has its own here: "deadline".
std::string key_name(std::string_view name);

/// A key as the time axis writes times: "40000100 ns" is "40.0001 ms"; what is no time stays as it is.
std::string key_in_words(std::string_view key);
/// The same if it fits into `width`, of what is no time its number, or nothing.
std::string key_that_fits(const Metrics& metrics, float width, std::string_view key);

/// What has left `set`: by the event at the playhead, or before if it is on its way into another set, or into another
/// place of this one, and enters it by the event at the playhead at the earliest.
struct JustLeft {
    trace::Event event;  ///< its `remove`
    std::string step;    ///< "wake", "steal"; empty if it goes nowhere
};
std::optional<JustLeft> just_left(const trace::Replay& replay, std::uint32_t set, Language language);
/// "reader of 7 leaves", "wake: reader of 7 leaves"
std::string just_left_in_words(const trace::Trace& trace, const JustLeft& left, Language language);

/// The event at the playhead, if it is about `set`; else null.
std::optional<trace::Event> event_about(const trace::Replay& replay, std::uint32_t set) noexcept;

}  // namespace fiberscope::viewer
