#include "viewer/layout/trace_facts/state_rows.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {

using trace::kNone;

StateRow state_row(const trace::Replay& replay, const TraceIndex& index, std::size_t n, Language language) {
    return state_row(replay, index, trace::Places(replay, index.tree()[n].co), n, language);
}

StateRow state_row(const trace::Replay& replay, const TraceIndex& index, const trace::Places& places, std::size_t n,
                   Language language) {
    const TraceIndex::TreeRow& place = index.tree()[n];
    const trace::CoroutineNow& now = replay.coroutine(place.co);
    StateRow row{
        place.co, place.depth, now.exists, now.state, idle_now(replay, index, place.co), replay.trace().name(place.co),
        {},       {}};
    row.why =
        now.exists ? trace::why_not_running(replay, places, place.co, language) : say(language, "not spawned yet");
    row.brief = now.exists ? trace::why_in_short(replay, places, place.co, language) : row.why;
    if (row.idle != trace::Idle::none) {
        row.why = trace::why_idle(replay, now.machine, *index.idle().at(now.machine, replay.at()), language);
        row.brief = say(language, look(row.idle, Theme::dark).word) +
                    say(language, ", {0}", say(language, "machine {0}", now.machine));
    }
    const std::string own = now.exists ? replay.trace().lab_word(now.state) : std::string();
    if (own.empty()) return row;
    for (const std::string_view ours :
         {text_of("is dead: ", language), text_of("is running ", language)})  // avoid repeating the lab's word
        if (row.why.starts_with(ours)) row.why.erase(0, ours.size());
    row.why = own + say(language, ": {0}", row.why);
    row.brief = own + say(language, ": {0}", row.brief);
    return row;
}

CallerStack caller_stack(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m, std::size_t most,
                         Language language) {
    CallerStack out{m, {}};
    const std::vector<std::uint32_t> all = replay.caller_stack(m);
    most = std::max<std::size_t>(3, most);
    const std::size_t left_out = all.size() > most ? all.size() - (most - 1) : 0;
    const std::size_t head = left_out == 0 ? all.size() : most - 2;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (left_out != 0 && i == head) {
            out.boxes.push_back({kNone, trace::State::normal, say(language, "{0} more", left_out), left_out, {}});
            i += left_out - 1;
            continue;
        }
        out.boxes.push_back(
            {all[i], replay.coroutine(all[i]).state, replay.trace().name(all[i]), 0, idle_now(replay, index, all[i])});
    }
    return out;
}

std::vector<SetRow> set_rows(const trace::Replay& replay, std::size_t most_sets, std::size_t most_members,
                             Language language) {
    const trace::Trace& trace = replay.trace();
    std::vector<SetRow> rows;
    for (const trace::SetNow& set : replay.sets()) {
        if (rows.size() == most_sets) break;
        SetRow row{trace::set_in(trace.text(set.name), language), {}, {}, 0};
        row.words = counted(set.role, set.members.size(), language);
        for (const trace::Member& member : set.members) {
            if (row.members.size() == most_members) break;
            if (member.co == kNone)
                row.members.push_back({kNone, {}, item_name(trace, member.co, member.timer, language)});
            else
                row.members.push_back({member.co, replay.coroutine(member.co).state, trace.name(member.co)});
        }
        row.left_out = set.members.size() - row.members.size();
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string sets_in_short(const trace::Replay& replay, Language language, std::size_t most) {
    std::string words;
    std::size_t named = 0;
    for (const trace::SetNow& set : replay.sets()) {
        if (++named > most) break;
        const std::string count = trace::grouped(static_cast<std::int64_t>(set.members.size()));
        const std::string length =
            say(language, "{0}: {1}", trace::set_in(replay.trace().text(set.name), language), count);
        words += words.empty() ? length : say(language, ", {0}", length);
    }
    if (replay.sets().size() > most)
        words += say(language, ", {0}", say(language, "and {0} more {0:set|sets}", replay.sets().size() - most));
    return words.empty() ? say(language, "none declared yet") : words;
}

std::string sets_that_fit(const trace::Replay& replay, const Metrics& metrics, float width, std::size_t lines) {
    constexpr float kShortest = 2;  // em: "a: 1, "
    const auto room = static_cast<std::size_t>(std::max(1.0F, width / (kShortest * metrics.em))) * lines;
    std::size_t most = std::min(replay.sets().size(), room);
    const auto words = [&] { return sets_in_short(replay, metrics.language, most); };
    while (most > 1 && wrapped(metrics, width, width, words(), lines).empty()) --most;
    return words();
}

float sets_height(const TraceIndex& index, float em, bool brief) noexcept {
    const std::uint32_t sets = std::min(index.sets(), kMostSets);
    if (brief)
        return sets == 0 ? 0 : em * (kStateHeading + 0.4F + kBriefLine * (index.sets() > kMostSets ? 2.0F : 1.0F));
    return sets == 0 ? 0 : em * (kStateHeading + 0.4F + kSetRow * static_cast<float>(sets));
}

float locks_height(const TraceIndex& index, float em) noexcept {
    const std::uint32_t locks = std::min(index.lock_objects(), kMostLocks);
    return locks == 0 ? 0 : em * (kStateHeading + 0.4F + 2 * kBriefLine * static_cast<float>(locks));
}

float wanted_states_height(const TraceIndex& index, float em, bool brief) noexcept {
    const auto rows = static_cast<float>(index.tree().size());
    return em * (0.6F + 2 * kStateHeading + 3 * kStackBox + 1.8F + kStateRow * rows) + sets_height(index, em, brief) +
           locks_height(index, em);
}

}  // namespace fiberscope::viewer
