#include "labs/kit/run/trace.h"

#include <stdexcept>

#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "languages/spoken_error.h"

namespace fiberscope::kit {

void start_trace(const std::filesystem::path& file, const trace::Meta& meta) {
    if (any_coroutine_yet())
        throw Spoken<std::logic_error>(
            message("cannot begin the trace {0}: there are already coroutines; begin it first in main", file.string()));
    trace::open(file, meta);
    observe_switches(true);
    choose_clock(meta.clock == "virtual" ? ClockKind::virtual_ : ClockKind::monotonic);
    declare_thread();
}

void end_trace() {
    trace::close();
    observe_switches(false);
}

void note(std::string_view text) {
    if (!trace::recording()) return;
    trace::record(now(), trace::note_event(this_thread().current->id()), text);
}

void note_choice(std::int64_t n, trace::Turn turn, unsigned next, std::string_view others) {
    // Serialized, whichever machine is at a choice point: only one of them runs at a time.
    static trace::CausalStamp last;
    if (trace::recording()) trace::record(now(), trace::choice_event(n, turn, next), last, others);
}

}  // namespace fiberscope::kit
