#include "viewer/layout/trace_facts/row_title.h"

#include "traces/read/printable.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kRowTitleBold = 1.15F;  // width of bold text relative to normal text, at most

/// Longest first; even the last one distinguishes the files.
std::vector<std::string> titles_of(const trace::Trace& trace) {
    const std::string file = trace.file.filename().string();
    std::string with_strategy = trace::printable(trace.head.strategy);
    with_strategy.append(with_strategy.empty() ? "" : "  ·  ").append(file);
    return {title_line(trace), with_strategy, file, trace.file.stem().string()};
}

}  // namespace

RowTitle row_title(const trace::Trace& trace, const Sentence& words, float room, const Metrics& metrics, bool two) {
    const auto titles = titles_of(trace);
    const auto width = [&](const RowTitle& row) {
        return kRowTitleBold * metrics.width(row.title) + metrics.em + metrics.width(row.where) + metrics.em;
    };
    const auto part = [&](float left) {
        const std::string enough = fitting_sentence(metrics, left, words.happened);
        return enough.empty() ? fitting_sentence(metrics, left, words.happened, true) : enough;
    };
    const float line = two ? 0 : metrics.width(words.happened);
    for (const std::string& title : titles)
        for (const std::string& where : {words.where, words.where_short})
            if (const RowTitle row{title, where, two ? part(room) : words.happened}; width(row) + line <= room)
                return row;
    RowTitle least{titles.back(), words.where_short, {}};
    least.happened = part(two ? room : room - width(least));
    return !least.happened.empty() || width(least) <= room ? least : RowTitle{least.title, {}, {}};
}

}  // namespace fiberscope::viewer
