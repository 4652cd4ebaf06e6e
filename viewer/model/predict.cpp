#include "viewer/model/predict.h"

#include <algorithm>

#include "traces/words/chosen.h"

namespace fiberscope::viewer {
namespace {

/// The playhead at which decision n is still open: before the one that runs next was taken out of its queue.
std::size_t open_before(const trace::Replay& replay, std::size_t n, std::size_t earliest) {
    const trace::Trace& trace = replay.trace();
    const auto events = replay.events_of(trace[n].other);
    const auto here = std::lower_bound(events.begin(), events.end(), n);
    if (here == events.begin()) return n;
    std::size_t open = n;
    for (auto it = here; it != events.begin();) {
        const std::uint32_t at = *--it;
        if (at < earliest || trace[at].kind == trace::Kind::insert || trace[at].kind == trace::Kind::switch_) break;
        if (trace[at].kind == trace::Kind::remove && trace[at].co == trace[n].other) open = at;
    }
    return open;
}

std::string name_at(const trace::Replay& replay, std::size_t event) {
    return replay.trace().name(replay.trace()[event].other);
}

}  // namespace

void Predict::toggle() noexcept {
    const bool on = !on_;
    *this = {};
    on_ = on;
}

std::size_t Predict::stop(const trace::Replay& replay, const TraceIndex& index, std::size_t from, std::size_t to) {
    if (!on_) return to;
    asked_ = kNothing;
    if (to <= from) return to;
    const auto all = index.decisions();
    const auto next = std::lower_bound(all.begin(), all.end(), from);
    if (next == all.end()) return to;
    const std::size_t open = std::max(from, open_before(replay, *next, from));
    if (to <= open) return to;
    asked_ = *next;
    return open;
}

std::size_t Predict::answer(const trace::Replay& replay, std::uint32_t co) {
    const std::size_t event = asked_;
    asked_ = kNothing;
    answered_ = event;
    was_right_ = replay.trace()[event].other == co;
    if (was_right_)
        ++right_;
    else
        missed_.push_back({event, co});
    return event + 1;
}

std::string Predict::words(const trace::Replay& replay) const {
    if (!on_) return {};
    const std::string score =
        answers() == 0 ? "" : std::to_string(right_) + " of " + std::to_string(answers()) + " right";
    if (asks()) return "Who runs next? Click its lane or its row." + (score.empty() ? "" : "  (" + score + ")");
    if (replay.at() >= replay.size() && answers() > 0) {
        std::string words = "The end: " + score + ".";
        for (std::size_t i = 0; i < missed_.size() && i < 8; ++i)
            words += (i == 0 ? " Missed: " : ", ") + ("event " + std::to_string(missed_[i].event + 1)) + " (" +
                     name_at(replay, missed_[i].event) + ", not " + replay.trace().name(missed_[i].said) + ")";
        if (missed_.size() > 8) words += ", and " + std::to_string(missed_.size() - 8) + " more";
        return words;
    }
    if (answered_ == kNothing || replay.at() <= answered_) return "Predict: N goes to the next decision.";
    const std::string why = trace::why_chosen(replay, answered_);
    return (was_right_ ? "Right. " : "No, " + name_at(replay, answered_) + ": ") + why + ".  (" + score + "; N)";
}

}  // namespace fiberscope::viewer
