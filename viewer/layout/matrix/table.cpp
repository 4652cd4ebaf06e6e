#include <algorithm>
#include <cstdio>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/matrix/parts.h"

namespace fiberscope::viewer {
namespace {

constexpr float kMatrixHead = 2 * kMatrixLine + 0.2F, kMatrixBetween = 0.2F, kMatrixRest = 1.4F;  // heights in em
constexpr float kMatrixLeastColumn = 4.9F, kMatrixMostColumn = 10;                                // widths in em
constexpr float kMatrixRatio = 3.8F;  // em: of the ratio beside the value
constexpr float kMatrixButton = 2;    // em

/// Whether any run has a nonzero value in this column.
bool says_something(const trace::FigureColumn& column, const MatrixInput& input) {
    return std::any_of(input.runs.begin(), input.runs.end(), [&](const MatrixRun* run) {
        return column.has(run->figures) && column.value(run->figures) != 0;
    });
}

/// "×1.62"; "same" if both values have the same text; empty if there is no ratio.
std::string ratio(double value, double reference, trace::FigureUnit unit, Language language) {
    if (trace::figure_in_words(value, unit) == trace::figure_in_words(reference, unit)) return say(language, "same");
    if (reference <= 0) return "";
    char text[32];
    const double times = value / reference;
    std::snprintf(text, sizeof text, times < 10 ? "×%.2f" : "×%.0f", times);
    return text;
}

/// Width of the longest value, pixels.
float widest_value(const MatrixInput& input, const Metrics& metrics) {
    float widest = 0;
    for (const trace::FigureColumn& column : trace::figure_columns())
        for (const MatrixRun* run : input.runs)
            if (column.has(run->figures))
                widest =
                    std::max(widest, metrics.width(trace::figure_in_words(column.value(run->figures), column.unit)));
    return widest;
}

FigureCell cell_of(const trace::FigureColumn& column, const MatrixRun& run, const MatrixRun& reference,
                   Language language) {
    FigureCell out;
    if (!column.has(run.figures)) {
        out.value = say(language, mark("none", "figure"));
        return out;
    }
    const double value = column.value(run.figures);
    out.value = trace::figure_in_words(value, column.unit);
    if (&run == &reference || !column.has(reference.figures)) return out;
    const double its = column.value(reference.figures);
    out.ratio = ratio(value, its, column.unit, language);
    if (column.good != trace::Good::neither && trace::matters(value, its, column.unit))
        out.verdict = (value < its) == (column.good == trace::Good::less) ? Verdict::better : Verdict::worse;
    return out;
}

/// Marks the best values of a column, unless all values are about equal.
void mark_best(const trace::FigureColumn& column, std::size_t cell, std::span<const MatrixRun* const> runs,
               std::vector<MatrixRow>& rows) {
    std::vector<double> values;
    for (const MatrixRun* run : runs)
        if (column.has(run->figures)) values.push_back(column.value(run->figures));
    if (values.size() < 2 || column.good == trace::Good::neither) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (!trace::matters(*least, *most, column.unit)) return;
    const double best = column.good == trace::Good::less ? *least : *most;
    for (MatrixRow& row : rows)
        row.cells[cell].best = column.has(runs[row.run]->figures) &&
                               !trace::matters(column.value(runs[row.run]->figures), best, column.unit);
}

std::string joined(const std::vector<std::size_t>& columns, Language language) {
    std::string all;
    for (const std::size_t column : columns)
        all += (all.empty() ? "" : say(language, mark(", ", "list"))) + trace::figure_columns()[column].title(language);
    return all;
}

/// Chooses `most` columns from `out.first`, which is clamped; describes the others in `out.rest`.
std::vector<std::size_t> columns_shown(Matrix& out, const MatrixInput& input, std::size_t most,
                                       const Metrics& metrics) {
    std::vector<std::size_t> all, nothing;
    for (std::size_t c = 0; c < trace::figure_columns().size(); ++c)
        (says_something(trace::figure_columns()[c], input) ? all : nothing).push_back(c);
    const std::size_t count = std::min(all.size(), std::max<std::size_t>(1, most));
    out.columns = all.size();
    out.first = std::min(out.first, all.size() - count);
    std::string in_none;
    if (!nothing.empty()) in_none = metrics.says("In no file: {0}.", joined(nothing, metrics.language));
    const float button = kMatrixButton * metrics.em;
    if (count < all.size()) {
        out.forward = {out.table_area.x1 - button, out.rest_rect.y0, out.table_area.x1, out.rest_rect.y1};
        out.back = {out.forward.x0 - button, out.forward.y0, out.forward.x0 - 0.2F * metrics.em, out.forward.y1};
        out.rest_rect.x1 = out.back.x0 - 0.5F * metrics.em;
        const std::string shown =
            metrics.says("Columns {0} to {1} of {2}.", out.first + 1, out.first + count, all.size());
        out.rest =
            first_fitting(metrics, out.rest_rect.width(), {shown + (in_none.empty() ? "" : " ") + in_none, shown, ""});
    } else {
        out.rest = fitting_sentence(metrics, out.rest_rect.width(), in_none, true);
    }
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(out.first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Explains, above the names, the ratios.
void add_note(Matrix& out, const MatrixInput& input, const Metrics& metrics) {
    if (input.runs.size() < 2) return;
    const float width = out.note.width();
    out.upper = first_fitting(metrics, width,
                              {metrics.says("as a ratio to {0}", input.runs[input.reference]->name),
                               metrics.says("as a ratio to the reference"), ""});
    out.lower = first_fitting(
        metrics, width,
        {metrics.says("▲ better ▼ worse; choose a row as reference"), metrics.says("▲ better ▼ worse"), ""});
}

}  // namespace

float matrix_table_height(std::size_t runs, bool two, float em) noexcept {
    return em * (kMatrixHead + kMatrixRest + static_cast<float>(runs) * ((two ? 2 : 1) * kMatrixLine + kMatrixBetween));
}

void layout_matrix_table(Matrix& out, const MatrixInput& input, const MatrixOrder& order, bool two,
                         const Metrics& metrics) {
    const Rect& area = out.table_area;
    const float em = metrics.em, names = out.names;
    const float room = std::max(0.0F, area.width() - names), line = kMatrixLine * em;
    const float ratio = two || input.runs.size() < 2 ? 0 : kMatrixRatio * em;
    const float least = ratio > 0 ? widest_value(input, metrics) + ratio + 0.3F * em : kMatrixLeastColumn * em;
    const float end = area.y0 + matrix_table_height(input.runs.size(), two, em);
    out.note = {area.x0 + 0.5F * em, area.y0, area.x0 + names - 0.4F * em, area.y0 + 2 * line};
    out.rest_rect = {out.note.x0, end - kMatrixRest * em, area.x1, end - kMatrixRest * em + line};
    const std::vector<std::size_t> shown = columns_shown(out, input, static_cast<std::size_t>(room / least), metrics);
    const float width =
        std::min(kMatrixMostColumn * em + ratio, room / static_cast<float>(std::max<std::size_t>(1, shown.size())));
    const auto place = [&](std::size_t i, float y0, float y1) {
        const float x = area.x0 + names + width * static_cast<float>(i);
        return Rect{x, y0, x + width - 0.3F * em, y1};
    };
    float y = area.y0 + kMatrixHead * em;
    add_note(out, input, metrics);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const trace::FigureColumn& column = trace::figure_columns()[shown[i]];
        out.heads.push_back({place(i, area.y0, area.y0 + 2 * kMatrixLine * em), metrics.says(column.upper),
                             column.lower.empty() ? "" : metrics.says(column.lower), metrics.says(column.meaning),
                             shown[i],
                             order.column != shown[i] ? '\0'
                             : order.down             ? '>'
                                                      : '<'});
    }
    const MatrixRun* reference = input.runs.empty() ? nullptr : input.runs[input.reference];
    for (const std::size_t run : input.order) {
        MatrixRow row{run, run == input.reference, {}, {}, input.names[run], {}};
        const float height = (two ? 2 : 1) * line;
        row.rect = {area.x0, y, area.x1, y + height};
        row.name_rect = {out.note.x0, y, out.note.x1, y + kMatrixLine * em};
        for (std::size_t i = 0; i < shown.size(); ++i) {
            FigureCell& cell = row.cells.emplace_back(
                cell_of(trace::figure_columns()[shown[i]], *input.runs[run], *reference, metrics.language));
            cell.value_rect = cell.ratio_rect = place(i, y, y + line);
            cell.value_rect.x1 -= ratio;
            if (ratio > 0) cell.ratio_rect.x0 = cell.value_rect.x1 + 0.4F * em;
            if (two) cell.ratio_rect = place(i, y + line, y + height);
        }
        out.rows.push_back(std::move(row));
        y += height + kMatrixBetween * em;
    }
    for (std::size_t i = 0; i < shown.size(); ++i)
        mark_best(trace::figure_columns()[shown[i]], i, input.runs, out.rows);
}

}  // namespace fiberscope::viewer
