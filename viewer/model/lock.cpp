#include "viewer/model/lock.h"

#include <algorithm>
#include <string>

#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {
namespace {

/// The coroutine's CoKind as a number; kNone if the trace does not have its spawn.
std::uint32_t kind_of(const Document& document, std::uint32_t co) {
    const std::uint32_t spawn = document.index().spawn(co);
    return spawn == trace::kNone ? trace::kNone
                                 : static_cast<std::uint32_t>(document.replay().trace()[spawn].first<trace::CoKind>());
}

/// Whether the playhead is at `moment`; events at exactly that time may be applied or not.
bool is_at(const Document& document, double moment) {
    const trace::Trace& trace = document.replay().trace();
    const std::size_t at = document.selection().playhead;
    return (at == 0 || static_cast<double>(trace.time(at - 1)) <= moment) &&
           (at >= trace.size() || static_cast<double>(trace.time(at)) >= moment);
}

}  // namespace

std::uint64_t longest(const Documents& documents) {
    std::uint64_t end = 0;
    for (const Document* document : documents) end = std::max(end, document->index().duration());
    return end;
}

double time_of(const Document& document) { return playhead_time(document.replay(), document.selection().playhead); }

/// Moves all to `moment`, and the visible range to contain it.
void set_moment(const Documents& documents, double moment) {
    for (Document* document : documents) {
        Selection& selection = document->selection();
        selection.moment = moment;
        selection.visible = following(selection.visible, moment, axis_end(document->index(), selection));
        document->sync();
    }
}

void go_to_time(const Documents& documents, const Document& leader, double moment) {
    const bool begins = leader.selection().playhead == 0 && moment <= 0;  // before the events at time 0
    for (Document* document : documents)
        if (document != &leader)
            document->selection().playhead =
                begins ? 0 : document->replay().index_at_time(static_cast<std::uint64_t>(moment));
    set_moment(documents, moment);
}

/// Moves all to event `number`, or their end; the visible range follows the leader.
void go_to_number(const Documents& documents, const Document& leader, std::size_t number) {
    for (Document* document : documents) {
        Selection& selection = document->selection();
        selection.moment.reset();
        selection.playhead = std::min(number, document->replay().size());
        document->sync();
    }
    const Range visible =
        following(leader.selection().visible, time_of(leader), axis_end(leader.index(), leader.selection()));
    for (Document* document : documents) document->selection().visible = visible;
}

std::size_t number_of(const Documents& documents) {
    std::size_t number = 0;
    for (const Document* document : documents) number = std::max(number, document->selection().playhead);
    return number;
}

void go_to_ends(const Documents& documents, const Document& leader, bool end, Lock lock) {
    for (Document* document : documents) document->selection().playhead = end ? document->replay().size() : 0;
    if (lock == Lock::number) return go_to_number(documents, leader, number_of(documents));
    set_moment(documents, end ? static_cast<double>(longest(documents)) : 0);
}

/// The coroutine of the same name and kind as `co` of `from`; kNone if there is none.
std::uint32_t namesake(const Document& from, std::uint32_t co, const Document& in) {
    if (co >= from.replay().coroutines()) return trace::kNone;
    const std::string name = from.replay().trace().name(co);
    const std::uint32_t kind = kind_of(from, co);
    const auto is_it = [&](std::uint32_t other) {
        return in.replay().trace().name(other) == name && kind_of(in, other) == kind;
    };
    if (co < in.replay().coroutines() && is_it(co)) return co;
    for (std::uint32_t other = 0; other < in.replay().coroutines(); ++other)
        if (is_it(other)) return other;
    return trace::kNone;
}

void go_to_leader(const Documents& documents, const Document& leader, Lock lock) {
    if (lock == Lock::number)
        go_to_number(documents, leader, leader.selection().playhead);
    else
        go_to_time(documents, leader, leader.selection().moment.value_or(time_of(leader)));
}

Text lock_word(Lock lock) noexcept { return lock == Lock::time ? mark("time") : mark("event number"); }

void go_to_places(const Documents& documents, const Document& leader, const std::vector<std::size_t>& playheads) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
        Selection& selection = documents[i]->selection();
        selection.moment.reset();
        selection.playhead = std::min(playheads[i], documents[i]->replay().size());
        documents[i]->sync();
    }
    const Range visible =
        following(leader.selection().visible, time_of(leader), axis_end(leader.index(), leader.selection()));
    for (Document* document : documents) document->selection().visible = visible;
}

bool lock_holds(const Documents& documents, const Document& leader, Lock lock) {
    const std::size_t number = number_of(documents);
    const double moment = leader.selection().moment.value_or(time_of(leader));
    return std::all_of(documents.begin(), documents.end(), [&](const Document* document) {
        const Selection& its = document->selection();
        if (lock == Lock::number) return its.playhead == std::min(number, document->replay().size());
        return its.moment == moment && is_at(*document, moment);
    });
}

}  // namespace fiberscope::viewer
