// The figures of several runs as a table: the first run is the reference, the others show their difference from it, and
// whether that is better.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/trace_facts/figure_columns.h"

namespace fiberscope::viewer {

/// None where more is neither good nor bad, or nothing differs.
enum class Verdict : std::uint8_t { none, better, worse };

struct FigureCell {
    Rect rect;                        ///< of the value, and of the difference below it
    std::string value;                ///< "412 µs"
    std::string difference;           ///< "−15.3 µs", "same"; empty in the row of the reference
    Verdict verdict = Verdict::none;  ///< none also where the difference is too small to matter
    bool best = false;                ///< of all runs, by more than what is too small to matter
};
struct FigureHead {
    Rect rect;
    std::string upper, lower;  ///< "ready", "p50"
    std::string meaning;       ///< what the figure says, in a sentence
};
struct FigureRow {
    Rect name_rect;
    std::string name;
    std::vector<FigureCell> cells;
};
struct FiguresTable {
    Rect note;                 ///< for the words above the names
    std::string upper, lower;  ///< these words
    bool tight = false;        ///< no room for bold text
    Rect same_rect;            ///< at the right of the columns; empty without room
    std::string same;          ///< "the same in all: switches, idle": the columns that are left out; empty if none is
    std::vector<FigureHead> heads;
    std::vector<FigureRow> rows;
};

/// A run with the name of its file.
struct FiguresOf {
    std::string file;
    trace::Figures figures;
};
/// Of several runs only the columns are shown that differ; of one, those that are not zero. As many as have room.
FiguresTable layout_figures(std::span<const FiguresOf> runs, Rect area, const Metrics& metrics);

/// The height of a table of so many runs with the panel around it, pixels.
float figures_height(std::size_t runs, float em) noexcept;

}  // namespace fiberscope::viewer
