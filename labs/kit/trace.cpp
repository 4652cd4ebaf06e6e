#include "labs/kit/trace.h"

#include <atomic>
#include <stdexcept>

#include "labs/kit/clock.h"
#include "labs/kit/thread_state.h"
#include "labs/kit/transfer.h"

namespace fiberscope::kit {

bool any_coroutine_yet() noexcept;  // core.cpp

void start_trace(const std::filesystem::path& file, const trace::Meta& meta) {
    if (any_coroutine_yet())
        throw std::logic_error("cannot begin the trace " + file.string() +
                               ": there are coroutines already; begin it first thing in main");
    trace::open(file, meta);
    choose_clock(meta.clock == "virtual" ? ClockKind::virtual_ : ClockKind::monotonic);
    declare_thread();
}

void end_trace() {
    trace::close();
    detail::observed = clock_kind() == ClockKind::virtual_;
}

namespace {
std::atomic<bool> details_wanted{true};
}

void record_details(bool wanted) noexcept { details_wanted.store(wanted, std::memory_order_relaxed); }
bool records_details() noexcept { return details_wanted.load(std::memory_order_relaxed); }

void note(std::string_view text) {
    if (!trace::recording()) return;
    trace::record(now(), trace::note_event(this_thread().current->id()), text);
}

}  // namespace fiberscope::kit
