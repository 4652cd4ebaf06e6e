// What is shown of the figures of a run: the columns of the matrix, and their values in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "languages/say.h"
#include "traces/replay/figures.h"

namespace fiberscope::viewer {

enum class FigureUnit : std::uint8_t { ns, count, bytes, percent, index, mean };
/// Whether two values of a figure differ by what matters: of times and counts a fiftieth of the larger one, of shares a
/// point of a hundred, of an index a hundredth.
bool matters(double a, double b, FigureUnit unit) noexcept;
/// "412 µs", "9.5 %".
std::string figure_in_words(double value, FigureUnit unit);

/// What is good about a figure.
enum class Good : std::uint8_t { less, more, neither };

struct FigureColumn {
    Text upper, lower;  ///< lower: empty if there is none
    double (*value)(const trace::Figures&);
    FigureUnit unit;
    Good good;
    Text meaning;
    /// Whether a run has it: without a request there is no answer, and nothing waits in a run without tasks. Null: all
    /// have.
    bool (*has)(const trace::Figures&) = nullptr;

    std::string title(Language language) const;
};

/// In the order in which they are shown; where there is no room for all, the first ones are.
std::span<const FigureColumn> matrix_columns() noexcept;

}  // namespace fiberscope::viewer
