#include "viewer/layout/trace_facts/figures_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::Figures;

constexpr float kFiguresTableLine = 1.25F, kFiguresTableBetween = 0.2F, kPanel = 0.6F;  // heights in em
constexpr float kFiguresTableMostName = 17, kFiguresTableLeastColumn = 5.1F, kFiguresTableMostColumn = 12,
                kRoomForSame = 14;  // widths in em

using Unit = FigureUnit;
enum class Good : std::uint8_t { less, more, neither };

struct Column {
    Text upper, lower;  ///< lower: empty if there is none
    double (*value)(const Figures&);
    Unit unit;
    Good good;
    Text meaning;
};

constexpr double number(std::uint64_t n) { return static_cast<double>(n); }

/// In the order in which they are shown; where there is no room for all, the first ones are.
constexpr std::array kFiguresTableColumns{
    Column{mark("makespan"), Text(), [](const Figures& f) { return number(f.makespan); }, Unit::ns, Good::less,
           mark("From the beginning to the last event.")},
    Column{mark("ready"), mark("p50"), [](const Figures& f) { return number(f.ready.p50); }, Unit::ns, Good::less,
           mark("How long tasks were ready and did not run, each time: half of the times were at most this.")},
    Column{mark("ready"), mark("p99"), [](const Figures& f) { return number(f.ready.p99); }, Unit::ns, Good::less,
           mark("How long tasks were ready and did not run, each time: 99 of 100 times were at most this.")},
    Column{mark("ready"), mark("max"), [](const Figures& f) { return number(f.ready.max); }, Unit::ns, Good::less,
           mark("The longest time that a task was ready and did not run.")},
    Column{mark("switches"), Text(), [](const Figures& f) { return number(f.switches); }, Unit::count, Good::less,
           mark("How often a machine went from one coroutine to another.")},
    Column{mark("idle"), Text(), [](const Figures& f) { return 100 * f.idle; }, Unit::percent, Good::neither,
           mark("The share of the machines' time in which they waited in the poller or were parked.")},
    Column{
        mark("spinning"), Text(), [](const Figures& f) { return 100 * f.spinning; }, Unit::percent, Good::less,
        mark("The share of the machines' time in which they looked for work again and again: it costs a processor.")},
    Column{mark("fairness"), Text(), [](const Figures& f) { return f.fairness; }, Unit::index, Good::more,
           mark("Jain's index of what each task got of the time in which it ran, was ready, or was due and not yet "
                "noticed: 1 if all are alike.")},
    Column{mark("overshoot"), mark("p50"), [](const Figures& f) { return number(f.overshoot.p50); }, Unit::ns,
           Good::less, mark("How much later than asked for sleepers ran again: half of the times at most this.")},
    Column{mark("overshoot"), mark("max"), [](const Figures& f) { return number(f.overshoot.max); }, Unit::ns,
           Good::less, mark("The most that a sleeper ran later than asked for.")},
    Column{mark("copied"), Text(), [](const Figures& f) { return number(f.copied); }, Unit::bytes, Good::less,
           mark("Bytes copied out of shared stacks and back into them.")},
    Column{mark("poller"), mark("calls"), [](const Figures& f) { return number(f.polls); }, Unit::count, Good::less,
           mark("System calls to the poller: to wait, and to add, change or remove a descriptor.")},
    Column{mark("steals"), Text(), [](const Figures& f) { return number(f.steals); }, Unit::count, Good::neither,
           mark("How often a machine took tasks from another.")},
    Column{mark("parks"), Text(), [](const Figures& f) { return number(f.parks); }, Unit::count, Good::neither,
           mark("How often a machine went to sleep until another wakes it.")},
    Column{mark("wake-ups"), Text(), [](const Figures& f) { return number(f.unparks); }, Unit::count, Good::neither,
           mark("How often a parked machine was woken.")},
    Column{mark("turns"), Text(), [](const Figures& f) { return number(f.turns); }, Unit::count, Good::neither,
           mark("How often a task was given a machine.")}};

/// Differences below this say nothing: of times and counts a part of the larger value, of shares points, of the index.
constexpr double kPartThatMatters = 0.02, kPointsThatMatter = 1, kIndexThatMatters = 0.01;

std::string in_words(double value, Unit unit) {
    std::array<char, 32> text{};
    switch (unit) {
    case Unit::ns: return trace::in_words(static_cast<std::uint64_t>(value));
    case Unit::count: return trace::grouped(static_cast<std::int64_t>(value));
    case Unit::bytes: return trace::grouped(static_cast<std::int64_t>(value)) + " B";
    case Unit::percent: std::snprintf(text.data(), text.size(), "%.1f %%", value); break;
    case Unit::index: std::snprintf(text.data(), text.size(), "%.3f", value); break;
    }
    return text.data();
}

FigureCell cell(const Column& column, const Figures& run, const Figures& reference, bool is_reference,
                Language language) {
    FigureCell out;
    const double value = column.value(run), by = value - column.value(reference);
    out.value = in_words(value, column.unit);
    if (is_reference) return out;
    if (out.value == in_words(column.value(reference), column.unit) &&
        in_words(std::abs(by), column.unit) == in_words(0, column.unit)) {
        out.difference = say(language, "same");
        return out;
    }
    out.difference = (by < 0 ? "−" : "+") + in_words(std::abs(by), column.unit);
    if (column.good != Good::neither && matters(value, column.value(reference), column.unit))
        out.verdict = (by < 0) == (column.good == Good::less) ? Verdict::better : Verdict::worse;
    return out;
}

std::string lower_of(const Column& column, Language language) {
    return column.lower.empty() ? "" : say(language, column.lower);
}

std::string title_of(const Column& column, Language language) {
    const std::string lower = lower_of(column, language);
    return say(language, column.upper) + (lower.empty() ? "" : " ") + lower;
}

bool differs(const Column& column, std::span<const FiguresOf> runs) {
    const std::string first = in_words(column.value(runs[0].figures), column.unit);
    return std::any_of(runs.begin(), runs.end(),
                       [&](const FiguresOf& run) { return in_words(column.value(run.figures), column.unit) != first; });
}

/// The columns that differ, `most` of them; of one run, or of equal ones, all that are not zero. In `same` the others.
std::vector<const Column*> shown_columns(std::span<const FiguresOf> runs, std::size_t most, Language language,
                                         std::string& same) {
    std::vector<const Column*> different, equal;
    for (const Column& column : kFiguresTableColumns) {
        if (differs(column, runs))
            different.push_back(&column);
        else if (column.value(runs[0].figures) != 0)
            equal.push_back(&column);
    }
    if (different.empty()) different.swap(equal);
    for (const Column* column : equal)
        same += (same.empty() ? "" : say(language, mark(", ", "list"))) + title_of(*column, language);
    if (!same.empty()) same = say(language, "the same in all: {0}", same);
    if (different.size() > most) different.resize(most);
    return different;
}

/// Marks the best of a column, where it is better than the worst by what matters.
void mark_best(const Column& column, std::span<const FiguresOf> runs, std::size_t i, std::vector<FigureRow>& rows) {
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

/// Without places.
FigureRow row_of(const FiguresOf& run, const FiguresOf& first, const std::vector<const Column*>& columns,
                 Language language) {
    FigureRow row{{}, name_of(run.file), {}};
    for (const Column* column : columns)
        row.cells.push_back(cell(*column, run.figures, first.figures, &run == &first, language));
    return row;
}

}  // namespace

bool matters(double a, double b, FigureUnit unit) noexcept {
    const double by = std::abs(a - b);
    if (unit == Unit::percent) return by >= kPointsThatMatter;
    if (unit == Unit::index) return by >= kIndexThatMatters;
    return by > 0 && by >= kPartThatMatters * std::max(a, b);
}

FiguresTable layout_figures(std::span<const FiguresOf> runs, Rect area, const Metrics& metrics) {
    FiguresTable out;
    const float em = metrics.em;
    const std::string upper = metrics.says("difference from the first:"), lower = metrics.says("▲ better  ▼ worse");
    float names = metrics.width(upper);
    for (const FiguresOf& run : runs) names = std::max(names, metrics.width(name_of(run.file)) * 1.15F);
    names = std::min({names + em, kFiguresTableMostName * em, 0.25F * area.width()});
    const auto most =
        static_cast<std::size_t>(std::max(1.0F, (area.width() - names) / (kFiguresTableLeastColumn * em)));
    const std::vector<const Column*> columns = shown_columns(runs, most, metrics.language, out.same);
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
        out.rows.push_back(row_of(run, runs[0], columns, metrics.language));
        FigureRow& row = out.rows.back();
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
