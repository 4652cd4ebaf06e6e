// The figures of several runs as a table: the first run is the reference, the others show their difference from it, and
// whether that is better.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "traces/replay/figures.h"
#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// None where more is neither good nor bad, or nothing differs.
enum class Verdict : std::uint8_t { none, better, worse };

struct FigureCell {
    Rect rect;               ///< of the value, and of the difference below it
    std::string value;       ///< "412 µs"
    std::string difference;  ///< "−15.3 µs", "same"; empty in the row of the reference
    Verdict verdict = Verdict::none;
};
struct FigureHead {
    Rect rect;
    std::string upper, lower;  ///< "ready", "p50"
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
    std::vector<FigureHead> heads;
    std::vector<FigureRow> rows;
};

/// A run with the name of its file.
struct FiguresOf {
    std::string file;
    trace::Figures figures;
};
/// Columns that are zero in all runs are left out.
FiguresTable layout_figures(std::span<const FiguresOf> runs, Rect area, const Metrics& metrics);

/// The height of a table of so many runs with the panel around it, pixels.
float figures_height(std::size_t runs, float em) noexcept;

}  // namespace fiberscope::viewer
