#include "viewer/layout/trace_facts/row_title.h"

#include "traces/read/printable.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kRowTitleBold = 1.15F;  // bold text is at most so much wider

/// Longest first; the last one tells the files apart.
std::vector<std::string> titles_of(const trace::Trace& trace) {
    const std::string file = trace.file.filename().string();
    std::string with_strategy = trace::printable(trace.head.strategy);
    with_strategy.append(with_strategy.empty() ? "" : "  ·  ").append(file);
    return {title_line(trace), with_strategy, file, trace.file.stem().string()};
}

}  // namespace

RowTitle row_title(const trace::Trace& trace, const Sentence& words, float room, const Metrics& metrics) {
    const auto titles = titles_of(trace);
    const auto width = [&](const RowTitle& row) {
        return kRowTitleBold * metrics.width(row.title) + metrics.em + metrics.width(row.where) + metrics.em;
    };
    for (const std::string& title : titles)
        for (const std::string& where : {words.where, words.where_short})
            if (RowTitle row{title, where, words.happened}; width(row) + metrics.width(words.happened) <= room)
                return row;
    const RowTitle least{titles.back(), words.where_short, {}};
    for (const bool any : {false, true})
        if (std::string part = fitting_sentence(metrics, room - width(least), words.happened, any); !part.empty())
            return {least.title, least.where, std::move(part)};
    return width(least) <= room ? least : RowTitle{least.title, {}, {}};
}

}  // namespace fiberscope::viewer
