// Ends a trace without the cooperation of its threads: from a signal handler, or at exit.
#include "traces/record/flush.h"
#include "traces/record/format.h"
#include "traces/record/own_buffer.h"
#include "traces/record/state.h"
#include "traces/record/sys.h"

namespace fiberscope::trace {
namespace detail {
namespace {

/// Separate from the thread's own, because a signal may interrupt a thread that is using that.
constinit Scratch g_scratch{};

/// Keeps a second crashing thread from ending the process before the first one has written the trace.
void wait_for_the_end() noexcept {
    constexpr long kPause = 1'000'000;  // ns
    constexpr int kPatience = 3000;     // pauses
    state.file.abandon();
    for (int pause = 0; pause < kPatience && !state.file.ended(); ++pause) sys::sleep_ns(kPause);
}

std::uint64_t append_all() noexcept {
    std::uint64_t last_t = 0;
    for_each_current([&](ThreadBuffer& b) {
        append_rest(state.file, b, g_scratch);
        last_t = std::max(last_t, last_time(b));
    });
    return last_t;
}

/// A thread that has never recorded becomes a machine of its own.
std::uint16_t machine_of_this_thread() noexcept {
    if (own != nullptr && is_current(*own)) return own->machine;
    return static_cast<std::uint16_t>(state.machines.fetch_add(1, std::memory_order_relaxed));
}

void append_fault(Stored fault, std::uint64_t t) noexcept {
    fault.event.t = t;
    fault.event.m = machine_of_this_thread();
    Text out(g_scratch.text.data(), g_scratch.text.size());
    AddressWords words(g_scratch.pages);
    out.put(kSeparator);
    format(out, fault, words);
    state.file.append({out.view(), nullptr, 0, 1});
}

}  // namespace

void end_abruptly(const Stored* fault) noexcept {
    if (state.file.ended()) return;
    const std::uint32_t self = sys::thread_id();
    std::uint32_t ender = 0;
    if (!state.ender.compare_exchange_strong(ender, self, std::memory_order_acq_rel)) {
        if (ender != self) wait_for_the_end();
        return;
    }
    recording.store(false, std::memory_order_relaxed);
    if (!state.file.lock_in_signal()) return;
    const std::uint64_t last_t = append_all();
    if (fault != nullptr) append_fault(*fault, last_t);
    state.file.end();
    state.file.unlock();
}

}  // namespace detail

void write_from_signal(std::uint32_t co, std::string_view text) noexcept {
    detail::Stored fault;
    fault.event.kind = Kind::fault;
    fault.event.co = co;
    fault.text = detail::utf8_prefix(text, detail::kMostText);
    detail::end_abruptly(&fault);
}

}  // namespace fiberscope::trace
