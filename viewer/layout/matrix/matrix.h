// Any number of runs at once: for each its machines and its ready queue on one axis of time, and all figures in one
// table, each as a ratio to those of a reference.
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

/// By which column of trace::figure_columns() the runs are in order; nothing: as the files were opened.
struct MatrixOrder {
    std::optional<std::size_t> column;
    bool down = false;  ///< the largest first. What a run does not have comes last either way
};
/// The order after a click on the head of `column`: the smallest first, then the largest, then as they were opened.
MatrixOrder clicked(const MatrixOrder& order, std::size_t column) noexcept;

enum class MatrixBarKind : std::uint8_t { tasks, others, spins, queue };
struct MatrixBar {
    Rect rect;
    MatrixBarKind kind;
};
/// One run: its name, what is said about it, and its pictures.
struct MatrixStrip {
    std::size_t run = 0;  ///< index of the run
    bool reference = false;
    Rect rect, name_rect;
    std::string name;
    std::string aside;               ///< behind the name: "2 machines"; empty without room
    std::string words;               ///< how it differs from the reference
    std::vector<std::string> lines;  ///< below the name: of these words what has room
    std::vector<Rect> lanes;         ///< grounds, by machine
    Rect queue;                      ///< ground
    float difference = -1;           ///< x of the first other decision; negative: none
};
struct MatrixHead {
    Rect rect;
    std::string upper, lower, meaning;
    std::size_t column = 0;  ///< index into trace::figure_columns()
    char sign = 0;           ///< '<': ordered by it, the smallest first; '>': the largest first
};
/// None where more is neither good nor bad, or nothing differs.
enum class Verdict : std::uint8_t { none, better, worse };
struct FigureCell {
    Rect rect;                        ///< of the value, and of the ratio below it
    std::string value;                ///< "412 µs"
    std::string ratio;                ///< to the reference: "×1.62", "same"; where a row has one line, it is the value
    Verdict verdict = Verdict::none;  ///< none also where the difference is too small to matter
    bool best = false;                ///< of all runs, by more than what is too small to matter
};
struct MatrixRow {
    std::size_t run = 0;
    bool reference = false;
    Rect rect, name_rect;
    std::string name;
    std::vector<FigureCell> cells;
};
struct Matrix {
    Rect strips_area, table_area;  ///< strips_area is empty where only the table has room
    std::vector<MatrixStrip> strips;
    std::vector<MatrixBar> bars;
    TimeScale scale;
    std::vector<Tick> ticks;
    Rect axis;
    std::string legend;        ///< what the bars are, in words
    Rect note;                 ///< for the words above the names of the table
    std::string upper, lower;  ///< these words
    std::vector<MatrixHead> heads;
    std::vector<MatrixRow> rows;
    Rect rest_rect;
    std::string rest;  ///< what of the table is left out, and why; empty if nothing is

    /// The run whose strip or row is there.
    std::optional<std::size_t> run_at(Point p) const noexcept;
    std::optional<std::size_t> column_at(Point p) const noexcept;
};

/// `runs` and `differences`, by run; `reference`: index of the run with which the others are compared.
Matrix layout_matrix(std::span<const MatrixRun* const> runs, std::span<const MatrixDifference> differences,
                     std::size_t reference, const MatrixOrder& order, Rect area, const Metrics& metrics);

}  // namespace fiberscope::viewer
