#include "viewer/layout/tables/coroutine_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "traces/replay/natural_order.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

using trace::State;

constexpr float kCoroutineTableLeastColumn = 4.4F, kCoroutineTableMostColumn = 7.5F,
                kCoroutineTableMostName = 14;  // em

struct Heading {
    TableColumn column;
    Text title, meaning;
};
constexpr std::array kCoroutineTableColumns{
    Heading{TableColumn::name, mark("coroutine"), mark("Click a row to choose it, a title to sort.")},
    Heading{TableColumn::running, mark("runs"), mark("Time it ran, excluding the idle time of its machine.")},
    Heading{TableColumn::ready, mark("ready"), mark("Time it was runnable but did not run.")},
    Heading{TableColumn::sleeping, mark("sleeps"), mark("Time it slept until a deadline.")},
    Heading{TableColumn::waiting, mark("waits"), mark("Time it waited for an event.")},
    Heading{TableColumn::resumes, mark("resumes"), mark("Number of switches that entered it.")},
    Heading{TableColumn::waits, mark("blocks"), mark("Number of times it began to sleep or wait.")},
    Heading{TableColumn::overshoot, mark("late"), mark("Maximum delay after a time that it had requested.")},
    Heading{TableColumn::suspended, mark("suspended"), mark("Time it was suspended after a yield.")},
    Heading{TableColumn::normal, mark("normal"), mark("Time it waited for a coroutine that it had resumed.")},
    Heading{TableColumn::idle, mark("idle"), mark("Time it ran while its machine was idle.")},
    Heading{TableColumn::new_, mark("new"), mark("Time from its creation to its first run.")}};

double value_of(const Times& times, TableColumn column) {
    switch (column) {
    case TableColumn::name: return times.co;
    case TableColumn::running: return times.of(State::running);
    case TableColumn::ready: return times.of(State::ready);
    case TableColumn::sleeping: return times.of(State::sleeping);
    case TableColumn::waiting: return times.of(State::waiting);
    case TableColumn::normal: return times.of(State::normal);
    case TableColumn::suspended: return times.of(State::suspended);
    case TableColumn::new_: return times.of(State::new_);
    case TableColumn::idle: return times.idle;
    case TableColumn::resumes: return static_cast<double>(times.resumes);
    case TableColumn::waits: return static_cast<double>(times.waits);
    case TableColumn::overshoot: return times.slept ? static_cast<double>(times.overshoot) : -1;
    }
    return 0;
}

bool says_anything(const std::vector<Times>& all, TableColumn column) {
    return std::any_of(all.begin(), all.end(), [&](const Times& t) { return value_of(t, column) > 0; });
}

}  // namespace

CoroutineTable::CoroutineTable(const trace::Replay& replay, const TraceIndex& index, Range span)
    : trace_(replay.trace()), times_(times_of_all(replay, index, span)) {
    for (const Times& times : times_) names_.push_back(trace_.name(times.co));
}

std::string CoroutineTable::cell(const Times& times, TableColumn column) const {
    const double value = value_of(times, column);
    if (column == TableColumn::name) return names_[times.co];
    if (column == TableColumn::resumes || column == TableColumn::waits)
        return value > 0 ? trace::grouped(static_cast<std::int64_t>(value)) : "–";
    if (column == TableColumn::overshoot && !times.slept) return "–";
    if (column != TableColumn::overshoot && value < 0.5) return "–";
    return trace::in_words(static_cast<std::uint64_t>(std::llround(value)));
}

void CoroutineTable::sort_by(TableColumn column) {
    const bool again = column == sorted_ && !by_number_;
    backwards_ = again ? !backwards_ : column != TableColumn::name;
    sorted_ = column;
    by_number_ = false;
    std::stable_sort(times_.begin(), times_.end(), [](const Times& a, const Times& b) { return a.co < b.co; });
    std::stable_sort(times_.begin(), times_.end(), [&](const Times& a, const Times& b) {
        if (column == TableColumn::name) {
            const int order = trace::compare_naturally(names_[a.co], names_[b.co]);
            return backwards_ ? order > 0 : order < 0;
        }
        const double x = value_of(a, column), y = value_of(b, column);
        return backwards_ ? x > y : x < y;
    });
}

std::vector<TableHead> CoroutineTable::heads(float width, const Metrics& metrics) const {
    const float em = metrics.em;
    float names = 0;
    for (const std::string& name : names_) names = std::max(names, metrics.width(name));
    names = std::clamp(names + 2.2F * em, 6 * em, kCoroutineTableMostName * em);
    std::vector<const Heading*> shown;
    for (const Heading& column : kCoroutineTableColumns)
        if (column.column == TableColumn::name || says_anything(times_, column.column)) shown.push_back(&column);
    float least = kCoroutineTableLeastColumn * em;  // the titles are bold, and the sorted one has an arrow
    for (const Heading* column : shown)
        if (column->column != TableColumn::name)
            least = std::max(least, 1.15F * metrics.width(metrics.says(column->title)) + 1.9F * em);
    const auto room = static_cast<std::size_t>(std::max(0.0F, (width - names) / least));
    if (shown.size() > room + 1) shown.resize(room + 1);
    const auto numbers = static_cast<float>(std::max<std::size_t>(1, shown.size() - 1));
    const float each = std::clamp((width - names) / numbers, least, std::max(least, kCoroutineTableMostColumn * em));
    std::vector<TableHead> heads;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const float x = i == 0 ? 0 : names + each * static_cast<float>(i - 1);
        heads.push_back({shown[i]->column, x, x + (i == 0 ? names : each), metrics.says(shown[i]->title),
                         metrics.says(shown[i]->meaning)});
    }
    return heads;
}

TableRow CoroutineTable::row(std::size_t place, const std::vector<TableHead>& heads) const {
    TableRow row{times_[place].co, {}};
    for (const TableHead& head : heads) row.cells.push_back(cell(times_[place], head.column));
    return row;
}

std::size_t CoroutineTable::place_of(std::uint32_t co) const noexcept {
    const auto at = std::find_if(times_.begin(), times_.end(), [&](const Times& t) { return t.co == co; });
    return static_cast<std::size_t>(at - times_.begin());
}

}  // namespace fiberscope::viewer
