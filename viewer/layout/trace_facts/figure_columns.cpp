#include "viewer/layout/trace_facts/figure_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

using trace::Figures;
using Unit = FigureUnit;

constexpr double as_double(std::uint64_t n) { return static_cast<double>(n); }

constexpr FigureColumn kMakespan{mark("makespan"), Text(),     [](const Figures& f) { return as_double(f.makespan); },
                                 Unit::ns,         Good::less, mark("From the beginning to the last event.")};
constexpr FigureColumn kSwitches{
    mark("switches"), Text(),     [](const Figures& f) { return as_double(f.switches); },
    Unit::count,      Good::less, mark("How often a machine went from one coroutine to another.")};
constexpr FigureColumn kIdleShare{
    mark("idle"),
    Text(),
    [](const Figures& f) { return 100 * f.idle; },
    Unit::percent,
    Good::neither,
    mark("The share of the machines' time in which they waited in the poller or were parked.")};
constexpr FigureColumn kSpinning{
    mark("spinning"),
    Text(),
    [](const Figures& f) { return 100 * f.spinning; },
    Unit::percent,
    Good::less,
    mark("The share of the machines' time in which they looked for work again and again: it costs a processor.")};
constexpr FigureColumn kFairness{
    mark("fairness"),
    Text(),
    [](const Figures& f) { return f.fairness; },
    Unit::index,
    Good::more,
    mark("Jain's index of what each task got of the time in which it ran, was ready, or was due and not yet "
         "noticed: 1 if all are alike.")};
constexpr bool has_sleepers(const Figures& f) { return f.overshoot.count > 0; }
constexpr FigureColumn kOvershootP50{
    mark("overshoot"),
    mark("p50"),
    [](const Figures& f) { return as_double(f.overshoot.p50); },
    Unit::ns,
    Good::less,
    mark("How much later than asked for sleepers ran again: half of the times at most this."),
    has_sleepers};
constexpr FigureColumn kOvershootMax{
    mark("overshoot"), mark("max"), [](const Figures& f) { return as_double(f.overshoot.max); },
    Unit::ns,          Good::less,  mark("The most that a sleeper ran later than asked for."),
    has_sleepers};
constexpr FigureColumn kCopied{
    mark("copied"), Text(),     [](const Figures& f) { return as_double(f.copied); },
    Unit::bytes,    Good::less, mark("Bytes copied out of shared stacks and back into them.")};
constexpr FigureColumn kSteals{mark("steals"), Text(),        [](const Figures& f) { return as_double(f.steals); },
                               Unit::count,    Good::neither, mark("How often a machine took tasks from another.")};
constexpr FigureColumn kWakes{mark("wake-ups"), Text(),        [](const Figures& f) { return as_double(f.unparks); },
                              Unit::count,      Good::neither, mark("How often a parked machine was woken.")};
constexpr bool has_waits(const Figures& f) { return f.waiting.count > 0; }
constexpr bool has_answers(const Figures& f) { return f.answer.count > 0; }
constexpr Text kWaits =
    mark("How long tasks waited for a machine, each time: while they were ready, or due and not yet noticed.");
constexpr Text kAnswers = mark("How long clients waited for their answers, from the request.");
constexpr FigureColumn kWaitingP50{
    mark("waiting"), mark("p50"), [](const Figures& f) { return as_double(f.waiting.p50); }, Unit::ns, Good::less,
    kWaits,          has_waits};
constexpr FigureColumn kWaitingP99{
    mark("waiting"), mark("p99"), [](const Figures& f) { return as_double(f.waiting.p99); }, Unit::ns, Good::less,
    kWaits,          has_waits};
constexpr FigureColumn kWaitingMax{
    mark("waiting"), mark("max"), [](const Figures& f) { return as_double(f.waiting.max); }, Unit::ns, Good::less,
    kWaits,          has_waits};
constexpr FigureColumn kAnswerP50{mark("answer"), mark("p50"), [](const Figures& f) { return as_double(f.answer.p50); },
                                  Unit::ns,       Good::less,  kAnswers,
                                  has_answers};
constexpr FigureColumn kAnswerP99{mark("answer"), mark("p99"), [](const Figures& f) { return as_double(f.answer.p99); },
                                  Unit::ns,       Good::less,  kAnswers,
                                  has_answers};
constexpr FigureColumn kAnswerMax{mark("answer"), mark("max"), [](const Figures& f) { return as_double(f.answer.max); },
                                  Unit::ns,       Good::less,  kAnswers,
                                  has_answers};
constexpr FigureColumn kCalls{mark("system"),
                              mark("calls"),
                              [](const Figures& f) { return as_double(f.calls); },
                              Unit::count,
                              Good::less,
                              mark("Calls for input and output that tasks made, each once however often it was tried, "
                                   "and system calls to the poller.")};
constexpr FigureColumn kQueue{
    mark("queue"), mark("mean"), [](const Figures& f) { return f.queue; },
    Unit::mean,    Good::less,   mark("How many tasks waited for a machine, on the average over time.")};
constexpr FigureColumn kQueueMost{mark("queue"), mark("max"), [](const Figures& f) { return as_double(f.queue_most); },
                                  Unit::count,   Good::less,  mark("How many tasks waited for a machine at most.")};

constexpr std::array kColumns{kMakespan, kWaitingP50, kWaitingP99,   kWaitingMax,   kAnswerP50, kAnswerP99, kAnswerMax,
                              kFairness, kSwitches,   kIdleShare,    kSpinning,     kSteals,    kWakes,     kCalls,
                              kQueue,    kQueueMost,  kOvershootP50, kOvershootMax, kCopied};

/// Differences below this say nothing: of times and counts a part of the larger value, of shares points, of the index.
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
    case Unit::ns: return trace::in_words(static_cast<std::uint64_t>(value));
    case Unit::count: return trace::grouped(static_cast<std::int64_t>(value));
    case Unit::bytes: return trace::grouped(static_cast<std::int64_t>(value)) + " B";
    case Unit::percent: std::snprintf(text.data(), text.size(), "%.1f %%", value); break;
    case Unit::index: std::snprintf(text.data(), text.size(), "%.3f", value); break;
    case Unit::mean: std::snprintf(text.data(), text.size(), "%.2f", value); break;
    }
    return text.data();
}

std::string FigureColumn::title(Language language) const {
    return say(language, upper) + (lower.empty() ? "" : " " + say(language, lower));
}

std::span<const FigureColumn> matrix_columns() noexcept { return kColumns; }

}  // namespace fiberscope::viewer
