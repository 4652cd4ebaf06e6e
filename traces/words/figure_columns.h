// The figures of a run as columns of a table, for the matrix of the viewer and for `fiberscope-trace figures`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "languages/say.h"
#include "traces/replay/figures.h"

namespace fiberscope::trace {

enum class FigureUnit : std::uint8_t { ns, count, bytes, percent, index, mean };
/// Whether two values of a figure differ significantly: times and counts by a fiftieth of the larger one, shares by one
/// percentage point, an index by a hundredth.
bool matters(double a, double b, FigureUnit unit) noexcept;
/// "412 µs", "9.5 %".
std::string figure_in_words(double value, FigureUnit unit);

/// Whether larger or smaller values are better.
enum class Good : std::uint8_t { less, more, neither };

struct FigureColumn {
    const char* key;    ///< machine-readable name: "waiting_p50_ns"
    Text upper, lower;  ///< the title; lower is empty if it has one line
    double (*value)(const Figures&);
    FigureUnit unit;
    Good good;
    Text meaning;
    /// Whether a run has the figure: without requests there are no answers, and without tasks nothing waits. Null:
    /// always.
    bool (*has_value)(const Figures&) = nullptr;

    std::string title(Language language) const;
    bool has(const Figures& figures) const { return has_value == nullptr || has_value(figures); }
};

/// In order of display, most important first: where there is not enough room the last ones are omitted.
std::span<const FigureColumn> figure_columns() noexcept;

}  // namespace fiberscope::trace
