#include "viewer/layout/trace_facts/figures_table.h"

#include <algorithm>
#include <cmath>

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kFiguresTableLine = 1.25F, kFiguresTableBetween = 0.2F, kPanel = 0.6F;  // heights in em
constexpr float kFiguresBold = 1.15F;  // bold text is at most so much wider
constexpr float kFiguresTableMostName = 17, kFiguresTableLeastColumn = 5.1F, kFiguresTableMostColumn = 12,
                kRoomForSame = 14;  // widths in em

using trace::Figures;

FigureCell cell(const FigureColumn& column, const Figures& run, const Figures& reference, bool is_reference,
                Language language) {
    FigureCell out;
    const double value = column.value(run), by = value - column.value(reference);
    out.value = figure_in_words(value, column.unit);
    if (is_reference) return out;
    if (out.value == figure_in_words(column.value(reference), column.unit) &&
        figure_in_words(std::abs(by), column.unit) == figure_in_words(0, column.unit)) {
        out.difference = say(language, "same");
        return out;
    }
    out.difference = (by < 0 ? "−" : "+") + figure_in_words(std::abs(by), column.unit);
    if (column.good != Good::neither && matters(value, column.value(reference), column.unit))
        out.verdict = (by < 0) == (column.good == Good::less) ? Verdict::better : Verdict::worse;
    return out;
}

std::string lower_of(const FigureColumn& column, Language language) {
    return column.lower.empty() ? "" : say(language, column.lower);
}

bool differs(const FigureColumn& column, std::span<const FiguresOf> runs) {
    const std::string first = figure_in_words(column.value(runs[0].figures), column.unit);
    return std::any_of(runs.begin(), runs.end(), [&](const FiguresOf& run) {
        return figure_in_words(column.value(run.figures), column.unit) != first;
    });
}

/// The columns that differ, `most` of them; of one run, or of equal ones, all that are not zero. In `same` the others.
std::vector<const FigureColumn*> shown_columns(std::span<const FiguresOf> runs, std::size_t most, Language language,
                                               std::string& same) {
    std::vector<const FigureColumn*> different, equal;
    for (const FigureColumn& column : table_columns()) {
        if (differs(column, runs))
            different.push_back(&column);
        else if (column.value(runs[0].figures) != 0)
            equal.push_back(&column);
    }
    if (different.empty()) different.swap(equal);
    for (const FigureColumn* column : equal)
        same += (same.empty() ? "" : say(language, mark(", ", "list"))) + column->title(language);
    if (!same.empty()) same = say(language, "the same in all: {0}", same);
    if (different.size() > most) different.resize(most);
    return different;
}

/// Marks the best of a column, where it is better than the worst by what matters.
void mark_best(const FigureColumn& column, std::span<const FiguresOf> runs, std::size_t i,
               std::vector<FigureRow>& rows) {
    if (column.good == Good::neither || runs.size() < 2) return;
    std::vector<double> values;
    for (const FiguresOf& run : runs) values.push_back(column.value(run.figures));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (!matters(*least, *most, column.unit)) return;
    const double best = column.good == Good::less ? *least : *most;
    for (std::size_t n = 0; n < values.size(); ++n) rows[n].cells[i].best = !matters(values[n], best, column.unit);
}

/// Whether bold text and a space behind the signs would not fit.
bool is_tight(const FiguresTable& table, const Metrics& metrics) {
    constexpr float kBold = 1.15F;
    float widest = 0;
    for (const FigureHead& head : table.heads) widest = std::max(widest, metrics.width(head.upper));
    for (const FigureRow& row : table.rows)
        for (const FigureCell& cell : row.cells) widest = std::max(widest, metrics.width("▲ " + cell.difference));
    return kBold * widest > table.heads.front().rect.width();
}

std::string name_of(const std::string& file) {
    return file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
}

float widest_of(const std::vector<std::string>& names, const Metrics& metrics) {
    float width = 0;
    for (const std::string& name : names) width = std::max(width, kFiguresBold * metrics.width(name));
    return width + metrics.em;
}

/// The column of the names: whole, or where there is little room without what all begin with.
struct NameColumn {
    std::vector<std::string> names;
    float width = 0;
};
NameColumn name_column(std::span<const FiguresOf> runs, float least, float room, const Metrics& metrics) {
    NameColumn out;
    for (const FiguresOf& run : runs) out.names.push_back(name_of(run.file));
    const float most = std::min(kFiguresTableMostName * metrics.em, 0.25F * room);
    out.width = std::min(std::max(widest_of(out.names, metrics), least + metrics.em), most);
    if (widest_of(out.names, metrics) <= out.width) return out;
    out.names = without_same_beginning(std::move(out.names));
    out.width = std::max(out.width, std::min(widest_of(out.names, metrics), 0.45F * room));
    return out;
}

/// Without places.
FigureRow row_of(const FiguresOf& run, const FiguresOf& first, const std::vector<const FigureColumn*>& columns,
                 Language language) {
    FigureRow row;
    for (const FigureColumn* column : columns)
        row.cells.push_back(cell(*column, run.figures, first.figures, &run == &first, language));
    return row;
}

}  // namespace

FiguresTable layout_figures(std::span<const FiguresOf> runs, Rect area, const Metrics& metrics) {
    FiguresTable out;
    const float em = metrics.em;
    const std::string upper = metrics.says("difference from the first:"), lower = metrics.says("▲ better  ▼ worse");
    const NameColumn first = name_column(runs, metrics.width(upper), area.width(), metrics);
    const float names = first.width;
    const auto most =
        static_cast<std::size_t>(std::max(1.0F, (area.width() - names) / (kFiguresTableLeastColumn * em)));
    const std::vector<const FigureColumn*> columns = shown_columns(runs, most, metrics.language, out.same);
    const float width = std::min(kFiguresTableMostColumn * em,
                                 (area.width() - names) / static_cast<float>(std::max<std::size_t>(1, columns.size())));
    const auto place = [&](std::size_t i, float y, float height) {
        const float x = area.x0 + names + width * static_cast<float>(i);
        return Rect{x, y, x + width - 0.3F * em, y + height};
    };
    out.note = {area.x0, area.y0, area.x0 + names - 0.4F * em, area.y0 + 2 * kFiguresTableLine * em};
    out.upper =
        first_fitting(metrics, out.note.width(), {upper, metrics.says("from the first:"), metrics.says("difference")});
    out.lower = first_fitting(metrics, out.note.width(), {lower, metrics.says("▲ good ▼ bad")});
    for (std::size_t i = 0; i < columns.size(); ++i)
        out.heads.push_back({place(i, area.y0, 2 * kFiguresTableLine * em), metrics.says(columns[i]->upper),
                             lower_of(*columns[i], metrics.language), metrics.says(columns[i]->meaning)});
    float y = area.y0 + 2 * kFiguresTableLine * em + kFiguresTableBetween * em;
    for (const FiguresOf& run : runs) {
        FigureRow& row = out.rows.emplace_back(row_of(run, runs[0], columns, metrics.language));
        row.name = first.names[static_cast<std::size_t>(&run - runs.data())];
        row.name_rect = {area.x0, y, out.note.x1, y + kFiguresTableLine * em};
        const float height = (&run == &runs[0] ? 1 : 2) * kFiguresTableLine * em;
        for (std::size_t i = 0; i < columns.size(); ++i) row.cells[i].rect = place(i, y, height);
        y += height + kFiguresTableBetween * em;
    }
    const float free = out.heads.empty() ? area.x1 : out.heads.back().rect.x1 + 2 * em;
    if (area.x1 - free >= kRoomForSame * em) out.same_rect = {free, area.y0, area.x1, y};
    for (std::size_t i = 0; i < columns.size(); ++i) mark_best(*columns[i], runs, i, out.rows);
    out.tight = !out.heads.empty() && is_tight(out, metrics);
    return out;
}

float figures_height(std::size_t runs, float em) noexcept {
    const auto count = static_cast<float>(runs);
    return em * (kPanel + kFiguresTableLine * (2 + 2 * count - 1) + kFiguresTableBetween * (count + 1));
}

}  // namespace fiberscope::viewer
