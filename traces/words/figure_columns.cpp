#include "traces/words/figure_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

using Unit = FigureUnit;

constexpr double as_double(std::uint64_t n) { return static_cast<double>(n); }
constexpr bool has_waits(const Figures& f) { return f.waiting.count > 0; }
constexpr bool has_answers(const Figures& f) { return f.answer.count > 0; }
constexpr bool has_sleepers(const Figures& f) { return f.overshoot.count > 0; }
/// Not every library records its poller.
constexpr bool knows_idle(const Figures& f) { return f.polls + f.parks + f.waiting.count > 0; }

constexpr Text kWaits =
    mark("How long tasks waited for a machine, each time: while they were ready, or due and not yet noticed.");
constexpr Text kClientsWaited = mark("How long clients waited for their answers, from the request.");

#define FIBERSCOPE_FIGURE(expression) [](const Figures& f) { return expression; }

constexpr FigureColumn kColumns[] = {
    {"makespan_ns", mark("makespan"), Text(), FIBERSCOPE_FIGURE(as_double(f.makespan)), Unit::ns, Good::less,
     mark("From the beginning to the last event.")},
    {"waiting_p50_ns", mark("waiting"), mark("p50"), FIBERSCOPE_FIGURE(as_double(f.waiting.p50)), Unit::ns, Good::less,
     kWaits, has_waits},
    {"waiting_p99_ns", mark("waiting"), mark("p99"), FIBERSCOPE_FIGURE(as_double(f.waiting.p99)), Unit::ns, Good::less,
     kWaits, has_waits},
    {"waiting_max_ns", mark("waiting"), mark("max"), FIBERSCOPE_FIGURE(as_double(f.waiting.max)), Unit::ns, Good::less,
     kWaits, has_waits},
    {"answer_p50_ns", mark("answer"), mark("p50"), FIBERSCOPE_FIGURE(as_double(f.answer.p50)), Unit::ns, Good::less,
     kClientsWaited, has_answers},
    {"answer_p99_ns", mark("answer"), mark("p99"), FIBERSCOPE_FIGURE(as_double(f.answer.p99)), Unit::ns, Good::less,
     kClientsWaited, has_answers},
    {"answer_max_ns", mark("answer"), mark("max"), FIBERSCOPE_FIGURE(as_double(f.answer.max)), Unit::ns, Good::less,
     kClientsWaited, has_answers},
    {"fairness", mark("fairness"), Text(), FIBERSCOPE_FIGURE(f.fairness), Unit::index, Good::more,
     mark("Jain's index of each task's share of running in the time in which it ran, was ready, or was due and not yet "
          "noticed: 1 if all are equal."),
     has_waits},
    {"switches", mark("switches"), Text(), FIBERSCOPE_FIGURE(as_double(f.switches)), Unit::count, Good::less,
     mark("How often a machine went from one coroutine to another.")},
    {"idle_percent", mark("idle"), Text(), FIBERSCOPE_FIGURE(100 * f.idle), Unit::percent, Good::neither,
     mark("The share of the machines' time in which they waited in the poller or were parked."), knows_idle},
    {"overshoot_p50_ns", mark("overshoot"), mark("p50"), FIBERSCOPE_FIGURE(as_double(f.overshoot.p50)), Unit::ns,
     Good::less, mark("How much later than requested sleepers ran again: the median."), has_sleepers},
    {"overshoot_max_ns", mark("overshoot"), mark("max"), FIBERSCOPE_FIGURE(as_double(f.overshoot.max)), Unit::ns,
     Good::less, mark("How much later than requested sleepers ran again: the maximum."), has_sleepers},
    {"spinning_percent", mark("spinning"), Text(), FIBERSCOPE_FIGURE(100 * f.spinning), Unit::percent, Good::less,
     mark("The share of the machines' time in which they kept looking for work, which uses a processor.")},
    {"locked_percent", mark("at locks"), Text(), FIBERSCOPE_FIGURE(100 * f.locked), Unit::percent, Good::less,
     mark("The share of the machines' time in which they waited for a lock that another machine held.")},
    {"steals", mark("steals"), Text(), FIBERSCOPE_FIGURE(as_double(f.steals)), Unit::count, Good::neither,
     mark("How often a machine took tasks from another.")},
    {"moved", mark("moved"), Text(), FIBERSCOPE_FIGURE(as_double(f.moved)), Unit::count, Good::neither,
     mark("How many tasks were stolen.")},
    {"wakes", mark("wake-ups"), Text(), FIBERSCOPE_FIGURE(as_double(f.unparks)), Unit::count, Good::neither,
     mark("How often a parked machine was woken.")},
    {"calls", mark("system"), mark("calls"), FIBERSCOPE_FIGURE(as_double(f.calls)), Unit::count, Good::less,
     mark("Calls for input and output made by tasks, each counted once regardless of retries, and system calls to the "
          "poller.")},
    {"queue_mean", mark("queue"), mark("mean"), FIBERSCOPE_FIGURE(f.queue), Unit::mean, Good::less,
     mark("Number of tasks waiting for a machine, averaged over time.")},
    {"queue_max", mark("queue"), mark("max"), FIBERSCOPE_FIGURE(as_double(f.queue_most)), Unit::count, Good::less,
     mark("Maximum number of tasks waiting for a machine.")},
    {"copied_bytes", mark("copied"), Text(), FIBERSCOPE_FIGURE(as_double(f.copied)), Unit::bytes, Good::less,
     mark("Bytes copied out of shared stacks and back into them.")},
};
#undef FIBERSCOPE_FIGURE

/// Smallest significant differences: for times and counts relative to the larger value, for shares in percentage
/// points, for the index absolute.
constexpr double kPartThatMatters = 0.02, kPointsThatMatter = 1, kIndexThatMatters = 0.01;

}  // namespace

bool matters(double a, double b, FigureUnit unit) noexcept {
    const double by = std::abs(a - b);
    if (unit == Unit::percent) return by >= kPointsThatMatter;
    if (unit == Unit::index) return by >= kIndexThatMatters;
    return by > 0 && by >= kPartThatMatters * std::max(a, b);
}

std::string figure_in_words(double value, FigureUnit unit) {
    std::array<char, 32> text{};
    switch (unit) {
    case Unit::ns: return in_words(static_cast<std::uint64_t>(value));
    case Unit::count: return grouped(static_cast<std::int64_t>(value));
    case Unit::bytes: return grouped(static_cast<std::int64_t>(value)) + " B";
    case Unit::percent: std::snprintf(text.data(), text.size(), "%.1f %%", value); break;
    case Unit::index: std::snprintf(text.data(), text.size(), "%.3f", value); break;
    case Unit::mean: std::snprintf(text.data(), text.size(), "%.2f", value); break;
    }
    return text.data();
}

std::string FigureColumn::title(Language language) const {
    return say(language, upper) + (lower.empty() ? "" : " " + say(language, lower));
}

std::span<const FigureColumn> figure_columns() noexcept { return kColumns; }

}  // namespace fiberscope::trace
