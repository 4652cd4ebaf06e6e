// The part of the workspace that compares the decisions of two files, and says what their figures mean.
#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/words/verdict.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kDifferencesMostLines = 4;

Run run_of(const Document& document) { return {document.replay(), document.index()}; }

}  // namespace

const Workspace::Differences& Workspace::differences() {
    std::vector<std::size_t> readable;
    for (std::size_t i = 0; i < tabs_.size(); ++i)
        if (tabs_[i].document->readable()) readable.push_back(i);
    if (readable.size() < 2) return differences_;
    const std::size_t first = readable[0], second = active_ == first ? readable[1] : active_;
    if (differences_.found && differences_.second == second) return differences_;
    differences_ = {first, second, divergences(run_of(*tabs_[first].document), run_of(*tabs_[second].document)),
                    SIZE_MAX, true};
    return differences_;
}

std::vector<double> Workspace::differences_of(std::size_t index) {
    const Differences& all = differences();
    if (!all.found || (index != all.first && index != all.second)) return {};
    const trace::Trace& trace = tabs_[index].document->replay().trace();
    std::vector<double> moments;
    for (const Divergence& place : all.places) {
        const std::size_t event = index == all.first ? place.first : place.second;
        moments.push_back(static_cast<double>(trace[std::min(event, trace.size() - 1)].t));
    }
    return moments;
}

void Workspace::go_to_difference(int by) {
    if (!beside_ || differences().places.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(differences_.places.size()) - 1;
    const std::ptrdiff_t now = differences_.at == SIZE_MAX ? -1 : static_cast<std::ptrdiff_t>(differences_.at);
    differences_.at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + by, 0, last));
    const Divergence place = differences_.places[differences_.at];
    const Documents documents = readable();
    std::vector<std::size_t> playheads;
    for (const Document* document : documents) {
        std::size_t to = document->selection().playhead;
        if (document == tabs_[differences_.first].document.get()) to = place.first + 1;
        if (document == tabs_[differences_.second].document.get()) to = place.second + 1;
        playheads.push_back(to);
    }
    document().playback().playing = false;
    go_to_places(documents, document(), playheads);
}

std::vector<std::string> Workspace::verdict_lines(float width) {
    const Differences& all = differences();
    if (!all.found) return {};
    const auto figures = [&](std::size_t tab) {
        const Document& document = *tabs_[tab].document;
        return RunFigures{run_name(document.replay().trace()), figures_of(tab), document.index().machines()};
    };
    const Metrics metrics = metrics_of(style_);
    auto lines = wrapped(metrics, width, width, verdict_of(figures(all.first), figures(all.second), style_.language),
                         kDifferencesMostLines);
    const std::size_t count = all.places.size();
    const Document &first = *tabs_[all.first].document, &second = *tabs_[all.second].document;
    std::string words =
        count == 0 ? style_.says(DrawnText::both_the_same) : style_.says(DrawnText::decide_differently, count);
    if (all.at != SIZE_MAX && first.selection().playhead == all.places[all.at].first + 1)
        words = style_.says(DrawnText::difference_n, all.at + 1, count,
                            divergence_in_words(run_of(first), run_of(second), all.places[all.at], style_.language));
    for (std::string& line : wrapped(metrics, width, width, words, 2)) lines.push_back(std::move(line));
    return lines;
}

}  // namespace fiberscope::viewer
