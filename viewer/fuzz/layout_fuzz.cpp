// Linked into trace_fuzz: no trace may crash the layout or place a lane or a stretch outside its area.
#include <cstdlib>

#include "traces/fuzz/exercises.h"
#include "viewer/fuzz/every_layout.h"

namespace {

using namespace fiberscope;
using namespace fiberscope::viewer;

void lay_out_places(trace::Replay& replay) {
    if (replay.size() == 0) return;
    const TraceIndex index(replay.trace());
    Selection selection;
    selection.visible = {0, static_cast<double>(index.duration()) + 1};
    for (const std::size_t at : {std::size_t{0}, replay.size() / 2, replay.size()}) {
        replay.seek(at);
        selection.playhead = at;
        selection.chosen = at % 2 == 0 ? 0 : trace::kNone;
        const Timeline timeline = fuzz::lay_out_everything(replay, index, selection);
        for (const Zone& zone : timeline.zones)
            if (!(zone.rect.x0 >= timeline.lanes_area.x0 - 1 && zone.rect.x1 <= timeline.lanes_area.x1 + 1))
                std::abort();
    }
}

const trace::fuzz::AddExercise added(lay_out_places);

}  // namespace
