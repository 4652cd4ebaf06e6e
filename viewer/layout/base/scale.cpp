#include "viewer/layout/base/scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fiberscope::viewer {
namespace {

constexpr double kLeastSpan = 10;

Range within(Range range, std::uint64_t duration) noexcept {
    const Range all = whole(duration);
    if (range.span() >= all.span()) return all;
    if (range.from < all.from) return {all.from, all.from + range.span()};
    if (range.to > all.to) return {all.to - range.span(), all.to};
    return range;
}

struct TimeUnit {
    double ns;
    const char* name;
};
constexpr std::array kScaleUnits{TimeUnit{1, "ns"}, TimeUnit{1e3, "µs"}, TimeUnit{1e6, "ms"}, TimeUnit{1e9, "s"}};

/// The unit in which the larger end of the visible range has one to three digits before the decimal point.
TimeUnit unit_for(double largest) noexcept {
    TimeUnit best = kScaleUnits[0];
    for (const TimeUnit& unit : kScaleUnits)
        if (largest >= unit.ns) best = unit;
    return best;
}

double round_step(double at_least) noexcept {
    const double power = std::pow(10, std::floor(std::log10(at_least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= at_least * 0.9999) return factor * power;
    return 10 * power;
}

std::string label(double t, double step, TimeUnit unit) {
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit.ns) - 1e-9)));
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f %s", decimals, t / unit.ns, unit.name);
    return text.data();
}

}  // namespace

std::uint64_t axis_end(const TraceIndex& index, const Selection& selection) noexcept {
    return std::max(index.duration(), static_cast<std::uint64_t>(std::max(0.0, selection.horizon)));
}

Range whole(std::uint64_t duration) noexcept {
    const double length = std::max(kLeastSpan, static_cast<double>(duration));
    return {-0.01 * length, 1.01 * length};
}

Range zoomed(Range range, double fixed, double factor, std::uint64_t duration) noexcept {
    const double span = std::max(kLeastSpan, range.span() * factor);
    const double share = range.span() > 0 ? (fixed - range.from) / range.span() : 0.5;
    const double from = fixed - share * span;
    return within({from, from + span}, duration);
}

Range panned(Range range, double by, std::uint64_t duration) noexcept {
    return within({range.from + by, range.to + by}, duration);
}

Range following(Range range, double t, std::uint64_t duration) noexcept {
    const double margin = range.span() * 0.02;
    if (t > range.to - margin) return panned(range, t - range.from - range.span() * 0.25, duration);
    if (t < range.from + margin) return panned(range, t - range.to + range.span() * 0.25, duration);
    return range;
}

std::vector<Tick> ticks(const TimeScale& scale, float label_px) {
    const double step = std::max(1.0, round_step(scale.ns_per_px() * static_cast<double>(label_px)));
    const double minor = step >= 5 ? step / 5 : step;
    const TimeUnit unit = unit_for(std::max(std::abs(scale.range.from), std::abs(scale.range.to)));
    std::vector<Tick> result;
    const double per_label = std::round(step / minor);
    for (double n = std::max(0.0, std::ceil(scale.range.from / minor)); n * minor <= scale.range.to; ++n) {
        const bool major = std::fmod(n, per_label) == 0;
        result.push_back({n * minor, major ? label(n * minor, step, unit) : std::string()});
    }
    return result;
}

}  // namespace fiberscope::viewer
