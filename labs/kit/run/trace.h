// Recording of a lab's run: opens the recorder on the kit's clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "languages/message.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

/// Selects the clock named by `meta.clock` ("virtual" or "monotonic"), begins the trace and records the calling thread
/// as coroutine 0. Must precede the first coroutine of the process; otherwise throws std::logic_error.
void start_trace(const std::filesystem::path& file, const trace::Meta& meta);

/// Ends the trace and completes its file. No-op without an open trace.
void end_trace();

/// Records a message of the program at the running coroutine. No-op without an open trace.
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

/// Records that at choice point `n`, from 1, an explorer let machine `next` run, instead of `others`: "0, 2".
void note_choice(std::int64_t n, trace::Turn turn, unsigned next, std::string_view others);

}  // namespace fiberscope::kit
