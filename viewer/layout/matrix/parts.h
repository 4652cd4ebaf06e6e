// The two parts of the matrix.
#pragma once

#include "viewer/layout/matrix/matrix.h"

namespace fiberscope::viewer {

inline constexpr float kMatrixLine = 1.25F;  // em: line height

/// Indices of the runs in display order.
std::vector<std::size_t> matrix_order(std::span<const MatrixRun* const> runs, const MatrixOrder& order);

struct MatrixInput {
    std::span<const MatrixRun* const> runs;
    std::span<const MatrixDifference> differences;  ///< by run
    std::size_t reference = 0;
    std::vector<std::size_t> order;  ///< indices of runs
    std::vector<std::string> names;  ///< by run, shortened to fit
};
/// The names of the runs; if one does not fit, without their common prefix: "…netco".
std::vector<std::string> matrix_names_that_fit(std::span<const MatrixRun* const> runs, const Metrics& metrics,
                                               float width);

/// Fills `out.strips_area`, beside `out.names`, with `strip` pixels per run; the axis and the legend follow below.
void layout_strips(Matrix& out, const MatrixInput& input, float strip, const Metrics& metrics);
inline constexpr float kMatrixAxis = 1.5F, kMatrixLegend = 1.4F;  // em

/// Fills `out.table_area`, beginning with column `out.first`. `two`: ratios are below the values, not beside them.
void layout_matrix_table(Matrix& out, const MatrixInput& input, const MatrixOrder& order, bool two,
                         const Metrics& metrics);
/// Height of the table, pixels.
float matrix_table_height(std::size_t runs, bool two, float em) noexcept;

}  // namespace fiberscope::viewer
