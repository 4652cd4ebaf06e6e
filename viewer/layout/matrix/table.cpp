#include <algorithm>
#include <cstdio>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/matrix/parts.h"

namespace fiberscope::viewer {
namespace {

constexpr float kMatrixHead = 2 * kMatrixLine + 0.2F, kMatrixBetween = 0.2F, kMatrixRest = 1.4F;  // heights in em
constexpr float kMatrixLeastColumn = 4.9F, kMatrixMostColumn = 10;                                // widths in em

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

FigureCell cell_of(const trace::FigureColumn& column, const MatrixRun& run, const MatrixRun& reference, bool two,
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
    const std::string times = ratio(value, its, column.unit, language);
    if (two)
        out.ratio = times;
    else if (!times.empty())
        out.value = times;
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

/// The columns that fit, at most `most`; lists the others in `rest`, in at most `width` pixels.
std::vector<std::size_t> columns_shown(const MatrixInput& input, std::size_t most, std::string& rest, float width,
                                       const Metrics& metrics) {
    std::vector<std::size_t> shown, without_room, nothing;
    for (std::size_t c = 0; c < trace::figure_columns().size(); ++c)
        (!says_something(trace::figure_columns()[c], input) ? nothing
         : shown.size() < most                              ? shown
                                                            : without_room)
            .push_back(c);
    std::string no_room, in_none;
    if (!without_room.empty()) no_room = metrics.says("No room for: {0}.", joined(without_room, metrics.language));
    if (!nothing.empty()) in_none = metrics.says("In no file: {0}.", joined(nothing, metrics.language));
    if (no_room.empty()) {
        rest = fitting_sentence(metrics, width, in_none, true);
        return shown;
    }
    rest = first_fitting(metrics, width,
                         {no_room + (in_none.empty() ? "" : " ") + in_none, no_room,
                          metrics.says("No room for {0} {0:column|columns}.", without_room.size())});
    return shown;
}

/// Explains, above the names, the second lines of the cells.
void add_note(Matrix& out, const MatrixInput& input, const Metrics& metrics) {
    if (input.runs.size() < 2) return;
    const float width = out.note.width();
    out.upper = first_fitting(metrics, width,
                              {metrics.says("as a ratio to {0}", input.runs[input.reference]->name),
                               metrics.says("as a ratio to the reference"), ""});
    out.lower = first_fitting(
        metrics, width,
        {metrics.says("▲ better ▼ worse; click: set as reference"), metrics.says("▲ better ▼ worse"), ""});
}

}  // namespace

float matrix_table_height(std::size_t runs, bool two, float em) noexcept {
    return em * (kMatrixHead + kMatrixRest + static_cast<float>(runs) * ((two ? 2 : 1) * kMatrixLine + kMatrixBetween));
}

void layout_matrix_table(Matrix& out, const MatrixInput& input, const MatrixOrder& order, bool two,
                         const Metrics& metrics) {
    const Rect& area = out.table_area;
    const float em = metrics.em, names = matrix_names(metrics, area.width());
    const float room = std::max(0.0F, area.width() - names);
    const std::vector<std::size_t> shown = columns_shown(
        input, static_cast<std::size_t>(room / (kMatrixLeastColumn * em)), out.rest, area.width() - em, metrics);
    const float width =
        std::min(kMatrixMostColumn * em, room / static_cast<float>(std::max<std::size_t>(1, shown.size())));
    const auto place = [&](std::size_t i, float y0, float y1) {
        const float x = area.x0 + names + width * static_cast<float>(i);
        return Rect{x, y0, x + width - 0.3F * em, y1};
    };
    float y = area.y0 + kMatrixHead * em;
    out.note = {area.x0 + 0.5F * em, area.y0, area.x0 + names - 0.4F * em, area.y0 + 2 * kMatrixLine * em};
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
        const float height = (two ? 2 : 1) * kMatrixLine * em;
        row.rect = {area.x0, y, area.x1, y + height};
        row.name_rect = {out.note.x0, y, out.note.x1, y + kMatrixLine * em};
        for (std::size_t i = 0; i < shown.size(); ++i) {
            row.cells.push_back(
                cell_of(trace::figure_columns()[shown[i]], *input.runs[run], *reference, two, metrics.language));
            row.cells.back().rect = place(i, y, y + height);
        }
        out.rows.push_back(std::move(row));
        y += height + kMatrixBetween * em;
    }
    for (std::size_t i = 0; i < shown.size(); ++i)
        mark_best(trace::figure_columns()[shown[i]], i, input.runs, out.rows);
    out.rest_rect = {out.note.x0, y, area.x1, y + kMatrixLine * em};
}

}  // namespace fiberscope::viewer
