#include "viewer/model/predict.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/chosen.h"
#include "traces/words/names.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {
namespace {

/// The last playhead before decision n is made: before the coroutine that runs next is removed from its queue.
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

/// The first event in [from, to) that inserts a coroutine into a set; `to` if there is none.
std::size_t next_insert(const trace::Trace& trace, std::size_t from, std::size_t to) {
    for (std::size_t n = from; n < to && n < trace.size(); ++n)
        if (trace[n].kind == trace::Kind::insert && trace[n].co != trace::kNone) return n;
    return to;
}

/// The first of `events` from `from` on.
std::optional<std::size_t> next_of(std::span<const std::uint32_t> events, std::size_t from) {
    const auto next = std::lower_bound(events.begin(), events.end(), from);
    return next == events.end() ? std::nullopt : std::optional<std::size_t>(*next);
}

}  // namespace

std::optional<std::size_t> question_at(const trace::Replay& replay, const TraceIndex& index, std::size_t from,
                                       bool set) {
    if (set) {
        const std::size_t insert = next_insert(replay.trace(), from, replay.size());
        return insert < replay.size() ? std::optional(insert) : std::nullopt;
    }
    const auto decision = next_of(index.decisions(), from);
    if (decision && from < *decision && replay.trace()[from].kind == trace::Kind::remove &&
        open_before(replay, *decision, from) == from)
        return decision;
    return next_of(index.switches(), from);
}

std::optional<std::size_t> place_of_question(const trace::Replay& replay, const TraceIndex& index, std::size_t from,
                                             bool set) {
    const auto event = set ? question_at(replay, index, from, set) : next_of(index.decisions(), from);
    return event && !set ? std::max(from, open_before(replay, *event, from)) : event;
}

std::string right_answer(const trace::Trace& trace, std::size_t event, bool set, Language language) {
    return set ? trace::set_in(trace.set_name(trace[event].set), language) : trace.name(trace[event].other);
}

bool Predict::is_done(const trace::Replay& replay, std::size_t event) const {
    return trace_ == &replay.trace() && std::find(done_.begin(), done_.end(), event) != done_.end();
}

void Predict::toggle() {
    const bool was_on = on_ && !once_, to_sets = was_on && !sets_, on = !was_on || to_sets;
    Predict next;
    next.on_ = on;
    next.sets_ = to_sets;
    next.trace_ = trace_;
    if (once_ && asks())
        next.done_.push_back(asked_);
    else if (!done_.empty())
        next.done_.push_back(done_.back());
    *this = std::move(next);
}

bool Predict::ask_once(const trace::Replay& replay, const TraceIndex& index, std::size_t from, bool set) {
    if (on_ && !once_) return false;
    const auto asked = question_at(replay, index, from, set);
    if (!asked || is_done(replay, *asked)) return false;
    on_ = once_ = true;
    sets_ = set;
    asked_ = *asked;
    answered_ = kNothing;
    trace_ = &replay.trace();
    return true;
}

std::size_t Predict::stop(const trace::Replay& replay, const TraceIndex& index, std::size_t from, std::size_t to) {
    if (once_ && on_ && from < to) return from;
    if (once_ && on_) end();
    if (!on_) return to;
    asked_ = kNothing;
    if (to <= from) return to;
    if (sets_) {
        std::size_t insert = next_insert(replay.trace(), from, to);
        while (insert < to && is_done(replay, insert)) insert = next_insert(replay.trace(), insert + 1, to);
        if (insert < to) asked_ = insert;
        return insert;
    }
    auto next = next_of(index.decisions(), from);
    while (next && is_done(replay, *next)) next = next_of(index.decisions(), *next + 1);
    if (!next) return to;
    const std::size_t open = std::max(from, open_before(replay, *next, from));
    if (to <= open) return to;
    asked_ = *next;
    return open;
}

std::size_t Predict::answer(const trace::Replay& replay, std::uint32_t co) {
    const std::size_t event = asked_;
    asked_ = kNothing;
    answered_ = event;
    if (trace_ != &replay.trace()) done_.clear();
    trace_ = &replay.trace();
    done_.push_back(event);
    was_right_ = (sets_ ? replay.trace()[event].set : replay.trace()[event].other) == co;
    if (was_right_)
        ++right_;
    else
        missed_.push_back({event, co});
    if (once_) on_ = false;
    return event + 1;
}

std::string Predict::missed_in_words(const trace::Replay& replay, const Missed& missed, Language language) const {
    const trace::Trace& trace = replay.trace();
    const std::string right = right_answer(trace, missed.event, sets_, language);
    const std::string said = sets_ ? trace::set_in(trace.set_name(missed.said), language) : trace.name(missed.said);
    return say(language, "event {0} ({1}, not {2})", missed.event + 1, right, said);
}

std::string Predict::end_in_words(const trace::Replay& replay, const std::string& score, Language language) const {
    constexpr std::size_t kMost = 8;
    std::string words = say(language, "The end: {0}.", score);
    for (std::size_t i = 0; i < missed_.size() && i < kMost; ++i)
        words += (i == 0 ? say(language, " Missed: ") : say(language, mark(", ", "list"))) +
                 missed_in_words(replay, missed_[i], language);
    if (missed_.size() > kMost) words += say(language, ", and {0} more", missed_.size() - kMost);
    return words;
}

std::string Predict::words(const trace::Replay& replay, Language language) const {
    if (!on_ && !once_) return {};
    const std::string score = answers() == 0 ? "" : say(language, "{0} of {1} right", right_, answers());
    const std::string with_score = score.empty() ? "" : say(language, "  ({0})", score);
    if (asks() && once_)  // the note asks the question
        return say(language, sets_ ? mark("Click the set.") : mark("Click its lane, its row, or its box in a queue.")) +
               with_score;
    if (asks_set())
        return say(language, "Into which set does {0} go? Click the set.",
                   replay.trace().name(replay.trace()[asked_].co)) +
               with_score;
    if (asks()) return say(language, "Which runs next? Click its lane, its row, or its box in a queue.") + with_score;
    if (!once_ && replay.at() >= replay.size() && answers() > 0) return end_in_words(replay, score, language);
    if (answered_ == kNothing || replay.at() <= answered_)
        return say(language, sets_ ? mark("Predict into which set each one goes: play, or step.")
                                   : mark("Predict: N goes to the next decision."));
    if (sets_)
        return say(language, was_right_ ? mark("Right: {0}.") : mark("No: {0}."),
                   trace::describe(replay.trace(), answered_, language)) +
               with_score;
    const std::string why = trace::why_chosen(replay, answered_, language);
    const std::string behind = once_ ? with_score : say(language, "  ({0}; N)", score);
    return (was_right_
                ? say(language, "Right. {0}.", why)
                : say(language, "No, {0}: {1}.", right_answer(replay.trace(), answered_, false, language), why)) +
           behind;
}

}  // namespace fiberscope::viewer
