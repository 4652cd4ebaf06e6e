#include "viewer/layout/matrix/matrix.h"

#include <algorithm>
#include <numeric>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/matrix/parts.h"

namespace fiberscope::viewer {
namespace {

constexpr float kMostStrip = 12, kGoodStrip = 2.7F, kLeastStrip = 1.3F;  // em: height of a run's pictures

constexpr float kAroundName = 1.2F;   // em
constexpr float kMatrixBold = 1.15F;  // width of bold text relative to normal text, at most

/// Width of the names; with two lines per row, the strips have more texts below them.
float names_width(std::span<const MatrixRun* const> runs, const Metrics& metrics, float width, bool two) {
    const float most = std::clamp(0.3F * width, std::min(9.5F * metrics.em, 0.5F * width), 18 * metrics.em);
    float longest = 0;
    for (const MatrixRun* run : runs) longest = std::max(longest, kMatrixBold * metrics.width(run->name));
    return two ? most : std::min(most, longest + kAroundName * metrics.em);
}

}  // namespace

MatrixOrder clicked(const MatrixOrder& order, std::size_t column) noexcept {
    if (order.column != column) return {column, false};
    return order.down ? MatrixOrder{} : MatrixOrder{column, true};
}

std::vector<std::size_t> matrix_order(std::span<const MatrixRun* const> runs, const MatrixOrder& order) {
    std::vector<std::size_t> all(runs.size());
    std::iota(all.begin(), all.end(), 0);
    if (!order.column || *order.column >= trace::figure_columns().size()) return all;
    const trace::FigureColumn& column = trace::figure_columns()[*order.column];
    const auto has = [&](std::size_t run) { return column.has(runs[run]->figures); };
    std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
        if (has(a) != has(b)) return has(a);
        const double first = column.value(runs[a]->figures), second = column.value(runs[b]->figures);
        return has(a) && (order.down ? first > second : first < second);
    });
    return all;
}

std::vector<std::string> matrix_names_that_fit(std::span<const MatrixRun* const> runs, const Metrics& metrics,
                                               float width) {
    std::vector<std::string> names;
    for (const MatrixRun* run : runs) names.push_back(run->name);
    const bool fit = std::all_of(names.begin(), names.end(),
                                 [&](const std::string& name) { return kMatrixBold * metrics.width(name) <= width; });
    return fit ? names : without_same_beginning(std::move(names));
}

Matrix layout_matrix(std::span<const MatrixRun* const> runs, std::span<const MatrixDifference> differences,
                     std::size_t reference, const MatrixOrder& order, Rect area, const Metrics& metrics,
                     std::size_t first) {
    Matrix out;
    out.first = first;
    const float em = metrics.em, count = static_cast<float>(runs.size()), below = (kMatrixAxis + kMatrixLegend) * em;
    const auto room_beside = [&](bool two) {
        return area.height() - matrix_table_height(runs.size(), two, em) - below;
    };
    const bool strips = !runs.empty() && room_beside(false) >= kLeastStrip * em * count;
    const bool two = room_beside(true) >= (strips ? kGoodStrip * em * count : -below);
    const float strip = strips ? std::min(kMostStrip * em, room_beside(two) / count) : 0;
    const float split = area.y0 + (strips ? strip * count + below : 0);
    out.strips_area = {area.x0, area.y0, area.x1, split};
    out.table_area = {area.x0, split, area.x1, area.y1};
    out.names = names_width(runs, metrics, area.width(), two);
    const float room = out.names - kAroundName * em;
    const MatrixInput input{runs, differences, reference, matrix_order(runs, order),
                            matrix_names_that_fit(runs, metrics, room)};
    if (strips) layout_strips(out, input, strip, metrics);
    layout_matrix_table(out, input, order, two, metrics);
    return out;
}

std::optional<std::size_t> Matrix::run_at(Point p) const noexcept {
    for (const MatrixStrip& strip : strips)
        if (strip.rect.contains(p)) return strip.run;
    for (const MatrixRow& row : rows)
        if (row.rect.contains(p)) return row.run;
    return std::nullopt;
}

std::optional<std::size_t> Matrix::column_at(Point p) const noexcept {
    for (const MatrixHead& head : heads)
        if (head.rect.contains(p)) return head.column;
    return std::nullopt;
}

}  // namespace fiberscope::viewer
