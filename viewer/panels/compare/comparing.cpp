// The part of the workspace that compares the decisions of two files, and says what their figures mean.
#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/words/verdict.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kVerdictMostLines = 4;

Run run_of(const Document& document) { return {document.replay(), document.index()}; }

/// Where a file is put to show a difference: behind its decision, or at its end.
std::size_t playhead_at(const Document& document, const DifferentStretch& stretch) {
    return std::min(stretch.event + 1, document.replay().size());
}

}  // namespace

Workspace::Differences& Workspace::differences() {
    std::vector<std::size_t> readable;
    for (std::size_t i = 0; i < tabs_.size(); ++i)
        if (tabs_[i].document->readable()) readable.push_back(i);
    if (readable.size() < 2) return differences_;
    const std::size_t first = readable[0], second = active_ == first ? readable[1] : active_;
    if (differences_.found && differences_.second == second) return differences_;
    differences_ = {first, second, divergences(run_of(*tabs_[first].document), run_of(*tabs_[second].document)),
                    {},    {},     true};
    for (const Divergence& place : differences_.all.places) {
        differences_.stretches[0].push_back(place.first.time);
        differences_.stretches[1].push_back(place.second.time);
    }
    return differences_;
}

std::optional<std::size_t> Workspace::difference_here() {
    const Differences& now = differences();
    if (!now.at || *now.at >= now.all.places.size()) return std::nullopt;
    const Divergence& place = now.all.places[*now.at];
    const Document &first = *tabs_[now.first].document, &second = *tabs_[now.second].document;
    const bool here = first.selection().playhead == playhead_at(first, place.first) &&
                      second.selection().playhead == playhead_at(second, place.second);
    return here ? now.at : std::nullopt;
}

DifferenceView Workspace::differences_of(std::size_t index) {
    const Differences& now = differences();
    if (!now.found || predict_.on() || (index != now.first && index != now.second)) return {};
    return {&now.stretches[index == now.first ? 0 : 1], difference_here()};
}

void Workspace::go_to_difference(int by) {
    if (!beside_ || differences().all.places.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(differences_.all.places.size()) - 1;
    const std::ptrdiff_t now = differences_.at ? static_cast<std::ptrdiff_t>(*differences_.at) : -1;
    choose_difference(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + by, 0, last)));
}

void Workspace::choose_difference(std::size_t n) {
    Differences& now = differences();
    if (n >= now.all.places.size()) return;
    now.at = n;
    const Divergence& place = now.all.places[n];
    const Documents documents = readable();
    std::vector<std::size_t> playheads;
    for (const Document* document : documents) {
        std::size_t to = document->selection().playhead;
        if (document == tabs_[now.first].document.get()) to = playhead_at(*document, place.first);
        if (document == tabs_[now.second].document.get()) to = playhead_at(*document, place.second);
        playheads.push_back(to);
    }
    for (const auto& [tab, stretch] : {std::pair(now.first, place.first), {now.second, place.second}})
        if (const trace::Trace& trace = tabs_[tab].document->replay().trace();
            stretch.event < trace.size() && trace.kind(stretch.event) == trace::Kind::switch_)
            tabs_[tab].timeline.show_lane(trace[stretch.event].other);
    document().playback().playing = false;
    go_to_places(documents, document(), playheads);
}

std::string Workspace::difference_words() {
    const Differences& now = differences();
    if (!now.found || predict_.on()) return {};
    const Document &first = *tabs_[now.first].document, &second = *tabs_[now.second].document;
    const std::optional<std::size_t> here = difference_here();
    if (!here) return divergences_in_words(run_of(first), run_of(second), now.all, style_.language);
    const Divergence& place = now.all.places[*here];
    const auto names = run_names(first.replay().trace(), second.replay().trace());
    return style_.says(DrawnText::difference_n, *here + 1, now.all.places.size(), place.first.decisions, names[0],
                       place.second.decisions, names[1],
                       divergence_in_words(run_of(first), run_of(second), place, style_.language));
}

std::vector<std::string> Workspace::verdict_lines(float width) {
    const Differences& now = differences();
    if (!now.found) return {};
    const auto names =
        run_names(tabs_[now.first].document->replay().trace(), tabs_[now.second].document->replay().trace());
    const auto figures = [&](std::size_t tab, const std::string& name) {
        return RunFigures{name, figures_of(tab), tabs_[tab].document->index().machines()};
    };
    return wrapped(metrics_of(style_), width, width,
                   verdict_of(figures(now.first, names[0]), figures(now.second, names[1]), style_.language),
                   kVerdictMostLines);
}

bool Workspace::in_step() {
    const Documents documents = readable();
    std::vector<double> key{static_cast<double>(lock_), static_cast<double>(active_)};
    for (const Document* document : documents) {
        key.push_back(static_cast<double>(document->selection().playhead));
        key.push_back(document->selection().moment.value_or(-1));
        key.push_back(static_cast<double>(document->replay().size()));
    }
    if (key != step_key_) {
        step_key_ = std::move(key);
        in_step_ = lock_holds(documents, document(), lock_);
    }
    return in_step_;
}

}  // namespace fiberscope::viewer
