// Recording of a lab's run: opens the recorder on the kit's clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "languages/message.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

/// Chooses the clock that `meta.clock` names ("virtual" or "monotonic"), begins the trace and records the calling
/// thread as coroutine 0. Must come before the first coroutine of the process; throws std::logic_error otherwise.
void start_trace(const std::filesystem::path& file, const trace::Meta& meta);

/// Ends it: the file is whole. Does nothing without a trace.
void end_trace();

/// Words of the program itself, at the coroutine that runs now. Recorded only when a trace is.
void note(std::string_view text);
/// A text with values: note("puts {0}", 3).
template <class First, class... More>
void note(const char* text, const First& first, const More&... more) {
    note(message(text, first, more...));
}
/// The name of a set with values, a message: set_name("runnable of machine {0}", 0). Its texts are those of
/// traces/words/sets.h.
template <class... Values>
std::string set_name(const char* text, const Values&... values) {
    return message(text, values...);
}

/// At choice point `n`, from 1, an explorer let machine `next` go on; `others` could have: "0, 2".
void note_choice(std::int64_t n, trace::Turn turn, unsigned next, std::string_view others);

}  // namespace fiberscope::kit
