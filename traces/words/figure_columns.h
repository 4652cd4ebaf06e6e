// The figures of a run as columns of a table, for the matrix of the viewer and for `fiberscope-trace figures`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "languages/say.h"
#include "traces/replay/figures.h"

namespace fiberscope::trace {

enum class FigureUnit : std::uint8_t { ns, count, bytes, percent, index, mean };
/// Whether two values of a figure differ by what matters: of times and counts a fiftieth of the larger one, of shares a
/// point of a hundred, of an index a hundredth.
bool matters(double a, double b, FigureUnit unit) noexcept;
/// "412 µs", "9.5 %".
std::string figure_in_words(double value, FigureUnit unit);

/// What is good about a figure.
enum class Good : std::uint8_t { less, more, neither };

struct FigureColumn {
    const char* key;    ///< for programs: "waiting_p50_ns"
    Text upper, lower;  ///< the title; lower: empty if it has one line
    double (*value)(const Figures&);
    FigureUnit unit;
    Good good;
    Text meaning;
    /// Whether a run has it: without a request there is no answer, and nothing waits in a run without tasks. Null: all
    /// have.
    bool (*has_value)(const Figures&) = nullptr;

    std::string title(Language language) const;
    bool has(const Figures& figures) const { return has_value == nullptr || has_value(figures); }
};

/// In the order in which they are shown; where there is no room for all, the first ones are.
std::span<const FigureColumn> figure_columns() noexcept;

}  // namespace fiberscope::trace
