#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <ostream>
#include <utility>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/tool/table.h"
#include "traces/tool/verbs.h"
#include "traces/words/chosen.h"
#include "traces/words/figure_columns.h"

namespace fiberscope::trace::tool {
namespace {

/// For a figure without a value: it never happened, or the recorded library does not report it.
constexpr const char* kNotTold = "–";
constexpr std::size_t kWidth = 120;

struct Run {
    std::string file, program, strategy, machines;
    std::size_t decisions;  ///< a hash: which task was chosen, on which machine, in this order
    Figures figures;
};

/// A row of the table: a recording, or several that differ in their seeds.
struct Row {
    std::vector<Run> runs;
    const Row* alone = nullptr;  ///< the same strategy on one machine
};

std::size_t decisions_of(const Trace& trace) {
    std::string all;
    std::vector<bool> tasks(trace.coroutines());
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const Event& event = trace[n];
        if (event.kind == Kind::spawn) tasks[event.co] = event.first<CoKind>() == CoKind::task;
        if (is_decision(trace, n) && tasks[event.other])
            all.append(std::to_string(event.m)).append(" ").append(trace.name(event.other)).append("\n");
    }
    return std::hash<std::string>()(all);
}

/// `medians`: the file name has the form STRATEGY_MACHINES_SEED.json.
Run run_of(const std::string& file, bool medians) {
    const Trace trace = read_events_of(std::filesystem::path(file));
    Run run{printable(file),
            printable(trace.head.program),
            printable(trace.head.strategy),
            std::to_string(trace.machines()),
            decisions_of(trace),
            figures_of(Replay(trace))};
    if (!medians) return run;
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const std::size_t seed = name.rfind('_'), machines = seed == std::string::npos ? seed : name.rfind('_', seed - 1);
    if (machines == std::string::npos) throw UsageError("--as medians: {0} is not STRATEGY_MACHINES_SEED.json.", name);
    run.strategy = name.substr(0, machines);
    run.machines = name.substr(machines + 1, seed - machines - 1);
    return run;
}

std::string plain(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

/// A column for each figure, and the speed-up.
struct Column {
    const FigureColumn* figure = nullptr;

    std::string key() const { return figure == nullptr ? "speed_up" : figure->key; }
    std::string title(Language language) const {
        return figure == nullptr ? say(language, "speed-up") : figure->title(language);
    }
    bool has_two_lines() const { return figure != nullptr && !figure->lower.empty(); }
    std::vector<double> values(const Row& row) const {
        std::vector<double> values;
        for (std::size_t i = 0; i < row.runs.size(); ++i) {
            const Figures& its = row.runs[i].figures;
            if (figure != nullptr && figure->has(its)) values.push_back(figure->value(its));
            if (figure == nullptr && row.alone != nullptr && i < row.alone->runs.size() && its.makespan > 0)
                values.push_back(static_cast<double>(row.alone->runs[i].figures.makespan) /
                                 static_cast<double>(its.makespan));
        }
        std::sort(values.begin(), values.end());
        return values;
    }
    /// "427 µs ±9%": the median, and half of the interquartile range relative to it.
    std::string in_words(const Row& row) const {
        const std::vector<double> all = values(row);
        if (all.empty()) return kNotTold;
        const auto at = [&](double part) {
            const double place = part * static_cast<double>(all.size() - 1);
            const auto lower = static_cast<std::size_t>(place);
            const double upper = all[std::min(lower + 1, all.size() - 1)];
            return all[lower] + (upper - all[lower]) * (place - static_cast<double>(lower));
        };
        const double median = at(0.5), spread = median > 0 ? 50 * (at(0.75) - at(0.25)) / median : 0;
        const FigureUnit unit = figure == nullptr ? FigureUnit::mean : figure->unit;
        std::string words = unit == FigureUnit::count ? plain(median) : figure_in_words(median, unit);
        if (spread >= 0.5) words += " ±" + std::to_string(static_cast<int>(spread + 0.5)) + "%";
        return words;
    }
};

std::vector<Column> all_columns() {
    std::vector<Column> all(1);
    for (const FigureColumn& figure : figure_columns()) all.push_back({&figure});
    return all;
}

/// The columns that --measures names; else those with a value other than 0.
std::vector<Column> chosen_columns(const Arguments& arguments, const std::vector<Row>& rows) {
    std::vector<Column> chosen;
    const std::vector<Column> all = all_columns();
    if (!arguments.has("--measures")) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const Column& column) {
            return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
                const std::vector<double> values = column.values(row);
                return !values.empty() && values.back() != 0;
            });
        });
        return chosen;
    }
    std::string_view rest = arguments.options.find("--measures")->second;
    while (!rest.empty()) {
        const std::string_view key = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), key.size() + 1));
        const auto found = std::find_if(all.begin(), all.end(), [&](const Column& one) { return one.key() == key; });
        if (found == all.end()) {
            std::string keys;
            for (const Column& column : all) keys += (keys.empty() ? "" : ", ") + column.key();
            throw UsageError("--measures: there is no {0}; the figures are: {1}.", std::string(key), keys);
        }
        chosen.push_back(*found);
    }
    return chosen;
}

/// `medians`: all recordings of one strategy and number of machines form a row. Rows to be compared, with equal numbers
/// of machines, are together.
std::vector<Row> rows_of(const std::vector<std::string>& files, bool medians) {
    std::vector<Row> rows;
    for (const std::string& file : files) {
        Run run = run_of(file, medians);
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
            return medians && row.runs[0].strategy == run.strategy && row.runs[0].machines == run.machines;
        });
        (found != rows.end() ? *found : rows.emplace_back()).runs.push_back(std::move(run));
    }
    const auto before = [](const Row& a, const Row& b) {
        const std::string &its = a.runs[0].machines, &others = b.runs[0].machines;
        return std::pair(its.size(), its) < std::pair(others.size(), others);
    };
    if (medians) std::stable_sort(rows.begin(), rows.end(), before);
    for (Row& row : rows)
        for (const Row& other : rows)
            if (medians && other.runs[0].machines == "1" && row.runs[0].strategy == other.runs[0].strategy)
                row.alone = &other;
    return rows;
}

int print_csv(const std::vector<Row>& rows, std::ostream& out) {
    out << "program,strategy,machines,file";
    for (const FigureColumn& figure : figure_columns()) out << ',' << figure.key;
    for (const Row& row : rows) {
        const Run& run = row.runs[0];
        out << '\n' << run.program << ',' << run.strategy << ',' << run.machines << ',' << run.file;
        for (const FigureColumn& figure : figure_columns())
            out << ',' << (figure.has(run.figures) ? plain(figure.value(run.figures)) : "");
    }
    out << '\n';
    return 0;
}

bool decides_as(const Row& row, const Row& other) {
    return std::equal(row.runs.begin(), row.runs.end(), other.runs.begin(), other.runs.end(),
                      [](const Run& a, const Run& b) { return a.decisions == b.decisions; });
}

/// The rows with equal cells whose recordings have the same decisions; empty if there are none. The first two columns
/// are the name and the number of machines.
std::string equal_rows(const std::vector<Row>& rows, const std::vector<std::vector<std::string>>& columns,
                       Language language) {
    constexpr std::size_t kHead = 2;  // lines
    std::vector<std::pair<std::pair<std::string, std::string>, std::string>> found;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto is_same = [&](const std::vector<std::string>& cells) {
                return cells[kHead + i] == cells[kHead + j];
            };
            if (!std::all_of(columns.begin() + 1, columns.end(), is_same) || !decides_as(rows[i], rows[j])) continue;
            const std::pair pair(columns[0][kHead + i], columns[0][kHead + j]);
            const auto has = [&](const auto& one) { return one.first == pair; };
            const auto known = std::find_if(found.begin(), found.end(), has);
            std::string& machines = (known != found.end() ? *known : found.emplace_back(pair, "")).second;
            machines += (machines.empty() ? "" : say(language, mark(", ", "list"))) + columns[1][kHead + i];
            break;
        }
    std::string words;
    for (const auto& [pair, machines] : found)
        words += (words.empty() ? "" : "; ") +
                 say(language, "{0} as {1} (machines: {2})", pair.first, pair.second, machines);
    return words;
}

std::size_t width_of(const std::vector<std::string>& cells) {
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, Table::columns(cell));
    return width + 2;
}

}  // namespace

int print_figures(const Arguments& arguments, std::ostream& out) {
    const Language language = arguments.language();
    const std::string as = arguments.has("--as") ? arguments.options.at("--as") : "text";
    if (as != "text" && as != "medians" && as != "csv")
        throw UsageError("--as: text, medians or csv, not \"{0}\".", as);
    const bool medians = as == "medians";
    const std::vector<Row> rows = rows_of(arguments.files, medians);
    if (as == "csv") return print_csv(rows, out);
    const bool one_program = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
        return !row.runs[0].strategy.empty() && row.runs[0].program == rows[0].runs[0].program;
    });
    std::vector<std::string> names{"", medians ? say(language, "strategy") : ""},
        machines{"", say(language, "machines")};
    for (const Row& row : rows) {
        const Run& run = row.runs[0];
        names.push_back(one_program            ? run.strategy
                        : run.strategy.empty() ? std::filesystem::path(run.file).stem().string()
                                               : run.program + " " + run.strategy);
        machines.push_back(run.machines);
    }
    std::vector<std::vector<std::string>> columns{std::move(names), std::move(machines)};
    std::size_t width = width_of(columns[0]) + width_of(columns[1]);
    bool two_lines = false;
    std::string no_room;
    for (const Column& column : chosen_columns(arguments, rows)) {
        std::vector<std::string> cells{"", column.title(language)};
        if (column.has_two_lines()) cells = {say(language, column.figure->upper), say(language, column.figure->lower)};
        for (const Row& row : rows) cells.push_back(column.in_words(row));
        if (arguments.has("--measures") || width + width_of(cells) <= kWidth) {
            width += width_of(cells);
            two_lines = two_lines || column.has_two_lines();
            columns.push_back(std::move(cells));
        } else {
            no_room += (no_room.empty() ? "" : say(language, mark(", ", "list"))) + column.title(language);
        }
    }
    Table table(0);
    for (std::size_t line = two_lines ? 0 : 1; line < rows.size() + 2; ++line) {
        std::vector<std::string>& cells = table.add({});
        for (const std::vector<std::string>& column : columns) cells.push_back(column[line]);
    }
    table.print(out);
    if (const std::string equal = equal_rows(rows, columns, language); !equal.empty())
        out << say(language, "Equal rows have the same decisions: {0}.", equal) << '\n';
    if (!no_room.empty()) out << say(language, "No room for: {0}.", no_room) << '\n';
    return 0;
}

}  // namespace fiberscope::trace::tool
