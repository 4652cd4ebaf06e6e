// The two halves of the matrix.
#pragma once

#include "viewer/layout/matrix/matrix.h"

namespace fiberscope::viewer {

inline constexpr float kMatrixLine = 1.25F;  // em: the height of a line of text

/// The width of the names, pixels.
float matrix_names(const Metrics& metrics, float width) noexcept;
/// The runs in their order.
std::vector<std::size_t> matrix_order(std::span<const MatrixRun* const> runs, const MatrixOrder& order);

struct MatrixInput {
    std::span<const MatrixRun* const> runs;
    std::span<const MatrixDifference> differences;  ///< by run
    std::size_t reference = 0;
    std::vector<std::size_t> order;  ///< indices of runs
    std::vector<std::string> names;  ///< by run: what of them fits
};
/// The names of the runs, or where one does not fit, what of them differs: "…netco".
std::vector<std::string> matrix_names_that_fit(std::span<const MatrixRun* const> runs, const Metrics& metrics,
                                               float width);

/// Fills `out.strips_area`, which has `strip` pixels for each run, and below them the axis and the legend.
void layout_strips(Matrix& out, const MatrixInput& input, float strip, const Metrics& metrics);
inline constexpr float kMatrixAxis = 1.5F, kMatrixLegend = 1.4F;  // em

/// Fills `out.table_area`; `two`: the ratios stand below the values, else in their place.
void layout_matrix_table(Matrix& out, const MatrixInput& input, const MatrixOrder& order, bool two,
                         const Metrics& metrics);
/// The height of the table, pixels.
float matrix_table_height(std::size_t runs, bool two, float em) noexcept;

}  // namespace fiberscope::viewer
