#include <algorithm>

#include "viewer/model/sources.h"
#include "viewer/panels/compare/comparing.h"

namespace fiberscope::viewer {
namespace {

Run run_of(const Document& document) { return {document.replay(), document.index()}; }

/// The playhead of a file at a difference: after its decision, or at its end.
std::size_t playhead_at(const Document& document, std::size_t event) {
    return std::min(event + 1, document.replay().size());
}

}  // namespace

void Comparing::forget() {
    differences_.reset();
    others_.clear();
    card_.clear();
}

Comparing::Differences* Comparing::find_differences() {
    const auto tabs = state_.files.tabs();
    std::vector<std::size_t> readable;
    for (std::size_t i = 0; i < tabs.size(); ++i)
        if (tabs[i].readable()) readable.push_back(i);
    if (readable.size() < 2) return differences_ ? &*differences_ : nullptr;
    const std::size_t active = state_.files.active();
    const std::size_t first = readable[0], second = active == first ? readable[1] : active;
    if (differences_ && differences_->second == second) return &*differences_;
    differences_ = {first, second, divergences(run_of(*tabs[first].document), run_of(*tabs[second].document)), {}, {}};
    card_.clear();
    for (const Divergence& place : differences_->all.places) {
        differences_->stretches[0].push_back(place.first.time);
        differences_->stretches[1].push_back(place.second.time);
    }
    return &*differences_;
}

const Comparing::Differences* Comparing::differences() { return find_differences(); }

std::optional<std::size_t> Comparing::difference_here() {
    const Differences* now = find_differences();
    if (now == nullptr || !now->at || *now->at >= now->all.places.size()) return std::nullopt;
    const Divergence& place = now->all.places[*now->at];
    const Document &first = *state_.files.tabs()[now->first].document,
                   &second = *state_.files.tabs()[now->second].document;
    const bool here = first.selection().playhead == playhead_at(first, place.first.event) &&
                      second.selection().playhead == playhead_at(second, place.second.event);
    return here ? now->at : std::nullopt;
}

DifferenceView Comparing::differences_of(std::size_t index) {
    const Differences* now = find_differences();
    if (now == nullptr || predicting_.on() || (index != now->first && index != now->second)) return {};
    return {&now->stretches[index == now->first ? 0 : 1], difference_here()};
}

void Comparing::go_to_difference(int by) {
    const Differences* now = state_.files.side_by_side() ? find_differences() : nullptr;
    if (now == nullptr || now->all.places.empty()) return;
    const Document& first = *state_.files.tabs()[now->first].document;
    const std::vector<Divergence>& places = now->all.places;
    const auto is_before = [&](const Divergence& place) {
        return playhead_at(first, place.first.event) < first.selection().playhead;
    };
    auto at = std::partition_point(places.begin(), places.end(), is_before) - places.begin();
    if (const auto here = difference_here())
        at = static_cast<std::ptrdiff_t>(*here) + by;
    else if (by < 0)
        --at;
    choose_difference(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(places) - 1)));
}

std::vector<std::size_t> Comparing::events_at(const Differences& now, const Divergence& place) {
    const auto tabs = state_.files.tabs();
    const Run first = run_of(*tabs[now.first].document);
    std::vector<std::size_t> events;
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        if (!tabs[i].readable()) continue;
        if (i == now.first || i == now.second) {
            events.push_back(i == now.first ? place.first.event : place.second.event);
            continue;
        }
        const Run its = run_of(*tabs[i].document);
        if (!others_.contains(i)) others_.emplace(i, divergences(first, its));
        events.push_back(counterpart(first, its, others_.at(i), place.decision));
    }
    return events;
}

void Comparing::choose_difference(std::size_t n) {
    Differences* now = find_differences();
    if (now == nullptr || n >= now->all.places.size()) return;
    now->at = n;
    now->card = true;
    card_.clear();
    const Documents documents = state_.files.readable();
    std::vector<std::size_t> playheads = events_at(*now, now->all.places[n]);
    const std::vector<std::size_t> events = playheads;
    for (std::size_t i = 0; i < documents.size(); ++i) playheads[i] = playhead_at(*documents[i], events[i]);
    std::size_t of = 0;
    for (Tab& tab : state_.files.tabs()) {
        if (!tab.readable()) continue;
        const std::size_t event = events[of++];
        if (const trace::Trace& trace = tab.document->replay().trace();
            event < trace.size() && trace.kind(event) == trace::Kind::switch_)
            tab.timeline.show_lane(trace[event].other);
    }
    Document& leader = state_.files.document();
    leader.playback().playing = false;
    go_to_places(documents, leader, playheads);
}

std::span<const CardFile> Comparing::card() {
    Differences* now = find_differences();
    if (now == nullptr || !now->card || predicting_.on() || !difference_here()) return {};
    if (!card_.empty()) return {card_.data(), card_.size()};
    const std::vector<std::size_t> events = events_at(*now, now->all.places[*now->at]);
    const Documents documents = state_.files.readable();
    std::vector<const trace::Trace*> traces;
    for (const Document* document : documents) traces.push_back(&document->replay().trace());
    const std::vector<std::string> names = run_names({traces.data(), traces.size()});
    for (std::size_t i = 0; i < documents.size(); ++i) {
        CardFile& file = card_.emplace_back();
        file.trace = traces[i];
        file.name = names[i];
        file.facts = decision_facts(documents[i]->replay_to_move(), events[i], style_.language);
        documents[i]->sync();
        find_lines(file, style_.language);
    }
    return {card_.data(), card_.size()};
}

bool Comparing::close_card() {
    const bool open = !card().empty();
    if (open) differences_->card = false;
    return open;
}

std::string Comparing::difference_words() {
    const Differences* now = find_differences();
    if (now == nullptr || predicting_.on()) return {};
    const auto tabs = state_.files.tabs();
    const Document &first = *tabs[now->first].document, &second = *tabs[now->second].document;
    const std::optional<std::size_t> here = difference_here();
    if (!here) return divergences_in_words(run_of(first), run_of(second), now->all, style_.language);
    const Divergence& place = now->all.places[*here];
    const auto names = run_names(first.replay().trace(), second.replay().trace());
    return style_.says("Difference {0} of {1}, {2} {2:decision|decisions} of {3} against {4} of {5}.", *here + 1,
                       now->all.places.size(), place.first.decisions, names[0], place.second.decisions, names[1]);
}

std::uint64_t Comparing::largest_image() const {
    std::uint64_t largest = 0;
    for (const Document* document : state_.files.readable())
        largest = std::max(largest, document->index().largest_image());
    return largest;
}

}  // namespace fiberscope::viewer
