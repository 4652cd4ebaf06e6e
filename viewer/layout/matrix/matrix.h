// Any number of runs at once: machines and ready queue of each on one time axis, and a table of all figures, each also
// as a ratio to a reference run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "traces/words/figure_columns.h"
#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/scale.h"
#include "viewer/layout/matrix/run.h"

namespace fiberscope::viewer {

/// Sort column, an index into trace::figure_columns(); none: the order in which the files were opened.
struct MatrixOrder {
    std::optional<std::size_t> column;
    bool down = false;  ///< largest first. Runs without a value are always last
};
/// The order after a click on the head of `column`: cycles through ascending, descending, and the order of opening.
MatrixOrder clicked(const MatrixOrder& order, std::size_t column) noexcept;

enum class MatrixBarKind : std::uint8_t { tasks, others, spins, queue };
struct MatrixBar {
    Rect rect;
    MatrixBarKind kind;
};
/// One run: its name, description and pictures.
struct MatrixStrip {
    std::size_t run = 0;  ///< index of the run
    bool reference = false;
    Rect rect, name_rect;
    std::string name;
    std::string aside;               ///< after the name: "2 machines"; empty if there is no room
    std::string words;               ///< how it differs from the reference
    std::vector<std::string> lines;  ///< below the name: the part of `words` that fits
    std::vector<Rect> lanes;         ///< backgrounds, by machine
    Rect queue;                      ///< background
    float difference = -1;           ///< x of the first different decision; negative: none
};
struct MatrixHead {
    Rect rect;
    std::string upper, lower, meaning;
    std::size_t column = 0;  ///< index into trace::figure_columns()
    char sign = 0;           ///< '<': sorted by it, ascending; '>': descending
};
/// none: equal, or neither direction is better.
enum class Verdict : std::uint8_t { none, better, worse };
struct FigureCell {
    Rect value_rect, ratio_rect;      ///< the ratio is below the value, or at its right if rows have one line
    std::string value;                ///< "412 µs"
    std::string ratio;                ///< relative to the reference: "×1.62", "same"
    Verdict verdict = Verdict::none;  ///< none also if the difference is insignificant
    bool best = false;                ///< best of all runs, by a significant difference
};
struct MatrixRow {
    std::size_t run = 0;
    bool reference = false;
    Rect rect, name_rect;
    std::string name;
    std::vector<FigureCell> cells;
};
struct Matrix {
    Rect strips_area, table_area;  ///< strips_area is empty if only the table fits
    float names = 0;               ///< width of the names, pixels
    std::vector<MatrixStrip> strips;
    std::vector<MatrixBar> bars;
    TimeScale scale;
    std::vector<Tick> ticks;
    Rect axis;
    std::string legend;        ///< explanation of the bars
    Rect note;                 ///< for the text above the names in the table
    std::string upper, lower;  ///< this text
    std::vector<MatrixHead> heads;
    std::vector<MatrixRow> rows;
    std::size_t first = 0, columns = 0;  ///< the first shown column; number of those with values
    Rect back, forward;                  ///< buttons that scroll the columns; empty if all are shown
    Rect rest_rect;
    std::string rest;  ///< which columns are shown, and which have no values; empty if all are shown

    /// The run whose strip or row contains `p`.
    std::optional<std::size_t> run_at(Point p) const noexcept;
    std::optional<std::size_t> column_at(Point p) const noexcept;
};

/// `runs` and `differences` are indexed by run; `reference` is the index of the run that the others are compared with;
/// `first`: number of columns to scroll, if not all fit.
Matrix layout_matrix(std::span<const MatrixRun* const> runs, std::span<const MatrixDifference> differences,
                     std::size_t reference, const MatrixOrder& order, Rect area, const Metrics& metrics,
                     std::size_t first = 0);

}  // namespace fiberscope::viewer
