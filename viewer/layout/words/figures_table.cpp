#include "viewer/layout/words/figures_table.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::Figures;

constexpr float kLine = 1.25F, kBetween = 0.2F, kPanel = 0.6F;  // heights in em
constexpr float kMostName = 17;                                 // em

enum class Unit : std::uint8_t { ns, count, percent, index };
enum class Good : std::uint8_t { less, more, neither };

struct Column {
    const char *upper, *lower;
    double (*value)(const Figures&);
    Unit unit;
    Good good;
    bool optional;  ///< left out where it is zero everywhere
};

constexpr double number(std::uint64_t n) { return static_cast<double>(n); }

constexpr std::array kColumns{
    Column{"makespan", "", [](const Figures& f) { return number(f.makespan); }, Unit::ns, Good::less, false},
    Column{"ready", "p50", [](const Figures& f) { return number(f.ready.p50); }, Unit::ns, Good::less, false},
    Column{"ready", "p99", [](const Figures& f) { return number(f.ready.p99); }, Unit::ns, Good::less, false},
    Column{"ready", "max", [](const Figures& f) { return number(f.ready.max); }, Unit::ns, Good::less, false},
    Column{"switches", "", [](const Figures& f) { return number(f.switches); }, Unit::count, Good::less, false},
    Column{"idle", "", [](const Figures& f) { return 100 * f.idle; }, Unit::percent, Good::neither, false},
    Column{"fairness", "", [](const Figures& f) { return f.fairness; }, Unit::index, Good::more, false},
    Column{"overshoot", "p50", [](const Figures& f) { return number(f.overshoot.p50); }, Unit::ns, Good::less, true},
    Column{"overshoot", "max", [](const Figures& f) { return number(f.overshoot.max); }, Unit::ns, Good::less, true},
    Column{"steals", "", [](const Figures& f) { return number(f.steals); }, Unit::count, Good::neither, true}};

std::string in_words(double value, Unit unit) {
    std::array<char, 32> text{};
    switch (unit) {
    case Unit::ns: return trace::in_words(static_cast<std::uint64_t>(value));
    case Unit::count: return trace::grouped(static_cast<std::int64_t>(value));
    case Unit::percent: std::snprintf(text.data(), text.size(), "%.1f %%", value); break;
    case Unit::index: std::snprintf(text.data(), text.size(), "%.3f", value); break;
    }
    return text.data();
}

FigureCell cell(const Column& column, const Figures& run, const Figures& reference, bool is_reference) {
    FigureCell out;
    const double value = column.value(run), by = value - column.value(reference);
    out.value = in_words(value, column.unit);
    if (is_reference) return out;
    if (out.value == in_words(column.value(reference), column.unit) &&
        in_words(std::abs(by), column.unit) == in_words(0, column.unit)) {
        out.difference = "same";
        return out;
    }
    out.difference = (by < 0 ? "−" : "+") + in_words(std::abs(by), column.unit);
    if (column.good != Good::neither)
        out.verdict = (by < 0) == (column.good == Good::less) ? Verdict::better : Verdict::worse;
    return out;
}

std::vector<const Column*> shown_columns(std::span<const FiguresOf> runs) {
    std::vector<const Column*> shown;
    for (const Column& column : kColumns) {
        bool zero = true;
        for (const FiguresOf& run : runs) zero = zero && column.value(run.figures) == 0;
        if (!zero || !column.optional) shown.push_back(&column);
    }
    return shown;
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

}  // namespace

FiguresTable layout_figures(std::span<const FiguresOf> runs, Rect area, const Metrics& metrics) {
    FiguresTable out;
    const float em = metrics.em;
    const std::vector<const Column*> columns = shown_columns(runs);
    const auto [upper, lower] = std::pair<std::string, std::string>{"difference from the first:", "▲ better  ▼ worse"};
    float names = metrics.width(upper);
    for (const FiguresOf& run : runs) names = std::max(names, metrics.width(name_of(run.file)) * 1.15F);
    names = std::min({names + em, kMostName * em, 0.25F * area.width()});
    const float width = (area.width() - names) / static_cast<float>(columns.size());
    const auto place = [&](std::size_t i, float y, float height) {
        const float x = area.x0 + names + width * static_cast<float>(i);
        return Rect{x, y, x + width - 0.3F * em, y + height};
    };
    out.note = {area.x0, area.y0, area.x0 + names - 0.4F * em, area.y0 + 2 * kLine * em};
    out.upper = first_fitting(metrics, out.note.width(), {upper, "from the first:", "difference"});
    out.lower = first_fitting(metrics, out.note.width(), {lower, "▲ good ▼ bad"});
    for (std::size_t i = 0; i < columns.size(); ++i)
        out.heads.push_back({place(i, area.y0, 2 * kLine * em), columns[i]->upper, columns[i]->lower});
    float y = area.y0 + 2 * kLine * em + kBetween * em;
    for (std::size_t n = 0; n < runs.size(); ++n) {
        const float height = (n == 0 ? 1 : 2) * kLine * em;
        FigureRow row{{area.x0, y, out.note.x1, y + kLine * em}, name_of(runs[n].file), {}};
        for (std::size_t i = 0; i < columns.size(); ++i) {
            row.cells.push_back(cell(*columns[i], runs[n].figures, runs[0].figures, n == 0));
            row.cells.back().rect = place(i, y, height);
        }
        out.rows.push_back(std::move(row));
        y += height + kBetween * em;
    }
    out.tight = is_tight(out, metrics);
    return out;
}

float figures_height(std::size_t runs, float em) noexcept {
    const auto count = static_cast<float>(runs);
    return em * (kPanel + kLine * (2 + 2 * count - 1) + kBetween * (count + 1));
}

}  // namespace fiberscope::viewer
