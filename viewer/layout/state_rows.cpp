#include "viewer/layout/state_rows.h"

#include <algorithm>

#include "traces/words.h"

namespace fiberscope::viewer {

using trace::kNone;

StateRow state_row(const trace::Replay& replay, const TraceIndex& index, std::size_t n) {
    const TraceIndex::TreeRow& place = index.tree()[n];
    const trace::CoroutineNow& now = replay.coroutine(place.co);
    StateRow row{place.co, place.depth, now.exists, now.state, replay.trace().name(place.co), {}};
    row.why = now.exists ? trace::why_not_running(replay, place.co) : "not spawned yet";
    return row;
}

CallerStack caller_stack(const trace::Replay& replay, std::uint32_t m, std::size_t most) {
    CallerStack out{m, {}};
    const std::vector<std::uint32_t> all = replay.caller_stack(m);
    most = std::max<std::size_t>(3, most);
    const std::size_t left_out = all.size() > most ? all.size() - (most - 1) : 0;
    const std::size_t head = left_out == 0 ? all.size() : most - 2;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (left_out != 0 && i == head) {
            out.boxes.push_back({kNone, trace::State::normal, std::to_string(left_out) + " more", left_out});
            i += left_out - 1;
            continue;
        }
        out.boxes.push_back({all[i], replay.coroutine(all[i]).state, replay.trace().name(all[i]), 0});
    }
    return out;
}

std::vector<std::size_t> count_states(const trace::Replay& replay) {
    std::vector<std::size_t> counts(trace::kWords<trace::State>.size(), 0);
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        const trace::CoroutineNow& now = replay.coroutine(co);
        if (now.exists) ++counts[static_cast<std::size_t>(now.state)];
    }
    return counts;
}

}  // namespace fiberscope::viewer
